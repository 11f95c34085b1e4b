/** Attributes quotes with fixed sentences that are filled from the fields of a record. Nothing here states a finding. */
import { designOf, peopleOf, type SourceRow } from '#plugins/evidence/index.ts';
import type { EvidenceItem } from './evidence-item.ts';
import { peopleStudied } from './people-studied.ts';
import type { AskRequest } from './port.ts';

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const PLAIN_DESIGN: Readonly<Record<string, string>> = {
  meta_analysis: 'a review that pooled several studies',
  systematic_review: 'a systematic review of studies',
  rct: 'a randomised trial',
  cohort: 'a study that followed people over time',
  case_control: 'a study that compared people with and without a condition',
  cross_sectional: 'a survey at one point in time',
  case_report: 'a case report',
  guideline: 'a guideline',
  expert_opinion: 'an opinion or overview article',
  animal: 'a study in animals',
  in_vitro: 'a laboratory study in cells',
};

const NO_SIZE = new Set(['number not stated', 'animals, no people', 'cells, no people']);

/** Returns the size as " with 60 people", or an empty string when it is unknown or means nothing. */
const sizeOf = (row: SourceRow): string => {
  const people = peopleOf(row);
  if (/stud(?:y|ies)$/.test(people) && !people.includes(' in ')) return ` covering ${people}`;
  return NO_SIZE.has(people) || row.evidenceLevel === 'guideline' ? '' : ` with ${people}`;
};

const OTHERS: Readonly<Record<string, string>> = { 'Other design': 'a study', 'Design not recognised': 'a study' };

const designWords = (row: SourceRow): string => {
  const plain = PLAIN_DESIGN[row.evidenceLevel];
  if (plain) return plain;
  const label = designOf(row);
  return OTHERS[label] ?? `a ${lowerFirst(label)}`;
};

const upperFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const VERBS: Readonly<Record<EvidenceItem['quote']['from'], string>> = {
  summary: 'in our summary',
  abstract: 'in its abstract',
  title: 'by its title',
};

const NOTICES: Readonly<Record<string, string>> = {
  concern: ', with an expression of concern',
  corrected: ', corrected since',
};

/** Returns the population as "; studied: pregnant women with leg cramps", escaped so that it forms no link or mark. */
const studied = (row: SourceRow): string => {
  const people = peopleStudied(row);
  return people ? `; studied: ${asMarkdown(people)}` : '';
};

/** Returns the other supplements that were given or compared: a finding on two supplements does not apply to one of them. */
const supplementsIn = ({ supplements }: SourceRow): string =>
  supplements.length > 1 && supplements.length < 6
    ? `; on ${supplements.map((slug) => slug.replaceAll('-', ' ')).join(', ')}`
    : supplements.length > 5
      ? `; on ${supplements.length} supplements`
      : '';

const COMPARED: Readonly<Record<string, string>> = {
  forms: '; compared forms or doses with each other, with nobody going without',
  active: '; compared with another treatment, not with a placebo',
  not_given: '; the supplement was measured, not given',
};
const compared = (row: SourceRow & { readonly compares?: string }): string => COMPARED[row.compares ?? ''] ?? '';

/**
 * Returns the attribution for consumers: "A randomised trial with 60 people (2019; studied: pregnant women), in our summary".
 */
const forConsumer = (row: SourceRow): string => {
  const more = `${row.year ?? ''}${supplementsIn(row)}${studied(row)}${compared(row)}`.replace(/^; /, '');
  return `${upperFirst(designWords(row))}${sizeOf(row)}${more ? ` (${more})` : ''}`;
};

const idOf = ({ pmid, doi, nctId }: SourceRow): string => (pmid ? `PMID ${pmid}` : doi ? `doi ${doi}` : nctId);

/** Returns the attribution for clinicians: "Randomised controlled trial, 60 people, 2019, tier B, PMID 31517876". */
const forClinician = (row: SourceRow): string =>
  [designOf(row), peopleOf(row), row.year ?? '', `tier ${row.qualityTier}`, idOf(row)].filter(Boolean).join(', ') +
  supplementsIn(row) +
  studied(row) +
  compared(row);

/**
 * Escapes Markdown marks and tags with backslashes and replaces line ends by spaces. The citation contains the verbatim text.
 */
export const asMarkdown = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]]|<(?=[A-Za-z/!?])/g, '\\$&');

/** Returns the attribution followed by the quote. */
export const attributedQuote = ({ row, quote }: EvidenceItem, audience: AskRequest['audience']): string => {
  const who = audience === 'clinician' ? forClinician(row) : forConsumer(row);
  const notice = NOTICES[row.retractionStatus] ?? '';
  return `${who}${notice}, ${VERBS[quote.from]}: “${asMarkdown(quote.text)}”`;
};
