/** Converts markup to readable text: decodes entities, removes inline tags and control characters, and collapses whitespace. */

const named: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '',
  ndash: '–', mdash: '—', hyphen: '-', minus: '−', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…',
  plusmn: '±', times: '×', divide: '÷', middot: '·', deg: '°', micro: 'µ', le: '≤', ge: '≥', ne: '≠', asymp: '≈',
  infin: '∞', prime: '′', Prime: '″', frac12: '½', frac14: '¼', sup2: '²', sup3: '³', copy: '©', reg: '®', trade: '™',
  bull: '•', dagger: '†', Dagger: '‡', sect: '§', para: '¶', rarr: '→', larr: '←', uarr: '↑', darr: '↓', sim: '∼',
  alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', zeta: 'ζ', eta: 'η', theta: 'θ', kappa: 'κ', lambda: 'λ',
  mu: 'μ', nu: 'ν', xi: 'ξ', pi: 'π', rho: 'ρ', sigma: 'σ', tau: 'τ', phi: 'φ', chi: 'χ', psi: 'ψ', omega: 'ω',
  Gamma: 'Γ', Delta: 'Δ', Theta: 'Θ', Lambda: 'Λ', Sigma: 'Σ', Phi: 'Φ', Psi: 'Ψ', Omega: 'Ω',
  agrave: 'à', aacute: 'á', acirc: 'â', atilde: 'ã', auml: 'ä', aring: 'å', aelig: 'æ', ccedil: 'ç', egrave: 'è',
  eacute: 'é', ecirc: 'ê', euml: 'ë', igrave: 'ì', iacute: 'í', icirc: 'î', iuml: 'ï', ntilde: 'ñ', ograve: 'ò',
  oacute: 'ó', ocirc: 'ô', otilde: 'õ', ouml: 'ö', oslash: 'ø', szlig: 'ß', ugrave: 'ù', uacute: 'ú', ucirc: 'û',
  uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', Aring: 'Å', Oslash: 'Ø', Eacute: 'É', Ccedil: 'Ç',
}; // biome-ignore format: a table

const codePoint = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

const decoded = (whole: string, body: string): string => {
  if (!body.startsWith('#')) return Object.hasOwn(named, body) ? (named[body] ?? whole) : whole;
  return codePoint(/^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10));
};

/** Decodes one level of numeric and common named references; leaves unknown names unchanged. */
export const decodeReferences = (text: string): string =>
  text.includes('&') ? text.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,10});/g, decoded) : text;

// Only known inline markup tags are removed, so that "p <0.05 and n> 30" is preserved.
const inlineTags =
  /<\/?(?:i|b|u|em|strong|sup|sub|italic|bold|sc|underline|span|font|p|br|div|jats:[a-z-]+|mml:[a-z]+)(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*\/?>/gi;

// Control characters, soft hyphen, zero-width space, bidirectional controls, byte order mark, noncharacters.
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]|(?![\t-\r])\p{Cc}/gu;

/** Returns one line of plain, well-formed Unicode text. */
export const cleanText = (text: string): string => {
  const plain = decodeReferences(text);
  const bare = plain.includes('<') ? plain.replace(inlineTags, '') : plain;
  return bare.replace(invisible, '').replace(/\s+/g, ' ').trim().toWellFormed();
};

/**
 * Removes the given characters from the end of a text. A pattern such as `[,;]+$` would also try every run of them within the
 * text.
 */
export const trimEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
};

/** Returns the text before the first occurrence of the character, or the whole text without one. */
export const upTo = (text: string, character: string): string => {
  const at = text.indexOf(character);
  return at < 0 ? text : text.slice(0, at);
};

/** Returns the distinct non-empty cleaned texts in order. */
export const cleanList = (texts: Iterable<string>): string[] => {
  const distinct = new Set<string>();
  for (const text of texts) {
    const clean = cleanText(text);
    if (clean !== '') distinct.add(clean);
  }
  return [...distinct];
};

/** Cuts a text to at most `length` UTF-16 code units without splitting a surrogate pair. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Ends a statement with a full stop, so that statements can follow each other. */
export const asSentence = (text: string): string => (text === '' || /[.!?;]$/.test(text) ? text : `${text}.`);

/** Returns whether a title has the prefix with which publishers mark a retracted paper. */
export const titleSaysRetracted = (title: string): boolean =>
  /^\W{0,3}retracted(?: article| paper)?\s*[:.\])-]/i.test(title) ||
  /\((?:this article was )?retracted(?: article)?[.):]/i.test(title);
