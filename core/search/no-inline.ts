/**
 * Calls a function with a long loop and prevents V8 from inlining it. Maglev (Node 22 and later) inlines small functions
 * into their caller, where on-stack replacement cannot optimise their loops: a pass over a million numbers then takes 30 ms
 * instead of 1, for hundreds of calls. This call site is megamorphic, so no compiler inlines the function that it calls.
 */
export function noInline<A, B, C, R>(loop: (a: A, b: B, c: C) => R, ...[a, b, c]: [A, B, C]): R {
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
for (let i = 0; i < 60; i++) noInline(MANY[i % MANY.length]!, i, 1, 2);
