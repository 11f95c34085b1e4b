/** One supplement with one drug: the answer of GET /api/interactions/check and of the form on the page. */
import type { InteractionBook } from '../book/interaction-book.ts';
import { NOT_FOUND_MESSAGE, NOTHING_CHECKED_MESSAGE } from '../rules/words.ts';
import { findingJson } from './finding.ts';
import { type Looked, lookUp } from './lookup.ts';
import { isSure, type Named, type Names, namedJson, type Unresolved } from './names.ts';

export interface CheckRequest {
  readonly supplement: string;
  readonly drug: string;
}

interface Meanings {
  readonly supplement: Named | null;
  readonly drug: Named | null;
}

/** Each name in its own list first; what is not there may stand in the other one by its right name, which is said. */
const meaningsOf = async (names: Names, { supplement, drug }: CheckRequest) => {
  const own: Meanings = { supplement: await names.subject(supplement), drug: await names.drug(drug) };
  const other: Meanings = {
    supplement: own.supplement ? null : await names.any(supplement, 'subject'),
    drug: own.drug ? null : await names.any(drug, 'drug'),
  };
  return { own, other };
};

const describe = (named: Named): string => {
  if (named.type === 'class') return `“${named.input}” is a group of medicines`;
  if (named.type === 'drug') return `“${named.input}” is a medicine`;
  if (named.subject.kind === 'supplement') return `“${named.input}” is a supplement`;
  const kind = named.subject.substanceKind;
  return kind === 'food' ? `“${named.input}” is a food` : `“${named.input}” is a ${kind} substance`;
};

/** Helps who put a name in the wrong place; "" when both are where they belong or are unknown. */
const hintOf = ({ own, other }: { own: Meanings; other: Meanings }): string => {
  const wrong = [other.supplement, other.drug].filter((named) => named !== null);
  if (!wrong.length) return '';
  const words = wrong.map(describe).join(', and ');
  if (other.supplement && other.drug) return `${words}: the two were given the wrong way round.`;
  if (other.supplement) {
    return own.drug
      ? `${words}. Two medicines are not checked here: ask a pharmacist.`
      : `${words}. Give it as the drug, and a supplement beside it.`;
  }
  return own.supplement
    ? `${words}, not a medicine. Supplements are checked with each other by the stack form.`
    : `${words}. Give it as the supplement, and a medicine as the drug.`;
};

const notFound = (looked: Pick<Looked, 'coverage' | 'exceptions'>) => ({
  found: false as const,
  checked: true as const,
  coverage: looked.coverage,
  known_exceptions: looked.exceptions.map(({ drug, note, rule }) => ({
    drug,
    note,
    of_rule: rule.slug,
    class: rule.target.name,
  })),
  message: NOT_FOUND_MESSAGE,
  disclaimer_url: '/disclaimer',
  searched_at: new Date().toISOString(),
});

const NOTHING_LOOKED = { coverage: 'none', exceptions: [] } as const;

/** Both names are known: what stands between them. */
const answerFor = (book: InteractionBook, supplement: Named, drug: Named, looked: Looked) => {
  const named = { supplement: namedJson(supplement), drug: namedJson(drug) };
  const confidence = Math.min(supplement.confidence, drug.confidence);
  const unsure = !isSure(supplement) || !isSure(drug);
  if (!looked.hits.length) return { ...notFound(looked), resolved: named, confidence, needs_confirmation: unsure };
  return {
    found: true as const,
    checked: true as const,
    ...named,
    ...findingJson(book, [supplement, drug], looked),
    resolved: named,
    searched_at: new Date().toISOString(),
  };
};

const suggestionsFor = async (names: Names, { own }: { own: Meanings }, request: CheckRequest) => {
  const lists: Unresolved['suggestions'][] = [];
  if (!own.supplement) lists.push(await names.near(request.supplement, 'any'));
  else if (!isSure(own.supplement)) lists.push(await names.near(request.supplement, 'subject'));
  if (!own.drug) lists.push(await names.near(request.drug, 'any'));
  else if (!isSure(own.drug)) lists.push(await names.near(request.drug, 'drug'));
  return lists.flat();
};

/** What the two mean when each is taken for what it is; null when that cannot be checked. */
const insteadOf = (book: InteractionBook, { own, other }: { own: Meanings; other: Meanings }) => {
  const [a, b] = [own.supplement ?? other.supplement, own.drug ?? other.drug];
  const looked = a && b ? lookUp(book, a, b) : null;
  if (!a || !b || !looked) return null;
  return a.type === 'subject' ? answerFor(book, a, b, looked) : answerFor(book, b, a, looked);
};

/** Answers a check; unknown names, misplaced names and nothing given are answers too. */
export const check = async (book: InteractionBook, names: Names, given: CheckRequest) => {
  const request = { supplement: given.supplement.trim(), drug: given.drug.trim() };
  if (!request.supplement || !request.drug)
    return { found: false as const, checked: false as const, message: NOTHING_CHECKED_MESSAGE };
  const meanings = await meaningsOf(names, request);
  const { supplement, drug } = meanings.own;
  const suggestions = await suggestionsFor(names, meanings, request);
  if (supplement && drug) {
    const looked = lookUp(book, supplement, drug);
    if (looked) return { ...answerFor(book, supplement, drug, looked), suggestions };
  }
  return {
    ...notFound(NOTHING_LOOKED),
    resolved: { supplement: supplement && namedJson(supplement), drug: drug && namedJson(drug) },
    suggestions,
    hint: hintOf(meanings) || null,
    instead: insteadOf(book, meanings),
    needs_confirmation: true,
  };
};

export type CheckAnswer = Awaited<ReturnType<typeof check>>;
