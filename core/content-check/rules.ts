/** The rules of `npm run content:check`, which find errors in content/ that a schema cannot detect. */
import { figuresIn } from './figures.ts';
import { lix } from './reading-level.ts';
import type { LineFinder, Named, Offer, Passage, Reviewed } from './reviewed.ts';

export interface Finding {
  readonly path: string;
  readonly line: number | null;
  readonly field: string;
  readonly words: string;
}

/** One file of content/, as its plugin parsed it. */
export interface ReviewedFile extends Reviewed {
  readonly path: string;
  /** Number of words that readers see. */
  readonly words: number;
}

export type Offers = ReadonlyMap<string, Offer>;

type Found = readonly { readonly field: string; readonly line: LineFinder; readonly words: string }[];
type PassageRule = (passage: Passage, offers: Offers) => Found;

/** Promises, and orders: the reader and a doctor decide whether something helps. */
const PROMISES = /\b(cures?|miracle|guaranteed?|clinically proven|proven to|100% safe|completely safe)\b/i;
const ORDERS = /(^|[.!?]\s+)(take|try|use|avoid|consult) (your|a|it|this|the|one|\d)/i;

/** Maximum LIX (see reading-level.ts). The measure is unreliable for short passages. */
const HARDEST_LIX = 65;
const FEWEST_WORDS = 40;

/** Looks up an offer; DOIs are case-insensitive. */
const offerOf = (id: string, offers: Offers): Offer | undefined =>
  offers.get(id.startsWith('doi:') ? id.toLowerCase() : id);

const isAddress = (id: string): boolean => /^https?:/.test(id) || id.startsWith('/');

const citesWhatIsThere: PassageRule = ({ cites, field, line, subject, isSource }, offers) =>
  cites.flatMap((id) => {
    if (isAddress(id)) return [];
    const offer = offerOf(id, offers);
    if (!offer) return [{ field, line, words: `nothing in content/ is ${id}` }];
    if (offer.isUnread) return [{ field, line, words: `${id} is listed, and nobody has read it: it cannot be cited` }];
    if (subject && !isSource && offer.about && !offer.about.includes(subject))
      return [{ field, line, words: `${id} does not name ${subject} among what it is about` }];
    return [];
  });

const hasASource: PassageRule = ({ role, cites, field, line, text, unfounded = [] }) => {
  if (unfounded.length) {
    const words = `nothing that the page lists is about ${unfounded.join(', ')}: “${shortened(text)}”`;
    return [{ field, line, words }];
  }
  return role === 'claim' && !cites.length ? [{ field, line, words: `no source for “${shortened(text)}”` }] : [];
};

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

const saysWhatItsSourcesSay: PassageRule = ({ cites, field, line, text, isSource, role }, offers) => {
  // Text that only an authority's web page contains is not stored here.
  if (isSource || role !== 'claim' || !cites.length || cites.some(isAddress)) return [];
  const said = figuresIn(cites.map((id) => offerOf(id, offers)?.says ?? '').join(' '));
  const made = [...figuresIn(text)].filter((figure) => !said.has(figure));
  if (!made.length) return [];
  return [
    { field, line, words: `${made.join(', ')} stands in nothing stored of ${cites.join(', ')}: “${shortened(text)}”` },
  ];
};

const saysWhomItIsAbout: PassageRule = ({ cites, field, line, text, role, isSource }, offers) =>
  role !== 'claim' || isSource
    ? []
    : cites.flatMap((id) => {
        const { words, because } = offerOf(id, offers)?.mustSay ?? {};
        return words && !words.test(text)
          ? [{ field, line, words: `${id} ${because}, and the text does not say so: “${shortened(text)}”` }]
          : [];
      });

const promisesNothing: PassageRule = ({ text, role, field, line }) => {
  const found = PROMISES.exec(text) ?? (role === 'advice' ? null : ORDERS.exec(text));
  return found ? [{ field, line, words: `“${found[0].trim()}” promises or orders` }] : [];
};

const canBeRead: PassageRule = ({ text, role, field, line }) => {
  // Claims of a text are parts of its sentences; the whole text is a passage of its own.
  if ((role === 'claim' && field === 'text') || text.split(' ').length < FEWEST_WORDS) return [];
  const level = lix(text);
  return level > HARDEST_LIX
    ? [
        {
          field,
          line,
          words: `is hard to read (LIX ${Math.round(level)}, ${HARDEST_LIX} at most): shorter sentences and words`,
        },
      ]
    : [];
};

const RULES: readonly PassageRule[] = [
  citesWhatIsThere,
  hasASource,
  saysWhatItsSourcesSay,
  saysWhomItIsAbout,
  promisesNothing,
  canBeRead,
];

const unknownNames = (names: readonly Named[], offers: Offers): Found =>
  names
    .filter(({ id }) => !offers.has(id))
    .map(({ id, field, line }) => ({ field, line, words: `nothing in content/ is ${id}` }));

/** Finds review dates in the future, and dates in the text that are later than the last edit. */
const comesLater = ({ reviewedAt = [], toldDays = [] }: Reviewed, today: string): Found => {
  const last = [...reviewedAt].sort().at(-1) ?? today;
  const late = reviewedAt.find((day) => day > today);
  const words = [
    ...(late ? [`${late} is still to come`] : []),
    ...toldDays.filter((day) => day > last).map((day) => `${day} is later than the last edit, ${last}`),
  ];
  return words.map((word) => ({ field: 'updated_at', line: () => null, words: word }));
};

/**
 * Returns all findings in one file.
 * @param today as `2026-11-22`
 */
export const findingsIn = (file: ReviewedFile, offers: Offers, today: string): Finding[] => {
  const found = [
    ...unknownNames(file.names, offers),
    ...file.passages.flatMap((passage) => RULES.flatMap((rule) => rule(passage, offers))),
    ...comesLater(file, today),
  ];
  return found.map(({ field, line, words }) => ({ path: file.path, line: line(), field, words }));
};
