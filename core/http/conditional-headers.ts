/** The headers that ask for less than the whole page: conditions and ranges (RFC 9110, 13 and 14). */

/** What a request for a published address says about the answer; read once, from the headers as they came. */
export interface ConditionalHeaders {
  acceptEncoding: string;
  ifMatch: string;
  ifNoneMatch: string;
  ifModifiedSince: string;
  ifUnmodifiedSince: string;
  range: string;
  ifRange: string;
  /** Whether one of the four conditions is there. */
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

/** `raw`: names and values in turn, as node:http has them; that is several times as fast as its own table of them. */
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

/** What a condition is held against: the form that would be sent. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Whole seconds since 1970: a header has no finer time. */
  readonly modifiedSeconds: number;
}

const secondsOf = (date: string): number => Math.floor(Date.parse(date) / 1000);

/** Whether the client has this form already. A date counts only where no tag is sent. */
export const isNotModified = (
  { ifNoneMatch, ifModifiedSince }: ConditionalHeaders,
  validators: Validators,
): boolean => {
  // A tag in its quotes occurs in the list only as itself, or weakened by a proxy, which is as good here.
  if (ifNoneMatch) return ifNoneMatch === '*' || ifNoneMatch.includes(validators.etag);
  return ifModifiedSince !== '' && validators.modifiedSeconds <= secondsOf(ifModifiedSince);
};

/** Whether the client goes on only with a form that it has, and has another. */
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

/** A part that was begun from another form is not gone on with: the tag or date must be this one, to the letter. */
const isSamePart = ({ ifRange }: ConditionalHeaders, validators: Validators): boolean =>
  ifRange === '' || ifRange === validators.etag || secondsOf(ifRange) === validators.modifiedSeconds;

/** The one range that is asked for; null for the whole page (no range, several, or one of another form); `none` when there is nothing there. */
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
