/** What a route's or page's path matches: `/api/keys/{id}` one segment, `/page/{+page_path}` several. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\+\w+\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );

/** Finds the first of the paths that matches, in the order given. Plain paths cost one look, not one each. */
export const pathMatcher = (paths: readonly string[]): ((path: string) => string | undefined) => {
  const plain = new Set(paths.filter((path) => !path.includes('{')));
  const patterns = paths.filter((path) => path.includes('{')).map((path) => ({ path, pattern: pathPattern(path) }));
  return (path) => (plain.has(path) ? path : patterns.find(({ pattern }) => pattern.test(path))?.path);
};
