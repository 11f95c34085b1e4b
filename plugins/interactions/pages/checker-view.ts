/** Builds the results of the checker on /interactions: one pair, or a whole stack. */
import { type Static, Type } from 'typebox';
import { inSentence, LinkView } from '#plugins/evidence/index.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import { type Named, type Names, namedJson } from '../checker/names.ts';
import { readPair } from '../checker/reading.ts';
import { checkStack, type StackAnswer, type StackRequest } from '../checker/stack.ts';
import {
  AUTHORITIES,
  cautionSeverityWord,
  cautionToDo,
  NOT_FOUND_MESSAGE,
  pairToDo,
  TWO_MEDICINES_MESSAGE,
  TWO_SUPPLEMENTS_MESSAGE,
} from '../rules/severity-labels.ts';
import { RuleView, ruleView, SeverityView, severityView } from './rule-view.ts';
import { capital } from './view-parts.ts';

const Asked = Type.Object({
  input: Type.String(),
  /** Link to the match; null if the input was not recognised. */
  found: Type.Union([LinkView, Type.Null()]),
  kind: Type.String(),
  note: Type.String(),
  sure: Type.Boolean(),
  near: Type.Array(Type.String()),
});

const FindingView = Type.Object({
  title: Type.String(),
  severity: SeverityView,
  toDo: Type.String(),
  effect: Type.String(),
  recommendation: Type.String(),
  timing: Type.String(),
  href: Type.String(),
});

export const ResultView = Type.Object({
  title: Type.String(),
  message: Type.String(),
  severity: Type.Union([SeverityView, Type.Null()]),
  names: Type.Array(Asked),
  /** For one pair: its rules in full. */
  rules: Type.Array(RuleView),
  /** For a stack: one block per finding, most serious first. */
  findings: Type.Array(FindingView),
  cautions: Type.Array(FindingView),
  depletions: Type.Array(Type.Object({ title: Type.String(), effect: Type.String(), note: Type.String() })),
  exceptions: Type.Array(Type.String()),
  noRecord: Type.Array(Type.String()),
  notCovered: Type.Array(Type.String()),
  /** Authorities to consult on pairs that are not covered here. */
  authorities: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  coverage: Type.String(),
});
export type ResultView = Static<typeof ResultView>;

const KIND_WORDS: Readonly<Record<string, string>> = {
  supplement: 'supplement',
  substance: 'not a supplement page here',
  drug: 'medicine',
  class: 'group of medicines',
};

type Resolved = ReturnType<typeof namedJson>;

/** Returns the name of the form, food or product that was given, or else the resolved name. */
const shownName = (named: Named): string =>
  named.type === 'subject' && named.form ? named.form.name : namedJson(named).name;

const hrefOf = (book: InteractionBook, { kind, slug }: Pick<Resolved, 'kind' | 'slug'>): string =>
  `/interactions/${book.hubOf(kind === 'drug' || kind === 'class' ? kind : 'subject', slug)}`;

/** Returns the resolved name, with the form if one was given: "Niacin: nicotinamide (niacinamide)". */
const formName = (resolved: Resolved): string =>
  'form' in resolved && resolved.form
    ? `${capital(resolved.name)}: ${inSentence(resolved.form.name)}`
    : capital(resolved.name);

const kindOf = (resolved: Resolved): string => {
  if (!('substance_kind' in resolved)) return KIND_WORDS[resolved.kind] ?? '';
  return resolved.kind === 'supplement' ? `${resolved.substance_kind} supplement` : `${resolved.substance_kind}`;
};

const askedView = (book: InteractionBook, resolved: Resolved): Static<typeof Asked> => ({
  input: resolved.input,
  found: { name: formName(resolved), href: hrefOf(book, resolved) },
  kind: kindOf(resolved),
  note: 'statement' in resolved ? (resolved.statement ?? '') : '',
  sure: resolved.match_type !== 'typo',
  near: [],
});

const unknownView = (input: string, near: readonly { readonly name: string }[]): Static<typeof Asked> => ({
  input,
  found: null,
  kind: '',
  note: '',
  sure: false,
  near: near.map(({ name }) => capital(name)),
});

const EMPTY = {
  rules: [],
  findings: [],
  cautions: [],
  depletions: [],
  exceptions: [],
  noRecord: [],
  notCovered: [],
  authorities: [],
};

const COVERAGE_WORDS: Readonly<Record<string, string>> = {
  none: 'Nobody has entered anything on one of the two here, so “no record” says nothing at all.',
  sparse: 'The base holds little on one of the two, so “no record” says almost nothing.',
  moderate: 'The base holds a fair number of records on both; gaps are still likely.',
  broad: 'The base holds many records on both. Even so, what is missing may exist.',
};

