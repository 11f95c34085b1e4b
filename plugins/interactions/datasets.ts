/** Datasets of the rules, and of the pairs to which they apply. */
import { Type } from 'typebox';
import { ownLicence } from '#core/datasets.ts';
import type { Dataset } from '#core/plugin.ts';
import type { InteractionBook } from './book/interaction-book.ts';
import type { RuleRecord } from './book/rule-record.ts';
import { ruleJson } from './checker/finding.ts';
import { rowOf } from './checker/list.ts';
import { PairRow, ruleMembers } from './checker/schemas.ts';
import type { InteractionServices } from './services.ts';

/** Number of rows built at a time; the book itself is in memory. */
const PART = 500;

const licence = ownLicence(
  'Texts are CC BY 4.0. The facts (what with what, how grave, which sources) were taken from the rule collection of PharmaGuide_Pipeline, published under the MIT licence. RxCUIs are in the public domain. No row means no record in our sources, and never that a combination is safe.',
);

const tables = [
  'interaction_entry',
  'drug_name',
  'drug_class',
  'evidence_source',
  'supplement',
  'topic',
  'condition',
  'substance',
  'reference_intake',
  'redirect',
  'content_file',
];

const named = (kinds: readonly string[]) =>
  Type.Object({ kind: Type.String({ enum: [...kinds] }), slug: Type.String(), name: Type.String() });

const RuleRow = Type.Object({
  about: named(['supplement', 'substance']),
  with: named(['class', 'drug', 'supplement', 'food']),
  ...ruleMembers,
});

const ruleRow = (book: InteractionBook, rule: RuleRecord) => {
  const { subject, target } = rule;
  const viaClass = target.kind === 'class' ? (book.drugs.classes.get(target.slug) ?? null) : null;
  return {
    about: { kind: subject.kind, slug: subject.slug, name: subject.name },
    with: { kind: target.kind, slug: target.slug, name: target.name },
    ...ruleJson({ rule, viaClass, only: null, grounds: book.groundsOf(rule) }),
  };
};

const bySlug = <T extends { readonly slug: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));

function* inParts<T, R>(rows: readonly T[], make: (row: T) => R): Generator<R[]> {
  for (let at = 0; at < rows.length; at += PART) yield rows.slice(at, at + PART).map(make);
}

const rules: Dataset<InteractionServices> = {
  name: 'interaction-rules',
  title: 'Interaction rules',
  description:
    'Every rule on a supplement with a medicine, a class of medicines, a food or another supplement: severity, effect, mechanism, what to do, and its sources.',
  licence,
  row: RuleRow,
  key: 'slug',
  tables,
  rows: async function* ({ services }) {
    const book = await services.book();
    yield* inParts(bySlug(book.rules), (rule) => ruleRow(book, rule));
  },
};

const pairs: Dataset<InteractionServices> = {
  name: 'interactions',
  title: 'Interactions, by pair',
  description:
    'Every pair of a supplement and a medicine that a rule reaches, with the gravest of its rules; rules of a class stand at each of its members.',
  licence,
  row: PairRow,
  key: 'slug',
  tables,
  rows: async function* ({ services }) {
    const book = await services.book();
    yield* inParts(bySlug(book.pairs), (pair) => rowOf(book, pair));
  },
};

export const interactionDatasets = [pairs, rules];
