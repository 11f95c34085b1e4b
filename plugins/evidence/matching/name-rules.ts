/**
 * Decides from the surrounding words which names are supplements that were given. The rules decide when there is no abstract, and
 * are features of the model when there is one.
 */
import { EATEN_NEXT, INTAKE, NOT_SUPPLEMENT_NEXT, NOT_WITH, STOCK_BEFORE, STOCK_NEXT } from './exclusions.ts';
import type { Fields, Finding } from './fields.ts';
import type { Where } from './vocabulary.ts';

/** Returns whether the words around a term change its meaning: a receptor, a finger, a muscle fibre. */
export const isSomethingElse = ({ tokens, from, to }: Finding): boolean => {
  const next = tokens[to]?.word ?? '';
  const before = tokens[from - 1]?.word ?? '';
  const last = tokens[to - 1]?.word ?? '';
  const special = NOT_WITH[last];
  return NOT_SUPPLEMENT_NEXT.has(next) || special?.next?.has(next) === true || special?.before?.has(before) === true;
};

export const isStock = ({ tokens, from, to }: Finding): boolean =>
  STOCK_NEXT.has(tokens[to]?.word ?? '') || STOCK_BEFORE.has(tokens[from - 1]?.word ?? '');

interface Tally {
  title: number;
  stockTitle: number;
  terms: number;
  abstract: number;
  /** Mentions in sentences that describe giving or eating something. */
  given: number;
  conclusion: number;
  full: boolean;
}

const emptyTally = (): Tally => ({
  title: 0,
  stockTitle: 0,
  terms: 0,
  abstract: 0,
  given: 0,
  conclusion: 0,
  full: false,
});

const count = (tally: Tally, finding: Finding): void => {
  const stock = isStock(finding);
  if (!finding.entry.acronym || EATEN_NEXT.has(finding.tokens[finding.to]?.word ?? '')) tally.full = true;
  if (finding.where === 'title') {
    if (stock) tally.stockTitle += 1;
    else tally.title += 1;
  } else if (finding.where === 'terms') tally.terms += stock ? 0 : 1;
  else if (!stock) {
    tally.abstract += 1;
    if (INTAKE.test(finding.text)) tally.given += 1;
    if (finding.inConclusion) tally.conclusion += 1;
  }
};

const decide = (tally: Tally, { hasAbstract }: Fields, othersInTitle: boolean): Where | null => {
  if (!tally.full) return null;
  if (tally.title > 0) return 'title';
  if (tally.stockTitle > 0 && tally.given >= 2) return 'title';
  if (tally.terms > 0 && (!hasAbstract || tally.given >= 1)) return 'terms';
  const needed = othersInTitle ? 4 : 2;
  if (tally.abstract >= needed && tally.given >= needed - 1) return 'abstract';
  return !othersInTitle && tally.conclusion > 0 && tally.given > 0 && tally.abstract >= 2 ? 'abstract' : null;
};

/** Returns the field in which each supplement counts as given or eaten; supplements that are only mentioned are left out. */
export const namedByRules = (fields: Fields): ReadonlyMap<string, Where> => {
  const tallies = new Map<string, Tally>();
  for (const finding of fields.findings) {
    if (finding.entry.kind !== 'supplement' || isSomethingElse(finding)) continue;
    const tally = tallies.get(finding.entry.slug) ?? emptyTally();
    tallies.set(finding.entry.slug, tally);
    count(tally, finding);
  }
  const inTitle = [...tallies].filter(([, tally]) => tally.title > 0 && tally.full).map(([slug]) => slug);
  const named = new Map<string, Where>();
  for (const [slug, tally] of tallies) {
    const othersInTitle = inTitle.some((other) => other !== slug);
    const where = decide(tally, fields, othersInTitle);
    if (where !== null) named.set(slug, where);
  }
  return named;
};
