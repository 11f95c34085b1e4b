/** Negotiates the encoding of a published page by Accept-Encoding (RFC 9110, section 12.5.3). */
export type Encoding = 'identity' | 'gzip' | 'br';

/** Encodings from the smallest result to the largest: browsers list gzip first without preferring it. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
/** Maximum number of cached headers: few different ones exist, and invented ones must not fill the memory. */
const REMEMBERED = 500;

/** Parses the weight of each coding in the header; invalid elements are ignored. */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').flatMap((element): [string, number][] => {
      const [coding = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      if (!coding || !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)) return [];
      return [[coding === 'x-gzip' ? 'gzip' : coding, Number(weight)]];
    }),
  );

const preferred = (header: string): readonly Encoding[] => {
  const weights = weightsOf(header);
  const others = weights.get('*');
  const weightOf = (coding: Encoding): number =>
    // Codings that are not listed are not accepted, except identity, which is the last choice.
    weights.get(coding) ?? others ?? (coding === 'identity' ? 0.0001 : 0);
  return CODINGS.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
};

const known = new Map<string, readonly Encoding[]>();

/** Returns the accepted encodings by preference. Identity may be missing, but is sent when no other form exists. */
export const preferredEncodings = (header: string): readonly Encoding[] => {
  const before = known.get(header);
  if (before) return before;
  const order = preferred(header);
  if (known.size < REMEMBERED) known.set(header, order);
  return order;
};
