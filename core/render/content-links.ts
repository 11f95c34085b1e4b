/** Where links of the texts under content/ lead on the site: they are written as links between files, so that they work in both. */
import { posix } from 'node:path';

/** The address of a file below content/; null for one that has no page. */
export const pageOfFile = (path: string): string | null => {
  const entry = /^(supplements|conditions|articles)\/([a-z0-9-]+)\.md$/.exec(path);
  if (entry) return `/${entry[1]}/${entry[2]}`;
  const policy = /^pages\/([a-z0-9-]+)\.md$/.exec(path);
  if (policy) return `/${policy[1]}`;
  const document = /^docs\/([A-Za-z0-9/_-]+)\.md$/.exec(path);
  if (document) return `/page/${document[1]}`;
  return /^docs(\/decisions)?\/?$/.test(path) ? '/page' : null;
};

/** For a text at `from`, below content/: other sites and the site's own addresses stay, files become pages, the rest loses its link. */
export const linksFrom =
  (from: string) =>
  (href: string): string | null => {
    if (/^(https?:|mailto:|#|\/)/i.test(href)) return href;
    const [file = '', fragment = ''] = href.split(/(?=#)/);
    const page = pageOfFile(posix.join(posix.dirname(from), file));
    return page && `${page}${fragment}`;
  };
