/** Returns the body rows of the data table below a chart as text; `id` is the id of the chart. */
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

/** Returns the content of one section of a page. */
export const sectionOf = (html: string, id: string): string =>
  html.split(` aria-labelledby="${id}">`)[1]?.split('</section>')[0] ?? '';
