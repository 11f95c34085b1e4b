/** Builds the texts of /llms.txt and /llms-full.txt, in the format of llmstxt.org. */

export interface IndexedPage {
  /** The heading under which the page is listed; `Optional` is last, and readers may skip it. */
  readonly section: string;
  readonly title: string;
  readonly description: string;
  /** Address of the Markdown version. */
  readonly href: string;
}

export interface FullPage extends IndexedPage {
  /** Address of the page. */
  readonly address: string;
  /** Markdown without a heading of its own; null when the page is only listed. */
  readonly text: string | null;
}

/** Maximum length of /llms-full.txt in characters, about a million tokens. Pages that do not fit are listed at its end. */
export const MOST_CHARACTERS = 4_000_000;

const NAME = 'Supplement Evidence Base';
const LEAD =
  'An open, graded evidence base on natural supplements: what studies found, how far each can be trusted, doses as studied, safety, interactions with medicines, and what is not known. Every claim carries its sources; every source has a tier from A (strongest) to D. "Nothing found" never means "safe". This is information about research, not medical advice.';

const OPTIONAL = 'Optional';

const fixedLinks = (baseUrl: string): readonly IndexedPage[] =>
  [
    ['/llms-full.txt', 'The text of these pages in one file', 'without tables of figures, product lists and histories'],
    ['/openapi.json', 'The JSON API', 'OpenAPI 3.1: search sources, check interactions, look up products'],
    ['/changes.atom', 'Changes', 'Atom feed: grades, retractions, severities, entries'],
    ['/sitemap.xml', 'Every address', 'products, brands and pairs of supplement and medicine too'],
  ].map(([path = '', title = '', description = '']) => ({
    section: OPTIONAL,
    title,
    description,
    href: `${baseUrl}${path}`,
  }));

const inLink = (text: string): string => text.replace(/[[\]]/g, '\\$&');

const listOf = (pages: readonly IndexedPage[]): string =>
  pages
    .map(({ title, description, href }) => `- [${inLink(title)}](${href})${description ? `: ${description}` : ''}`)
    .join('\n');

/** Groups pages by section, in the order of first occurrence, with `Optional` last. */
const sectionsOf = <P extends IndexedPage>(pages: readonly P[]): readonly (readonly [string, readonly P[]])[] =>
  [...Map.groupBy(pages, ({ section }) => section)].toSorted(
    ([a], [b]) => Number(a === OPTIONAL) - Number(b === OPTIONAL),
  );

const intro = (about: string): string => `# ${NAME}\n\n> ${LEAD}\n\n${about}\n`;

export const indexText = (pages: readonly IndexedPage[], baseUrl: string): string => {
  const about = `Every page has a Markdown twin with the same citations: its address with \`.md\` at the end (\`${baseUrl}/index.md\` for the front page). Cite the page, not the twin, and the sources that it names.`;
  const parts = sectionsOf([...pages, ...fixedLinks(baseUrl)]).map(
    ([section, listed]) => `## ${section}\n\n${listOf(listed)}\n`,
  );
  return [intro(about), ...parts].join('\n');
};

/** Moves the headings of a page one level down, because the page's name is written above them. */
const lowered = (text: string): string => text.replace(/^(#{1,5}) /gm, '#$1 ');

export const fullText = (pages: readonly FullPage[], baseUrl: string): string => {
  let room = MOST_CHARACTERS;
  const out: FullPage[] = [];
  const parts: string[] = [];
  for (const page of pages) {
    if (page.text === null) continue;
    const part = `# ${page.title}\n\nAddress: ${page.address}\n\n${lowered(page.text)}\n`;
    if (part.length > room) out.push(page);
    else {
      parts.push(part);
      room -= part.length;
    }
  }
  const about = `The editorial text of ${parts.length} pages with their references. Left out: summaries and gradings of single sources, tables behind charts, lists of products, histories, and the pages of interactions, products, brands and questions; they are in the Markdown twins of the pages (\`.md\` at the end of an address) and in the sitemaps (${baseUrl}/sitemap.xml).`;
  const rest = out.length ? [`# Left out for length\n\n${listOf(out)}\n`] : [];
  return [intro(about), ...parts, ...rest].join('\n');
};
