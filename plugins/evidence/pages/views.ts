/** Builds the view of a source for pages by translating the codes of a row into words. Every page that cites sources uses it. */
import { createHash } from 'node:crypto';
import type { ScholarlyArticle } from 'schema-dts';
import { type Static, Type } from 'typebox';
import { DESIGN_POINTS } from '../grading/formula.ts';
import { TIER_LABELS, type Tier } from '../schemas.ts';
import type { TopicFinding } from '../source-record.ts';
import { abstractOrSummary, addressOf, directionIsJudged, type SourceRow } from '../source-view.ts';
import { basisInWords, detailsInWords, doubtOf, findingOn, type PageQuestion } from './basis-words.ts';

export const DIRECTION_CODES = ['positive', 'null', 'negative', 'mixed', 'unclear'] as const;
export type DirectionCode = (typeof DIRECTION_CODES)[number];

/** Directions in words for readers; the code describes the effect of the supplement on the measured outcome. */
export const DIRECTION_WORDS: Readonly<Record<DirectionCode, string>> = {
  positive: 'In favour',
  null: 'No difference',
  negative: 'Against',
  mixed: 'Mixed',
  unclear: 'Unclear',
};

/**
 * Weight of one source in the balance of evidence, by tier; each tier weighs twice as much as the next. Pages print these
 * figures.
 */
export const TIER_WEIGHTS: Readonly<Record<Tier, number>> = { A: 8, B: 4, C: 2, D: 1 };

/** Singular names of source classes; classes not listed here are shown unchanged. */
export const CLASS_WORDS: Readonly<Record<string, string>> = {
  pubmed_article: 'Article',
  systematic_review: 'Systematic review',
  clinical_trial: 'Trial register entry',
  guideline: 'Guideline',
  preprint: 'Preprint',
  regulatory: 'Regulatory document',
  monograph: 'Monograph',
  label: 'Product label',
  adverse_event: 'Adverse event report',
};

const FUNDING_WORDS: Readonly<Record<string, string>> = {
  industry: 'paid for by industry',
  public: 'publicly funded',
  mixed: 'public and industry funding',
  none: 'no outside funding',
};

const NOTICE_WORDS: Readonly<Record<string, string>> = {
  retracted: 'Retracted',
  concern: 'Expression of concern',
  corrected: 'Corrected since',
};

export const TierView = Type.Object({ letter: Type.String({ enum: ['A', 'B', 'C', 'D'] }), word: Type.String() });
export const DirectionView = Type.Object({ code: Type.String({ enum: [...DIRECTION_CODES] }), word: Type.String() });
export const LinkView = Type.Object({ name: Type.String(), href: Type.String() });
export type LinkView = Static<typeof LinkView>;
/** A tier, or null when no countable source remains. */
export const OptionalTier = Type.Union([TierView, Type.Null()]);
export const CrumbList = Type.Array(LinkView);

export const SourceView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  authors: Type.String(),
  journal: Type.String(),
  year: Type.Union([Type.Integer(), Type.Null()]),
  issue: Type.String(),
  design: Type.String(),
  people: Type.String(),
  population: Type.String(),
  tier: TierView,
  direction: DirectionView,
  funding: Type.String(),
  text: Type.String(),
  textLabel: Type.String(),
  /** Origin of the design, size and population, in words. */
  basis: Type.String(),
  /** Address of the newer version of this review or notice; "" for none. */
  newer: Type.String(),
  retracted: Type.Boolean(),
  /** "Retracted", "Expression of concern", "Corrected since", or "". */
  notice: Type.String(),
  href: Type.String(),
  links: Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), href: Type.String() })),
});
export type SourceView = Static<typeof SourceView>;

export const tierView = (letter: Tier): Static<typeof TierView> => ({ letter, word: TIER_LABELS[letter] });
export const directionView = (code: string): Static<typeof DirectionView> => {
  const known = DIRECTION_CODES.find((direction) => direction === code) ?? 'unclear';
  return { code: known, word: DIRECTION_WORDS[known] };
};

/** Replaces the direction when every source of a statement was retracted. */
export const RETRACTED_DIRECTION: Static<typeof DirectionView> = { code: 'unclear', word: 'Retracted' };

