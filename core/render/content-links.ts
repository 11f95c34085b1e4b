/** Converts links in texts under content/, which are links between files, to addresses of the site. */
import { posix } from 'node:path';

/** Returns the address of a file below content/; null for a file without a page. */
export const pageOfFile = (path: string): string | null => {
  const entry = /^(supplements|conditions|articles)\/([a-z0-9-]+)\.md$/.exec(path);
  if (entry) return `/${entry[1]}/${entry[2]}`;
  const policy = /^pages\/([a-z0-9-]+)\.md$/.exec(path);
  if (policy) return `/${policy[1]}`;
  const document = /^docs\/([A-Za-z0-9/_-]+)\.md$/.exec(path);
  if (document) return `/page/${document[1]}`;
  return /^docs(\/decisions)?\/?$/.test(path) ? '/page' : null;
};

/**
 * Returns a function that converts the links of the text at `from`, below content/. Links to other sites and to addresses
 * of the site are not changed, files become pages, and other links are removed (null).
 */
export const linksFrom =
  (from: string) =>
  (href: string): string | null => {
    if (/^(https?:|mailto:|#|\/)/i.test(href)) return href;
    const [file = '', fragment = ''] = href.split(/(?=#)/);
    const page = pageOfFile(posix.join(posix.dirname(from), file));
    return page && `${page}${fragment}`;
  };
