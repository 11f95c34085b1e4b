/**
 * Parses a query string into an object: a string for a parameter that occurs once, an array for one that occurs more often.
 * Koa's own parser (3.3) looks each parameter up once for every time it occurs, so 4,000 equal names take 0.2 s; this one reads
 * each parameter once.
 */
export const parseQueryString = (text: string): Record<string, string | string[]> => {
  const byName = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  }
  // A parameter may be called `__proto__`; `fromEntries` defines an own property and never calls a setter.
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
};
