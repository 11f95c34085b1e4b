/**
 * Checks a whole stack: every pair of the items that a person takes, with the findings, the pairs without a record and the pairs
 * that are not covered.
 */
import { coverageOfDrugs, coverageOfSupplement } from '../book/coverage.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import {
  ASK_A_PHARMACIST,
  AUTHORITIES,
  NOT_FOUND_MESSAGE,
  SEVERITIES,
  type Severity,
  severityRank,
} from '../rules/severity-labels.ts';
import { findingJson } from './finding.ts';
import { isSure, type Named, type Names, namedJson, type Unresolved } from './names.ts';
import { cautionsFor, depletionsFor, resolveConditions } from './person.ts';
import { type PairReading, readPair } from './reading.ts';

export interface StackRequest {
  readonly supplements: readonly string[];
  readonly drugs: readonly string[];
  readonly foods: readonly string[];
  readonly conditions: readonly string[];
}

type List = 'supplements' | 'drugs' | 'foods';
type Item = { readonly givenAs: List } & (
  | { readonly named: Named; readonly meanings: readonly Named[] }
  | { readonly unresolved: Unresolved }
);

const LISTS: readonly List[] = ['supplements', 'foods', 'drugs'];

const resolveItem = async (names: Names, input: string, givenAs: List): Promise<Item> => {
  // A name in the wrong list is resolved in the other one, and the response states this.
  const meanings = await names.meanings(input, givenAs === 'drugs' ? 'drug' : 'subject');
  const [named] = meanings;
  if (named) return { givenAs, named, meanings };
  const suggestions = await names.near(input, 'any');
  return { givenAs, unresolved: { type: 'unresolved', input, suggestions } };
};

const slugOf = (named: Named): string => namedJson(named).slug;
const formOf = (named: Named): string => (named.type === 'subject' && named.form ? ` ${named.form.slug}` : '');
const keyOf = (named: Named): string => `${named.type} ${slugOf(named)}${formOf(named)}`;

/** Resolves all names in the given order; one thing under two names counts once. */
const resolveAll = async (names: Names, request: StackRequest) => {
  const items: Item[] = [];
  const duplicates: { input: string; same_as: string }[] = [];
  const seen = new Map<string, string>();
  for (const list of LISTS) {
    for (const input of request[list].map((text) => text.trim()).filter(Boolean)) {
      const item = await resolveItem(names, input, list);
      const key = 'named' in item ? keyOf(item.named) : `unresolved ${input.toLowerCase()}`;
      const first = seen.get(key);
      if (first === undefined) items.push(item);
      else duplicates.push({ input, same_as: first });
      seen.set(key, first ?? input);
    }
  }
  return { items, duplicates };
};

interface End {
  readonly input: string;
  readonly slug: string | null;
  readonly name: string;
  readonly kind: string | null;
}

const endOf = (item: Item): End => {
  if ('unresolved' in item)
    return { input: item.unresolved.input, slug: null, name: item.unresolved.input, kind: null };
  const { input, slug, name, kind } = namedJson(item.named);
  return { input, slug, name, kind };
};

type Finding = ReturnType<typeof findingJson> & { readonly a: End; readonly b: End };

type NamedItem = Extract<Item, { named: Named }>;

/**
 * Reads the pair with the kinds of its lists first. If that finds nothing, every meaning counts: niacin in the list of medicines
 * is still the supplement if only that has a record.
 */
const readItems = (book: InteractionBook, first: NamedItem, second: NamedItem): PairReading | null => {
  const plain = readPair(book, [first.named], [second.named]);
  return plain?.looked?.hits.length ? plain : readPair(book, first.meanings, second.meanings);
};

const cellOf = (book: InteractionBook, first: Item, second: Item, findings: Finding[]) => {
  const [a, b] = [endOf(first), endOf(second)];
  if ('unresolved' in first || 'unresolved' in second) {
    const message = 'A name was not recognised, so nothing was checked.';
    return { a, b, status: 'unresolved' as const, message };
  }
  const reading = readItems(book, first, second);
  if (!reading?.looked) return { a, b, status: 'not_covered' as const, message: ASK_A_PHARMACIST };
  const { pair, looked } = reading;
  if (!looked.hits.length)
    return { a, b, status: 'no_record' as const, coverage: looked.coverage, message: NOT_FOUND_MESSAGE };
  const finding = { a, b, ...findingJson(book, pair, looked) };
  findings.push(finding);
  const { severity, action, effect, slug, basis, coverage, url } = finding;
  return { a, b, status: 'found' as const, severity, action, effect, slug, basis, coverage, url };
};

