/** Checks one supplement with one drug, for GET /api/interactions/check and the form on the page. */
import { isExplained } from '#plugins/vocabulary/index.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import {
  AUTHORITIES,
  NOT_FOUND_MESSAGE,
  NOTHING_CHECKED_MESSAGE,
  TWO_MEDICINES_MESSAGE,
  TWO_SUPPLEMENTS_MESSAGE,
} from '../rules/severity-labels.ts';
import { findingJson, otherFormsJson } from './finding.ts';
import type { Looked } from './lookup.ts';
import { isSure, type Named, type Names, namedJson, type Unresolved } from './names.ts';
import { type PairReading, readPair } from './reading.ts';
import type { CheckStatus } from './schemas.ts';

export interface CheckRequest {
  readonly supplement: string;
  readonly drug: string;
}

interface Meanings {
  readonly supplement: readonly Named[];
  readonly drug: readonly Named[];
}

const describe = (named: Named): string => {
  if (named.type === 'class') return `“${named.input}” is a group of medicines`;
  if (named.type === 'drug') return `“${named.input}” is a medicine`;
  if (named.subject.kind === 'supplement') return `“${named.input}” is a supplement`;
  const kind = named.subject.substanceKind;
  return isExplained(kind) ? `“${named.input}” is a ${kind}` : `“${named.input}” is a ${kind} substance`;
};

const isIn = (list: keyof Meanings, { type }: Named): boolean => (type === 'subject') === (list === 'supplement');

/** Returns a hint if a name was given in the wrong place; null if both are in the right place or unknown. */
const hintOf = (supplement: Named | null, drug: Named | null): string | null => {
  const wrong = [
    supplement && !isIn('supplement', supplement) ? supplement : null,
    drug && !isIn('drug', drug) ? drug : null,
  ].filter((named) => named !== null);
  if (!wrong.length) return null;
  const words = wrong.map(describe).join(', and ');
  if (wrong.length === 2) return `${words}: the two were given the other way round, and were checked as what they are.`;
  if (!supplement || !drug) return `${words}. Give what it is to be checked with beside it.`;
  return wrong[0] === supplement
    ? `${words}. Two medicines are not checked here: ask a pharmacist.`
    : `${words}, not a medicine: two supplements or foods were checked with each other.`;
};

/** Builds the response for a pair without a record; it refers to authorities if the pair is outside our coverage. */
const notCovered = (supplement: Named, drug: Named) => {
  if (supplement.type !== 'subject' && drug.type !== 'subject')
    return { status: 'not_covered' as const, message: TWO_MEDICINES_MESSAGE, authorities: [...AUTHORITIES] };
  if (supplement.type === 'subject' && drug.type === 'subject')
    return { status: 'no_record' as const, message: TWO_SUPPLEMENTS_MESSAGE, authorities: [...AUTHORITIES] };
  return { status: 'no_record' as const, message: NOT_FOUND_MESSAGE };
};

const notFound = (looked: Pick<Looked, 'coverage' | 'exceptions' | 'otherForms'>) => ({
  found: false as const,
  status: 'unresolved' as CheckStatus,
  checked: true as const,
  coverage: looked.coverage,
  known_exceptions: looked.exceptions.map(({ drug, note, rule }) => ({
    drug,
    note,
    of_rule: rule.slug,
    class: rule.target.name,
  })),
  ...otherFormsJson(looked),
  message: NOT_FOUND_MESSAGE,
  disclaimer_url: '/disclaimer',
  searched_at: new Date().toISOString(),
});

const NOTHING_LOOKED = { coverage: 'none', exceptions: [], otherForms: [] } as const;

/** Builds the response for two known names: the rules between them. */
const answerFor = (book: InteractionBook, { pair: [supplement, drug], looked }: PairReading) => {
  const named = { supplement: namedJson(supplement), drug: namedJson(drug) };
  const confidence = Math.min(supplement.confidence, drug.confidence);
  const unsure = !isSure(supplement) || !isSure(drug);
  if (!looked?.hits.length) {
    const none = { ...notFound(looked ?? NOTHING_LOOKED), ...notCovered(supplement, drug) };
    return { ...none, resolved: named, confidence, needs_confirmation: unsure, instead: null };
  }
  return {
    found: true as const,
    status: 'found' as CheckStatus,
    checked: true as const,
    ...named,
    ...findingJson(book, [supplement, drug], looked),
    resolved: named,
    searched_at: new Date().toISOString(),
  };
};

const suggestionsFor = async (names: Names, meanings: Meanings, request: CheckRequest) => {
  const lists: Unresolved['suggestions'][] = [];
  for (const field of ['supplement', 'drug'] as const)
    if (!meanings[field].some(isSure)) lists.push(await names.near(request[field], 'any'));
  return lists.flat();
};

/** Checks a request. Unknown names, swapped names and missing input give a regular response, not an error. */
export const check = async (book: InteractionBook, names: Names, given: CheckRequest) => {
  const request = { supplement: given.supplement.trim(), drug: given.drug.trim() };
  if (!request.supplement || !request.drug)
    return { found: false as const, checked: false as const, message: NOTHING_CHECKED_MESSAGE };
  const meanings: Meanings = {
    supplement: await names.meanings(request.supplement, 'subject'),
    drug: await names.meanings(request.drug, 'drug'),
  };
  const suggestions = await suggestionsFor(names, meanings, request);
  const reading = readPair(book, meanings.supplement, meanings.drug);
  if (reading) {
    const [given, other] = [request.supplement, request.drug].map(
      (input) => reading.pair.find((named) => named.input === input) ?? null,
    );
    return { ...answerFor(book, reading), suggestions, hint: hintOf(given ?? null, other ?? null) };
  }
  const [supplement = null] = meanings.supplement;
  const [drug = null] = meanings.drug;
  return {
    ...notFound(NOTHING_LOOKED),
    resolved: { supplement: supplement && namedJson(supplement), drug: drug && namedJson(drug) },
    suggestions,
    hint: hintOf(supplement, drug),
    instead: null,
    needs_confirmation: true,
  };
};

export type CheckAnswer = Awaited<ReturnType<typeof check>>;
