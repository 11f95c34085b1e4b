/** Which of a page's three forms a client wants, by its Accept-Encoding (RFC 9110, 12.5.3). */
export type Encoding = 'identity' | 'gzip' | 'br';

/** The smallest first: browsers write gzip first and mean no preference by it. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
/** There are few different headers in the world; a client that invents them fills no memory. */
const REMEMBERED = 500;

/** Weight of each coding that the header names; what cannot be read is not named. */
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
    // What nobody names is not wanted; but the plain form is, last of all.
    weights.get(coding) ?? others ?? (coding === 'identity' ? 0.0001 : 0);
  return CODINGS.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
};

const known = new Map<string, readonly Encoding[]>();

/** Forms in the order the client wants them. The plain form may be missing; it is sent all the same when there is no other. */
export const preferredEncodings = (header: string): readonly Encoding[] => {
  const before = known.get(header);
  if (before) return before;
  const order = preferred(header);
  if (known.size < REMEMBERED) known.set(header, order);
  return order;
};
