/** Computes the redirect target of a form that was sent without JavaScript: a page of this service. */

/** Returns the path and query of an address on this service, or null for anything that could lead to another site. */
const localPath = (address: string, baseUrl: string): string | null => {
  if (!address || /[\\\s]/.test(address)) return null;
  const isPath = address.startsWith('/') && !address.startsWith('//');
  if (!isPath && !/^https?:\/\//.test(address)) return null;
  if (!URL.canParse(address, baseUrl)) return null;
  const url = new URL(address, baseUrl);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : null;
};

/**
 * Returns the page that the form names, otherwise the referrer, otherwise the form itself, with the fragment at which the page
 * shows its thanks.
 */
export const wayBack = (named: string, referrer: string, baseUrl: string): string =>
  `${localPath(named, baseUrl) ?? localPath(referrer, baseUrl) ?? '/feedback'}#feedback-received`;