/** Builds every pair once: n items give n(n-1)/2 cells. */
const matrixOf = (book: InteractionBook, items: readonly Item[]) => {
  const findings: Finding[] = [];
  const matrix = items.flatMap((first, at) =>
    items.slice(at + 1).map((second) => cellOf(book, first, second, findings)),
  );
  findings.sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || (a.slug < b.slug ? -1 : 1));
  return { matrix, findings };
};

type Cell = ReturnType<typeof cellOf>;

const summaryOf = (matrix: readonly Cell[], severities: readonly Severity[]) => {
  const count = (status: Cell['status']): number => matrix.filter((cell) => cell.status === status).length;
  return {
    worst: SEVERITIES.find((severity) => severities.includes(severity)) ?? null,
    counts: Object.fromEntries(
      SEVERITIES.map((severity) => [severity, severities.filter((other) => other === severity).length]),
    ) as Record<Severity, number>,
    pairs: matrix.length,
    found: count('found'),
    no_record: count('no_record'),
    not_covered: count('not_covered'),
    unresolved: count('unresolved'),
  };
};

const messageOf = ({ pairs, found, no_record: none, not_covered: out, unresolved }: ReturnType<typeof summaryOf>) => {
  if (!pairs) return 'One thing alone has no pair to check. This says nothing about its safety.';
  const rest = [
    found && none && `${none} with no record, which does not mean that they are safe`,
    out && `${out} of two medicines, which are not covered: ask a pharmacist`,
    unresolved && `${unresolved} with a name that was not recognised`,
  ].filter(Boolean);
  const others = rest.length ? rest.join('; ') : '';
  if (found) return `${found} of ${pairs} pairs have a record${others && `; ${others}`}.`;
  if (none) return others ? `${NOT_FOUND_MESSAGE} Besides: ${others}.` : NOT_FOUND_MESSAGE;
  return `Nothing could be checked: ${others}.`;
};

const coverageOf = (book: InteractionBook, named: readonly Named[]) =>
  named.map((item) => {
    const { slug, name, kind } = namedJson(item);
    if (item.type === 'subject') {
      const { level, records, sources } = coverageOfSupplement(book, slug);
      return { kind, slug, name, coverage: level, records, sources };
    }
    const members = item.type === 'class' ? item.class.members : item.drug.ingredients;
    const reached = item.type === 'class' ? members.filter((drug) => book.pairsOfDrug(drug).length) : members;
    return { kind, slug, name, coverage: coverageOfDrugs(book, reached) };
  });

const timingOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ a, b, timing, slug }) => (timing ? [{ a: a.name, b: b.name, slug, ...timing }] : []));

/** Returns the pairs without coverage: one of the two has no rule at all in the database. */
const neverStudied = (matrix: readonly Cell[]) =>
  matrix.flatMap((cell) =>
    cell.status === 'no_record' && cell.coverage === 'none' ? [{ a: cell.a.name, b: cell.b.name }] : [],
  );

export const checkStack = async (book: InteractionBook, names: Names, request: StackRequest) => {
  const { items, duplicates } = await resolveAll(names, request);
  const named = items.flatMap((item) => ('named' in item ? [item.named] : []));
  const { matrix, findings } = matrixOf(book, items);
  const conditions = resolveConditions(request.conditions);
  const cautions = cautionsFor(book, named, conditions.known);
  const severities = [...findings, ...cautions].map(({ severity }) => severity);
  const summary = summaryOf(matrix, severities);
  const confidence = Math.min(1, ...named.map((item) => item.confidence));
  const unresolved = items.flatMap((item) => ('unresolved' in item ? [item] : []));
  return {
    resolved: items.flatMap((item) => ('named' in item ? [{ given_as: item.givenAs, ...namedJson(item.named) }] : [])),
    unresolved: [
      ...unresolved.map(({ givenAs, unresolved: { input, suggestions } }) => ({
        given_as: givenAs,
        input,
        suggestions,
      })),
      ...conditions.unknown.map((input) => ({ given_as: 'conditions' as const, input, suggestions: [] })),
    ],
    duplicates,
    conditions: conditions.known,
    confidence,
    needs_confirmation: !named.every(isSure) || unresolved.length > 0 || conditions.unknown.length > 0,
    summary,
    findings,
    matrix,
    cautions,
    depletions: depletionsFor(book, named),
    timing: timingOf(findings),
    coverage: coverageOf(book, named),
    never_studied: neverStudied(matrix),
    message: messageOf(summary),
    authorities: summary.not_covered ? [...AUTHORITIES] : [],
    disclaimer_url: '/disclaimer',
    searched_at: new Date().toISOString(),
  };
};

export type StackAnswer = Awaited<ReturnType<typeof checkStack>>;
