/** Where a form that was sent without script goes on: a page of this service, or nowhere. */

/** A path of ours with its query; null for anything that could lead to another site. */
const localPath = (address: string, baseUrl: string): string | null => {
  if (!address || /[\\\s]/.test(address)) return null;
  const isPath = address.startsWith('/') && !address.startsWith('//');
  if (!isPath && !/^https?:\/\//.test(address)) return null;
  if (!URL.canParse(address, baseUrl)) return null;
  const url = new URL(address, baseUrl);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : null;
};

/** The page that the form names, else the one it was on, else the form's own; with the mark that the page thanks at. */
export const wayBack = (named: string, referrer: string, baseUrl: string): string =>
  `${localPath(named, baseUrl) ?? localPath(referrer, baseUrl) ?? '/feedback'}#feedback-received`;
