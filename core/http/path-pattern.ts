/** Returns the pattern of a path: `{id}` in `/api/keys/{id}` matches one segment, `{+page_path}` several. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\+\w+\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );

/** Returns a function that finds the first matching path. Paths without parameters are found by one lookup in a set. */
export const pathMatcher = (paths: readonly string[]): ((path: string) => string | undefined) => {
  const plain = new Set(paths.filter((path) => !path.includes('{')));
  const patterns = paths.filter((path) => path.includes('{')).map((path) => ({ path, pattern: pathPattern(path) }));
  return (path) => (plain.has(path) ? path : patterns.find(({ pattern }) => pattern.test(path))?.path);
};
