/** The address of a page's instance. */
import type { PageInstance } from '../plugin.ts';

/** Fills the parameters into a path, which is cut apart once. `{+path}` keeps its slashes. */
export const pageAddress = (path: string): ((params: PageInstance['params']) => string) => {
  const parts = path.split(/\{(\+?\w+)\}/);
  const [before = '', name = '', after = ''] = parts;
  // One parameter, as nearly all of 100,000 pages have.
  if (parts.length === 3 && !name.startsWith('+'))
    return (params) => before + encodeURIComponent(params[name] ?? '') + after;
  return (params) =>
    parts
      .map((part, at) => {
        if (at % 2 === 0) return part;
        if (!part.startsWith('+')) return encodeURIComponent(params[part] ?? '');
        return (params[part.slice(1)] ?? '').split('/').map(encodeURIComponent).join('/');
      })
      .join('');
};
