/** The beginning of what a receiver answered, for the log of deliveries. */

const MOST_CHARS = 200;
const READABLE = /^(?:text\/|application\/(?:[a-z.+-]*\+)?json\b)/i;
/** What looks like a secret, a token or a signature is not kept, whoever's it is. */
const SECRET = /whsec_[\w+/=-]*|\bv1a?,[\w+/=]+|\bbearer\s+\S+|[\w+/-]{32,}={0,2}/gi;

/** Text only, on one line, with anything that could be secret taken out; "" otherwise. */
export const excerptOf = (contentType: string, body: Uint8Array): string => {
  if (!READABLE.test(contentType)) return '';
  const text = new TextDecoder().decode(body.subarray(0, 4 * MOST_CHARS)).replaceAll('\uFFFD', '');
  // Cut only when it is clean: half a secret is one too.
  const clean = text
    .replace(SECRET, '…')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return clean.slice(0, MOST_CHARS);
};