type DesignFields = Pick<SourceRow, 'evidenceLevel' | 'breakdown'>;
const OTHER_LABELS = new Set(Object.values(DESIGN_POINTS).map(({ label }) => label));

/**
 * Returns the design in words, such as "Randomised controlled trial"; for the level `other`, reads the design from the score
 * breakdown.
 */
export const designOf = ({ evidenceLevel, breakdown }: DesignFields): string => {
  const known = DESIGN_POINTS[evidenceLevel as keyof typeof DESIGN_POINTS];
  if (known) return known.label;
  const reason = breakdown.find(({ part }) => part === 'design')?.reason ?? '';
  const label = reason.split(', according to ')[0] ?? '';
  return OTHER_LABELS.has(label) ? label : 'Other design';
};

type SizeFields = Pick<SourceRow, 'sampleSize' | 'species'>;

/**
 * Returns the sample size in words, such as "86 people", "1,208 people in 12 studies" or "24 animals", or the reason why there is
 * no number.
 */
export const peopleOf = ({ sampleSize, species }: SizeFields): string => {
  if (species === 'in_vitro') return 'cells, no people';
  const noun = species === 'animal' ? 'animals' : species === 'human' ? 'people' : 'subjects';
  if (!sampleSize) return species === 'animal' ? 'animals, no people' : 'number not stated';
  if (/stud(y|ies)$/.test(sampleSize) && !sampleSize.includes(' in ')) return sampleSize;
  return sampleSize.replace(
    /^[\d,.]+/,
    (figure) => `${figure} ${figure === '1' && noun === 'people' ? 'person' : noun}`,
  );
};

const SHOWN_AUTHORS = 3;
const authorsOf = (authors: readonly string[]): string =>
  authors.length > SHOWN_AUTHORS ? `${authors.slice(0, SHOWN_AUTHORS).join(', ')}, et al.` : authors.join(', ');

const issueOf = ({ volume, issue, pages }: Pick<SourceRow, 'volume' | 'issue' | 'pages'>): string =>
  `${volume}${issue && `(${issue})`}${pages && `${volume ? ':' : ''}${pages}`}`;

const linksOf = ({ pmid, doi, nctId }: Pick<SourceRow, 'pmid' | 'doi' | 'nctId'>): SourceView['links'] => [
  ...(pmid ? [{ kind: 'PMID', id: pmid, href: addressOf({ pmid, doi: '', nctId: '' }) }] : []),
  ...(doi ? [{ kind: 'DOI', id: doi, href: addressOf({ pmid: '', doi, nctId: '' }) }] : []),
  ...(nctId ? [{ kind: 'Trial', id: nctId, href: addressOf({ pmid: '', doi: '', nctId }) }] : []),
];

/** Returns the label of the text under a source, which states its origin: our own summary or the abstract. */
const textLabelOf = (row: Pick<SourceRow, 'summary' | 'abstract' | 'read'>, text: string): string => {
  if (!text) return '';
  if (row.summary)
    return row.read === 'full_text'
      ? 'Our summary of the abstract and parts of the full text'
      : 'Our summary of the abstract';
  return text === row.abstract ? 'Abstract' : 'From the abstract';
};

/** Returns the direction of a source on its main outcome and who determined it. */
const directionShown = (row: SourceRow): Static<typeof DirectionView> => {
  if (directionIsJudged(row)) return directionView(row.effectDirection);
  const found = findingOn(row, { supplement: row.supplements[0] ?? '', topic: row.topics[0] ?? '' });
  return found ? directionRead(found) : NOT_JUDGED;
};

const directionRead = (found: TopicFinding): Static<typeof DirectionView> => {
  const { code, word } = directionView(found.direction);
  return { code, word: `${word}${doubtOf(found)}` };
};

/**
 * Returns a function that builds the view of a source on the page of one question, with its direction on that question if one was
 * read.
 */
export const sourceViewOn =
  (question: PageQuestion) =>
  (row: SourceRow): SourceView => {
    const view = toSourceView(row);
    if (row.read) return view;
    const found = findingOn(row, question);
    const basis = [view.basis, detailsInWords(row, question)].filter(Boolean).join(' ');
    return { ...view, basis, ...(found && { direction: directionRead(found) }) };
  };

