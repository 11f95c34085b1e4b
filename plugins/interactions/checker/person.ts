/**
 * Checks that depend on the person or on the medicines alone: cautions for states of health, nutrients that a medicine lowers.
 */
import { foldName } from '#core/search/name-index.ts';
import { holdsInState } from '../book/forms.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { CautionRecord, DepletionRecord } from '../book/rule-record.ts';
import { sourceJson } from '../rules/cited-sources.ts';
import { CAUTION_CONDITIONS, type CautionCondition, CONDITION_WORDS, gravestFirst } from '../rules/severity-labels.ts';
import { withWider } from './lookup.ts';
import type { Named, NamedSubject } from './names.ts';

/** Synonyms that people use for the states of cautions. */
const CONDITION_SYNONYMS: Readonly<Record<string, CautionCondition>> = {
  pregnant: 'pregnancy',
  lactation: 'breastfeeding',
  nursing: 'breastfeeding',
  'breast feeding': 'breastfeeding',
  operation: 'surgery',
  'kidney failure': 'kidney-disease',
  'chronic kidney disease': 'kidney-disease',
  'liver failure': 'liver-disease',
  haemophilia: 'bleeding-disorder',
  hemophilia: 'bleeding-disorder',
  'type 2 diabetes': 'diabetes',
  'type 1 diabetes': 'diabetes',
  'high blood pressure': 'hypertension',
  'heart failure': 'heart-disease',
  'coronary heart disease': 'heart-disease',
  epilepsy: 'seizures',
  'autoimmune disease': 'autoimmune',
  hypothyroidism: 'thyroid',
  hyperthyroidism: 'thyroid',
  'thyroid disease': 'thyroid',
  cholesterol: 'high-cholesterol',
};

const CONDITIONS: ReadonlyMap<string, CautionCondition> = new Map([
  ...CAUTION_CONDITIONS.filter((code) => code !== 'other').flatMap((code) => [
    [foldName(code), code] as const,
    [foldName(CONDITION_WORDS[code]), code] as const,
  ]),
  ...Object.entries(CONDITION_SYNONYMS).map(([words, code]) => [foldName(words), code] as const),
]);

export const resolveConditions = (given: readonly string[]) => {
  const words = given.map((text) => text.trim()).filter(Boolean);
  const found = words.map((input) => ({ input, code: CONDITIONS.get(foldName(input)) }));
  return {
    known: [...new Set(found.flatMap(({ code }) => (code ? [code] : [])))],
    unknown: found.filter(({ code }) => !code).map(({ input }) => input),
  };
};

export const cautionJson = ({ id, subject, entry, sources, tier, evidenceBasis, origin }: CautionRecord) => ({
  id,
  supplement: { slug: subject.slug, name: subject.name, kind: subject.kind },
  condition: entry.condition,
  condition_name: entry.name ?? CONDITION_WORDS[entry.condition],
  severity: entry.severity,
  action: entry.action,
  likelihood: entry.likelihood,
  effect: entry.effect.trim(),
  recommendation: entry.recommendation.trim(),
  evidence_tier: tier,
  evidence_basis: evidenceBasis,
  origin,
  sources: sources.map(sourceJson),
});

/** Returns the cautions of the given form, and of the other supplements that it contains. */
const cautionsOf = (book: InteractionBook, { subject, form }: NamedSubject): readonly CautionRecord[] => [
  ...book.cautionsOf(subject.slug).filter((caution) => holdsInState(form, caution)),
  ...(form?.also ?? []).flatMap(({ slug }) => book.cautionsOf(slug)),
];

/** Returns the cautions of the supplements for the given states, most serious first. */
export const cautionsFor = (book: InteractionBook, named: readonly Named[], conditions: readonly CautionCondition[]) =>
  named
    .flatMap((item) => (item.type === 'subject' ? cautionsOf(book, item) : []))
    .filter(({ entry }) => conditions.includes(entry.condition))
    .map(cautionJson)
    .sort((a, b) => gravestFirst(a, b) || (a.id < b.id ? -1 : 1));

export const depletionJson = ({
  slug,
  nutrient,
  target,
  entry,
  sources,
  tier,
  evidenceBasis,
  origin,
}: DepletionRecord) => ({
  slug,
  with: { kind: target.kind, slug: target.slug, name: target.name },
  nutrient: { slug: nutrient.slug, name: nutrient.name },
  kind: entry.kind,
  likelihood: entry.likelihood,
  effect: entry.effect.trim(),
  note: entry.note.trim(),
  onset: entry.onset ?? null,
  evidence_tier: tier,
  evidence_basis: evidenceBasis,
  origin,
  sources: sources.map(sourceJson),
});

/**
 * Returns whether a depletion applies: by the drug itself or by one of its classes. The effect of a class includes its narrower
 * classes.
 */
export const reaches = (book: InteractionBook, { target }: DepletionRecord, named: Named): boolean => {
  if (named.type === 'subject') return false;
  if (named.type === 'class') return target.kind === 'class' && withWider(book, named.class.slug).has(target.slug);
  const parts = new Set([named.drug.slug, ...named.drug.ingredients]);
  if (target.kind === 'drug') return parts.has(target.slug);
  return book.drugs.membersOf(target.slug).some(({ slug }) => parts.has(slug));
};

/** Returns the effects of a stack's medicines on nutrients, and whether the stack contains each nutrient. */
export const depletionsFor = (book: InteractionBook, named: readonly Named[]) => {
  const taken = new Set(named.flatMap((item) => (item.type === 'subject' ? [item.subject.slug] : [])));
  return book.depletions.flatMap((record) => {
    const by = named.find((item) => reaches(book, record, item));
    if (!by) return [];
    return [{ ...depletionJson(record), drug: by.input, nutrient_in_stack: taken.has(record.nutrient.slug) }];
  });
};