/** Checks one pair from the two fields. Each name is resolved independently of the field in which it was entered. */
export const pairResult = async (
  book: InteractionBook,
  names: Names,
  given: { readonly supplement: string; readonly drug: string },
): Promise<ResultView> => {
  const inputs = [given.supplement, given.drug] as const;
  const meanings = [await names.meanings(inputs[0], 'subject'), await names.meanings(inputs[1], 'drug')] as const;
  const reading = readPair(book, ...meanings);
  const named = inputs.map(
    (input, at) => reading?.pair.find((one) => one.input === input) ?? meanings[at]?.[0] ?? null,
  );
  const [a = null, b = null] = named;
  const asked = await Promise.all(
    [a, b].map(async (named, at) =>
      named
        ? askedView(book, namedJson(named))
        : unknownView(inputs[at] ?? '', await names.near(inputs[at] ?? '', 'any')),
    ),
  );
  const title = [a, b].map((named, at) => (named ? shownName(named) : (inputs[at] ?? ''))).join(' and ');
  const base = { ...EMPTY, title: capital(title), names: asked, severity: null, coverage: '' };
  if (!a || !b) return { ...base, message: 'Not checked: a name was not recognised. That says nothing about safety.' };
  const looked = reading?.looked;
  if (!looked)
    return { ...base, message: `These are two medicines. ${TWO_MEDICINES_MESSAGE}`, authorities: [...AUTHORITIES] };
  const exceptions = [
    ...looked.exceptions.map(
      ({ drug, note, rule }) =>
        `${capital(drug)} is named as an exception among ${rule.target.name.toLowerCase()}: ${note}`,
    ),
    ...new Set(looked.otherForms.map(({ form, note }) => `Not reported for ${inSentence(form.name)}: ${note}`)),
  ];
  const [first] = looked.hits;
  if (!first) {
    const areTwoSupplements = a.type === 'subject' && b.type === 'subject';
    const message = areTwoSupplements ? TWO_SUPPLEMENTS_MESSAGE : NOT_FOUND_MESSAGE;
    const authorities = areTwoSupplements ? [...AUTHORITIES] : [];
    return { ...base, message, authorities, exceptions, coverage: COVERAGE_WORDS[looked.coverage] ?? '' };
  }
  const drug = b.type === 'drug' ? b.drug.name : a.type === 'drug' ? a.drug.name : '';
  return {
    ...base,
    message: '',
    severity: severityView(first.rule.entry.severity),
    rules: looked.hits.map((hit) =>
      ruleView(book, hit, { heading: capital(title), href: `/interactions/${hit.rule.subject.slug}`, drug }),
    ),
    exceptions,
  };
};

const timingWords = (timing: { separate_hours: number | null; note: string | null } | null): string => {
  if (!timing) return '';
  const apart = timing.separate_hours ? `At least ${timing.separate_hours} hours apart.` : '';
  return [apart, timing.note].filter(Boolean).join(' ');
};

const findingView = ({
  a,
  b,
  severity,
  action,
  effect,
  recommendation,
  timing,
  url,
}: StackAnswer['findings'][number]) => ({
  title: `${capital(a.name)} and ${b.name}`,
  severity: severityView(severity),
  toDo: pairToDo(severity, action),
  effect,
  recommendation,
  timing: timingWords(timing),
  href: url,
});

const pairNames = (answer: StackAnswer, status: 'no_record' | 'not_covered'): string[] =>
  answer.matrix.filter((cell) => cell.status === status).map(({ a, b }) => `${capital(a.name)} and ${b.name}`);

/** Checks a whole stack. */
export const stackResult = async (book: InteractionBook, names: Names, stack: StackRequest): Promise<ResultView> => {
  const answer = await checkStack(book, names, stack);
  return {
    ...EMPTY,
    title: 'Your list',
    message: answer.message,
    severity: answer.summary.worst && severityView(answer.summary.worst),
    names: [
      ...answer.resolved.map((resolved) => askedView(book, resolved)),
      ...answer.unresolved.map(({ input, suggestions }) => unknownView(input, suggestions)),
    ],
    findings: answer.findings.map(findingView),
    cautions: answer.cautions.map(
      ({ id, supplement, condition_name: condition, severity, action, effect, recommendation }) => {
        const own = book.cautionsOf(supplement.slug).find((caution) => caution.id === id);
        const beginsAtDose = Boolean(own?.entry.dose_threshold);
        return {
          title: `${supplement.name}: ${condition.toLowerCase()}`,
          severity: { code: severity, word: cautionSeverityWord(severity, beginsAtDose) },
          toDo: cautionToDo(severity, action, beginsAtDose),
          effect,
          recommendation,
          timing: '',
          href: `/interactions/${supplement.slug}#cautions`,
        };
      },
    ),
    depletions: answer.depletions.map(({ drug, nutrient, effect, note }) => ({
      title: `${capital(drug)} and ${inSentence(nutrient.name)}`,
      effect,
      note,
    })),
    noRecord: pairNames(answer, 'no_record'),
    notCovered: pairNames(answer, 'not_covered').map(inSentence),
    authorities: answer.authorities,
    coverage: '',
  };
};
