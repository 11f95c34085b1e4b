/** Extracts the beginning of a receiver's response for the log of deliveries. */

const MOST_CHARS = 200;
const READABLE = /^(?:text\/|application\/(?:[a-z.+-]*\+)?json\b)/i;
/** Matches text that resembles a secret, a token or a signature; it is never stored, whoever it belongs to. */
const SECRET = /whsec_[\w+/=-]*|\bv1a?,[\w+/=]+|\bbearer\s+\S+|[\w+/-]{32,}={0,2}/gi;

/** Returns the text on one line without anything that could be secret, or "" when the response is not text. */
export const excerptOf = (contentType: string, body: Uint8Array): string => {
  if (!READABLE.test(contentType)) return '';
  const text = new TextDecoder().decode(body.subarray(0, 4 * MOST_CHARS)).replaceAll('\uFFFD', '');
  // The text is truncated only after redaction, because a part of a secret is also sensitive.
  const clean = text
    .replace(SECRET, '…')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return clean.slice(0, MOST_CHARS);
};
