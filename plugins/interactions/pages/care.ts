/**
 * Builds the lists on which the text of a condition or a biomarker rests: cautions, interactions with medicines, and hidden or
 * banned ingredients of products; most serious first, each with a link to its sources.
 */
import { type Static, Type } from 'typebox';
import { byName, inSentence, LinkView } from '#plugins/evidence/index.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import { CONDITION_WORDS, cautionSeverityWord, SEVERITIES, type Severity } from '../rules/severity-labels.ts';
import { SeverityView, severityView } from './rule-view.ts';

const Caution = Type.Object({
  supplement: LinkView,
  /** The state of health that the caution names; it can be wider than the subject of the page. */
  state: Type.String(),
  severity: Type.Object({ code: Type.String({ enum: [...SEVERITIES] }), word: Type.String() }),
  effect: Type.String(),
  recommendation: Type.String(),
});

/** An interaction with a medicine. */
const Clash = Type.Object({
  title: Type.String(),
  /** Address that shows its sources. */
  href: Type.String(),
  severity: SeverityView,
  effect: Type.String(),
  recommendation: Type.String(),
});

const rank = (code: Severity): number => SEVERITIES.indexOf(code);

const Hidden = Type.Object({
  name: Type.String(),
  href: Type.String(),
  statement: Type.String(),
  /** Null if the data names no authority for it. */
  source: Type.Union([LinkView, Type.Null()]),
});

export const CareView = Type.Object({
  cautions: Type.Array(Caution),
  clashes: Type.Array(Clash),
  hidden: Type.Array(Hidden),
});
export type CareView = Static<typeof CareView>;

type State = keyof typeof CONDITION_WORDS;

/** Slugs as an entry gives them. */
export interface CareNames {
  readonly rules?: readonly string[] | undefined;
  readonly cautions?: readonly string[] | undefined;
  readonly substances?: readonly string[] | undefined;
}

const hiddenOf = (book: InteractionBook, slugs: readonly string[]): CareView['hidden'] =>
  slugs.flatMap((slug) => {
    const { name, statement, authority } = book.subjects.get(slug) ?? {};
    if (!name || !statement) return [];
    const source = authority ? { name: authority.name, href: authority.address } : null;
    return [{ name, href: `/interactions/${book.hubOf('subject', slug)}`, statement: statement.trim(), source }];
  });

/** Builds the interactions; a rule that was removed is omitted. */
const clashesOf = (book: InteractionBook, rules: readonly string[]): CareView['clashes'] =>
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

const cautionsOf = (book: InteractionBook, named: readonly string[], states: readonly State[]): CareView['cautions'] =>
  [...book.subjects.values()]
    .flatMap((subject) => book.cautionsOf(subject.slug))
    .filter(
      ({ subject, entry }) => states.includes(entry.condition) || named.includes(`${subject.slug}/${entry.condition}`),
    )
    .toSorted((a, b) => rank(a.entry.severity) - rank(b.entry.severity) || byName(a.subject, b.subject))
    .map(({ subject, entry }) => ({
      supplement: { name: subject.name, href: `/interactions/${subject.slug}#cautions` },
      state: entry.name ?? CONDITION_WORDS[entry.condition],
      severity: { code: entry.severity, word: cautionSeverityWord(entry.severity, Boolean(entry.dose_threshold)) },
      effect: entry.effect.trim(),
      recommendation: entry.recommendation.trim(),
    }));

/**
 * Builds the lists.
 * @param states States whose cautions are included without being named.
 */
export const careOf = (
  book: InteractionBook,
  { rules = [], cautions = [], substances = [] }: CareNames,
  states: readonly State[] = [],
): CareView => ({
  cautions: cautionsOf(book, cautions, states),
  clashes: clashesOf(book, rules),
  hidden: hiddenOf(book, substances),
});
