/** Evaluates conditional and range requests (RFC 9110, sections 13 and 14). */

/** The request headers that affect the response for a published page, parsed once from the raw headers. */
export interface ConditionalHeaders {
  acceptEncoding: string;
  ifMatch: string;
  ifNoneMatch: string;
  ifModifiedSince: string;
  ifUnmodifiedSince: string;
  range: string;
  ifRange: string;
  /** Whether one of the four conditions is present. */
  isConditional: boolean;
}

const NAMES: Readonly<Record<string, Exclude<keyof ConditionalHeaders, 'isConditional'>>> = {
  'accept-encoding': 'acceptEncoding',
  'if-match': 'ifMatch',
  'if-none-match': 'ifNoneMatch',
  'if-modified-since': 'ifModifiedSince',
  'if-unmodified-since': 'ifUnmodifiedSince',
  range: 'range',
  'if-range': 'ifRange',
};
const LENGTHS = new Set(Object.keys(NAMES).map((name) => name.length));

/** Parses the headers. `raw` has names and values alternately as in node:http, which is several times faster than its map. */
export const parseConditionalHeaders = (raw: readonly string[]): ConditionalHeaders => {
  const wishes: ConditionalHeaders = {
    acceptEncoding: '',
    ifMatch: '',
    ifNoneMatch: '',
    ifModifiedSince: '',
    ifUnmodifiedSince: '',
    range: '',
    ifRange: '',
    isConditional: false,
  };
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!LENGTHS.has(name.length)) continue;
    const wish = NAMES[name.toLowerCase()];
    if (!wish) continue;
    wishes[wish] = wishes[wish] ? `${wishes[wish]}, ${raw[at + 1]}` : (raw[at + 1] as string);
    wishes.isConditional ||= wish.startsWith('if') && wish !== 'ifRange';
  }
  return wishes;
};

/** The validators of the form that would be sent, which conditions are evaluated against. */
export interface Validators {
  /** Strong ETag, with its quotes. */
  readonly etag: string;
  /** Whole seconds since 1970, the resolution of HTTP dates. */
  readonly modifiedSeconds: number;
}

const secondsOf = (date: string): number => Math.floor(Date.parse(date) / 1000);

/** Returns whether the client already has this form. The date is evaluated only when no ETag is sent. */
export const isNotModified = (
  { ifNoneMatch, ifModifiedSince }: ConditionalHeaders,
  validators: Validators,
): boolean => {
  // The quoted tag can occur in the list only as itself or as a weak tag, which is equivalent here.
  if (ifNoneMatch) return ifNoneMatch === '*' || ifNoneMatch.includes(validators.etag);
  return ifModifiedSince !== '' && validators.modifiedSeconds <= secondsOf(ifModifiedSince);
};

/** Returns whether a precondition fails: the client requires a form that is not the current one. */
export const isRefused = ({ ifMatch, ifUnmodifiedSince }: ConditionalHeaders, validators: Validators): boolean => {
  if (ifMatch) {
    const tags = ifMatch.split(',').map((tag) => tag.trim());
    return !tags.includes('*') && !tags.includes(validators.etag);
  }
  return ifUnmodifiedSince !== '' && validators.modifiedSeconds > secondsOf(ifUnmodifiedSince);
};

export interface ByteRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Returns whether the range belongs to the current form: If-Range must match its tag or date exactly. */
const isSamePart = ({ ifRange }: ConditionalHeaders, validators: Validators): boolean =>
  ifRange === '' || ifRange === validators.etag || secondsOf(ifRange) === validators.modifiedSeconds;

/** Returns the requested range; null for the whole page (no range, several, or one of another form); `none` when it is empty. */
export const rangeOf = (
  wishes: ConditionalHeaders,
  validators: Validators,
  bytes: number,
): ByteRange | 'none' | null => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(wishes.range.trim());
  if (!match || !isSamePart(wishes, validators)) return null;
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return null;
    const length = Math.min(Number(to), bytes);
    return length ? { first: bytes - length, last: bytes - 1 } : 'none';
  }
  const [first, last] = [Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)];
  if (to !== '' && Number(to) < first) return null;
  return first < bytes ? { first, last } : 'none';
};
