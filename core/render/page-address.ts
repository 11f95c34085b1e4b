/** The address of a page's instance. */
import type { PageInstance } from '../plugin.ts';

/** Fills the parameters into a path, which is cut apart once. `{+path}` keeps its slashes. */
export const pageAddress = (path: string): ((params: PageInstance['params']) => string) => {
  const parts = path.split(/\{(\+?\w+)\}/);
  return (params) =>
    parts
      .map((part, at) => {
        if (at % 2 === 0) return part;
        if (!part.startsWith('+')) return encodeURIComponent(params[part] ?? '');
        return (params[part.slice(1)] ?? '').split('/').map(encodeURIComponent).join('/');
      })
      .join('');
};
