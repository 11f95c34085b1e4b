declare module 'jstat' {
  /** The only part of the library that is used; it ships without types. */
  const jstat: { readonly studentt: { inv(probability: number, freedom: number): number } };
  export default jstat;
}
