/**
 * Calls a function with a long loop in such a way that it stays a function of its own. V8's middle compiler (Maglev, in
 * Node 22 and later) takes small functions into their caller, where their loops cannot be replaced by faster code while
 * they run: a pass over a million numbers then takes 30 ms instead of 1, for hundreds of calls. This call has seen many
 * functions, so no compiler takes any of them in.
 */
export function apart<A, B, C, R>(loop: (a: A, b: B, c: C) => R, ...[a, b, c]: [A, B, C]): R {
  return loop(a, b, c);
}

const MANY: readonly ((a: number, b: number, c: number) => number)[] = [
  (a) => a,
  (_, b) => b,
  (_a, _b, c) => c,
  (a, b) => a + b,
  (a, _, c) => a + c,
  (_, b, c) => b + c,
];
for (let i = 0; i < 60; i++) apart(MANY[i % MANY.length]!, i, 1, 2);
