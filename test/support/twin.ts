/** The table beneath a chart as rows of texts, head left out; the chart is named by the id of its title. */
export const twinOf = (html: string, id: string): string[][] => {
  const [, rest = ''] = html.split(`<title id="${id}-t">`);
  const body = /<tbody[^>]*>(.*?)<\/tbody>/s.exec(rest)?.[1] ?? '';
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );
};

/** What stands in one section of a page. */
export const sectionOf = (html: string, id: string): string =>
  html.split(` aria-labelledby="${id}">`)[1]?.split('</section>')[0] ?? '';
