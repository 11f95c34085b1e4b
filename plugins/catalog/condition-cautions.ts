/** Which supplements a person with the condition should be careful with: cautions by state of health, gravest first. */
import { type Static, Type } from 'typebox';
import { byName, inSentence, LinkView } from '#plugins/evidence/index.ts';
import {
  CONDITION_WORDS,
  cautionSeverityWord,
  cautionToDo,
  type InteractionBook,
  SEVERITIES,
  type Severity,
  SeverityView,
  severityView,
} from '#plugins/interactions/index.ts';

const Caution = Type.Object({
  supplement: LinkView,
  /** The state of health that the caution names; it can be wider than the condition. */
  state: Type.String(),
  severity: Type.Object({ code: Type.String({ enum: [...SEVERITIES] }), word: Type.String() }),
  toDo: Type.String(),
  effect: Type.String(),
  recommendation: Type.String(),
});
type Caution = Static<typeof Caution>;
export const ConditionCautions = Type.Array(Caution);

/** An interaction with a medicine of the condition. */
const Clash = Type.Object({
  title: Type.String(),
  /** Where its sources stand. */
  href: Type.String(),
  severity: SeverityView,
  effect: Type.String(),
  recommendation: Type.String(),
});
export const ConditionClashes = Type.Array(Clash);

type State = keyof typeof CONDITION_WORDS;

const NAMED: readonly (readonly [State, readonly string[]])[] = [
  ['kidney-disease', ['chronic-kidney-disease']],
  ['liver-disease', ['cirrhosis', 'fatty-liver-disease', 'alcohol-dependence']],
  ['diabetes', ['type-1-diabetes', 'type-2-diabetes', 'gestational-diabetes', 'diabetic-retinopathy']],
  ['hypertension', ['hypertension', 'pre-eclampsia']],
  ['heart-disease', ['coronary-heart-disease', 'heart-failure', 'atrial-fibrillation']],
  ['seizures', ['epilepsy']],
  [
    'autoimmune',
    [
      'lupus',
      'rheumatoid-arthritis',
      'multiple-sclerosis',
      'psoriasis',
      'crohns-disease',
      'ulcerative-colitis',
      'inflammatory-bowel-disease',
      'type-1-diabetes',
    ],
  ],
  ['immunocompromised', ['hiv']],
  ['thyroid', ['hypothyroidism', 'hyperthyroidism']],
  ['high-cholesterol', ['high-cholesterol']],
  ['pregnancy', ['gestational-diabetes', 'pre-eclampsia']],
  ['trying-to-conceive', ['infertility']],
];

/** The states of health of the rules that hold for a condition. */
export const statesOf = (slug: string): readonly State[] =>
  NAMED.filter(([, conditions]) => conditions.includes(slug)).map(([state]) => state);

const rank = (code: Severity): number => SEVERITIES.indexOf(code);

const Hidden = Type.Object({ name: Type.String(), href: Type.String(), statement: Type.String(), source: LinkView });
export const ConditionHidden = Type.Array(Hidden);

/** What is found hidden in products for the condition, or forbidden in them, by the authority that says so. */
export const hiddenFor = (book: InteractionBook, slugs: readonly string[] = []): Static<typeof ConditionHidden> =>
  slugs.flatMap((slug) => {
    const { name, statement, authority } = book.subjects.get(slug) ?? {};
    if (!name || !statement || !authority) return [];
    const source = { name: authority.name, href: authority.address };
    return [{ name, href: `/interactions/${slug}`, statement: statement.trim(), source }];
  });

/** The rules that an editor names for the condition, gravest first; one that is gone is left out. */
export const clashesFor = (book: InteractionBook, rules: readonly string[] = []): Static<typeof ConditionClashes> =>
  book.rules
    .filter(({ slug }) => rules.includes(slug))
    .toSorted((a, b) => rank(a.entry.severity) - rank(b.entry.severity) || byName(a.subject, b.subject))
    .map(({ slug, subject, target, entry }) => ({
      title: `${subject.name} and ${inSentence(target.name)}`,
      href: `/interactions/${subject.slug}#${slug}`,
      severity: severityView(entry.severity),
      effect: entry.effect.trim(),
      recommendation: entry.recommendation.trim(),
    }));

/** Cautions for the states of health of a condition, and those that its editor names as `magnesium/kidney-disease`. */
export const cautionsFor = (book: InteractionBook, slug: string, named: readonly string[] = []): Caution[] => {
  const states = new Set(statesOf(slug));
  return [...book.subjects.values()]
    .flatMap((subject) => book.cautionsOf(subject.slug))
    .filter(({ subject, entry }) => states.has(entry.condition) || named.includes(`${subject.slug}/${entry.condition}`))
    .toSorted((a, b) => rank(a.entry.severity) - rank(b.entry.severity) || byName(a.subject, b.subject))
    .map(({ subject, entry }) => ({
      supplement: {
        name: subject.name,
        href: subject.kind === 'supplement' ? `/supplements/${subject.slug}` : `/interactions/${subject.slug}`,
      },
      state: entry.name ?? CONDITION_WORDS[entry.condition],
      severity: { code: entry.severity, word: cautionSeverityWord(entry.severity, Boolean(entry.dose_threshold)) },
      toDo: cautionToDo(entry.severity, entry.action, Boolean(entry.dose_threshold)),
      effect: entry.effect.trim(),
      recommendation: entry.recommendation.trim(),
    }));
};
