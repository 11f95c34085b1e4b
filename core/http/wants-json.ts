/** Returns whether a path is for programs, so that its errors are sent as JSON. */
export const wantsJson = (path: string): boolean =>
  /^\/(api|v1)(\/|$)|^\/(openapi\.json|graph-data|chat\/ask\/stream)$/.test(path);
