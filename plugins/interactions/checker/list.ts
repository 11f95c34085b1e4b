/**
 * Builds GET /api/interactions: every pair as one row. The response is cached as text, because it has some megabytes and rarely
 * changes.
 */
import { reasonAgainst } from '../book/forms.ts';
import { speaksOfPair } from '../book/grounds.ts';
import type { InteractionBook, Pair } from '../book/interaction-book.ts';
import type { Severity } from '../rules/severity-labels.ts';
import { effectOf, sourcesOf } from './finding.ts';
import type { Named } from './names.ts';

const drugClassOf = (book: InteractionBook, { drug, applied: [{ viaClass }] }: Pair): string =>
  viaClass?.slug ?? book.drugs.classesOf(drug.slug)[0] ?? '';

export const rowOf = (book: InteractionBook, pair: Pair) => {
  const { slug, subject, drug, applied } = pair;
  const [first] = applied;
  return {
    slug,
    supplement_slug: subject.slug,
    supplement: subject.name,
    drug: drug.name,
    rxcui: drug.rxcui,
    drug_class: drugClassOf(book, pair),
    severity: first.rule.entry.severity,
    effect: effectOf({ ...first, only: null }),
    basis: first.viaClass && !speaksOfPair(first.grounds) ? 'class' : 'pair',
    evidence_tier: first.rule.tier,
    source_count: sourcesOf(first).length,
    url: `/interactions/${slug}`,
  };
};

export interface ListFilter {
  readonly supplement: Named | null;
  readonly drug: Named | null;
  readonly severity: Severity | null;
}

const hasDrug = (book: InteractionBook, named: Named): ((pair: Pair) => boolean) => {
  if (named.type === 'subject') return () => false;
  const slugs = new Set(
    named.type === 'class'
      ? book.drugs.membersOf(named.class.slug).map(({ slug }) => slug)
      : [named.drug.slug, ...named.drug.ingredients],
  );
  return ({ drug }) => slugs.has(drug.slug);
};

/** Returns the matching pairs in the order of the book: by supplement, then by drug. */
export const filterPairs = (book: InteractionBook, { supplement, drug, severity }: ListFilter): readonly Pair[] => {
  const ofSupplement = supplement?.type === 'subject' ? book.pairsOf(supplement.subject.slug) : book.pairs;
  const fits = drug ? hasDrug(book, drug) : () => true;
  const form = supplement?.type === 'subject' ? supplement.form : null;
  const holds = ({ drug: { slug } }: Pair): boolean => reasonAgainst(form, { kind: 'drug', slug }, book.drugs) === null;
  return ofSupplement.filter(
    (pair) => fits(pair) && holds(pair) && (!severity || pair.applied[0].rule.entry.severity === severity),
  );
};

const whole = new WeakMap<InteractionBook, Buffer>();

/** Returns all rows as JSON, built once for a book. */
export const wholeList = (book: InteractionBook): Buffer => {
  const known = whole.get(book);
  if (known) return known;
  const text = Buffer.from(JSON.stringify(book.pairs.map((pair) => rowOf(book, pair))));
  whole.set(book, text);
  return text;
};