/** Returns the URL of the newer version, from a reference such as `pmid:1` or `doi:10.…`. */
const newerOf = (ref: string): string => {
  const [kind, ...rest] = ref.split(':');
  const id = rest.join(':');
  return ref && addressOf({ pmid: kind === 'pmid' ? id : '', doi: kind === 'doi' ? id : '', nctId: '' });
};

export const toSourceView = (row: SourceRow): SourceView => {
  const text = abstractOrSummary(row);
  return {
    id: row.sourceId,
    title: /[.?!]$/.test(row.title) ? row.title : `${row.title}.`,
    authors: authorsOf(row.authors),
    journal: row.journal,
    year: row.year,
    issue: issueOf(row),
    design: designOf(row),
    people: peopleOf(row),
    population: row.population,
    tier: tierView(row.qualityTier),
    direction: directionShown(row),
    funding: FUNDING_WORDS[row.funding] ?? '',
    text,
    textLabel: textLabelOf(row, text),
    basis: basisInWords(row),
    newer: newerOf(row.supersededBy),
    retracted: row.retractionStatus === 'retracted',
    notice: NOTICE_WORDS[row.retractionStatus] ?? '',
    href: addressOf(row),
    links: linksOf(row),
  };
};

/**
 * Returns the direction if an editor judged it, otherwise `unclear`. A direction that a program read is shown with its
 * uncertainty but never counted.
 */
export const judgedDirection = (row: Pick<SourceRow, 'read' | 'effectDirection' | 'basis'>): string =>
  directionIsJudged(row) ? row.effectDirection : 'unclear';

const NOT_JUDGED = { code: 'unclear', word: 'Direction not judged by an editor yet' };

type Strength = Pick<SourceRow, 'qualityScore' | 'year' | 'sourceId'>;

/** Compares by strength (descending), year (descending) and id. Every page lists sources in this order. */
export const byStrength = (a: Strength, b: Strength): number =>
  b.qualityScore - a.qualityScore || (b.year ?? 0) - (a.year ?? 0) || (a.sourceId < b.sourceId ? -1 : 1);

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
/** Compares by name with a fixed locale, so that the order is the same on every machine. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);

/**
 * Converts a name for use inside a sentence: "Sleep" becomes "sleep"; "HIV", "L-arginine", "St John's wort" and "Parkinson's
 * disease" keep their capital.
 */
export const inSentence = (name: string): string =>
  /^[A-Z][a-z]/.test(name) && !/^(St |Chinese|Helicobacter|Alzheimer|Parkinson|Crohn|Graves)/.test(name)
    ? `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    : name;

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** Formats a date or RFC 3339 time as "20 November 2026", in UTC. */
export const dayInWords = (date: Date | string): string => dayFormat.format(new Date(date));

/** Changes of a page, newest first. */
export const HistoryView = Type.Array(Type.Object({ day: Type.String(), text: Type.String() }));

/**
 * Builds the history view, newest first.
 * @param changes days as `2026-11-22`, with one sentence each
 */
export const historyView = (
  changes: readonly { readonly date: string; readonly what: string }[] = [],
): Static<typeof HistoryView> =>
  changes
    .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
    .map(({ date, what }) => ({ day: dayInWords(`${date}T00:00:00Z`), text: what }));

/** Returns the latest of the given RFC 3339 times, or null when there is none. */
export const latest = (times: readonly (string | null | undefined)[]): string | null =>
  times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1) ?? null;

/** Returns a version for a page instance: a hash of the values that it shows. */
export const versionOf = (...shown: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 20);

/** Builds the JSON-LD citation of a source. */
export const scholarly = ({ title, authors, journal, year, href, links }: SourceView): ScholarlyArticle => ({
  '@type': 'ScholarlyArticle',
  name: title,
  ...(authors && { author: authors }),
  ...(journal && { isPartOf: { '@type': 'Periodical', name: journal } }),
  ...(year && { datePublished: String(year) }),
  identifier: links.map(({ kind, id }) => ({ '@type': 'PropertyValue', propertyID: kind, value: id })),
  ...(href && { '@id': href, url: href }),
});

export { breadcrumbs } from '#core/render/structured-data.ts';
