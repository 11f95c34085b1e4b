/** Addresses that programs ask, not people: what fails below them is told as JSON. */
export const wantsJson = (path: string): boolean =>
  /^\/(api|v1)(\/|$)|^\/(openapi\.json|graph-data|chat\/ask\/stream)$/.test(path);
