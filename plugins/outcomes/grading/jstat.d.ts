declare module 'jstat' {
  /** The parts of the library that are used here; it ships no types. */
  const jstat: { readonly studentt: { inv(probability: number, freedom: number): number } };
  export default jstat;
}
