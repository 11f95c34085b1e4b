/** View of all interactions of one supplement or substance. */
import { inSentence } from '#plugins/evidence/index.ts';
import { isExplained } from '#plugins/vocabulary/index.ts';
import { coverageOfSupplement } from '../book/coverage.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { RuleRecord, Subject } from '../book/rule-record.ts';
import {
  CONDITION_WORDS,
  gravestFirst,
  SEVERITIES,
  type Severity,
  SIGNAL_CAVEAT,
  worstWord,
} from '../rules/severity-labels.ts';
import { EMPTY, type InteractionView } from './interaction-view.ts';
import { cautionView, ruleView } from './rule-view.ts';
import { COVERAGE_WORDS, capital, countOf, crumbsOf, depletionsFor, historyOf, hitOf, ruleLine } from './view-parts.ts';

/** Outcomes of reports in words for readers. */
const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  hospitalization: 'stay in hospital',
  er_visit: 'emergency visit',
  life_threatening: 'danger to life',
  required_intervention: 'treatment to prevent lasting harm',
};

const signalOf = (book: InteractionBook, slug: string): InteractionView['signal'] => {
  const signal = book.signals.get(slug);
  if (!signal) return null;
  const { reports, serious, years, source } = signal;
  const outcomes = Object.entries(signal.outcomes)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name: capital(OUTCOME_WORDS[name] ?? name.replaceAll('_', ' ')), count }))
    .sort((a, b) => b.count - a.count);
  return {
    reports,
    serious,
    outcomes,
    years: years.replace('-', ' to '),
    source: { name: source.name, href: source.address },
    caveat: SIGNAL_CAVEAT,
  };
};

const worstOf = (rules: readonly { readonly entry: { readonly severity: Severity } }[]): Severity | null =>
  SEVERITIES.find((severity) => rules.some(({ entry }) => entry.severity === severity)) ?? null;

/** Returns the kind of a substance without a page of its own in words, or the legal status of a supplement that has a page. */
const whatItIs = ({ kind, substanceKind, statement }: Subject): string => {
  if (kind === 'supplement') return statement;
  if (statement) return statement;
  return isExplained(substanceKind) ? `A ${substanceKind}.` : `A ${substanceKind} substance.`;
};

const subjectAnswer = (book: InteractionBook, subject: Subject, rules: readonly RuleRecord[]): string => {
  const name = inSentence(subject.name);
  const drugs = book.pairsOf(subject.slug).length;
  const cautions = book.cautionsOf(subject.slug).length;
  const first = whatItIs(subject);
  if (!rules.length && !cautions)
    return `${first} No record of an interaction of ${name} is in our sources. This does not mean that it is safe with other things.`.trim();
  const reach = drugs ? `, which ${rules.length === 1 ? 'reaches' : 'reach'} ${countOf(drugs, 'medicine')}` : '';
  const parts = [
    rules.length ? `${countOf(rules.length, 'interaction')} of ${name}${reach}` : '',
    cautions ? `${countOf(cautions, 'caution')} on ${name} for states of health` : '',
  ].filter(Boolean);
  return `${first} This base holds ${parts.join(`${reach && ','} and `)}. What is not listed may still interact.`.trim();
};

export const supplementView = (book: InteractionBook, subject: Subject): InteractionView => {
  const rules = book.rulesOf(subject.slug);
  const cautions = book.cautionsOf(subject.slug);
  const worst = worstWord(worstOf(rules), worstOf(cautions));
  const ofState = worst?.code !== worstOf(rules) && cautions.find(({ entry }) => entry.severity === worst?.code);
  const title = `${subject.name}: interactions`;
  return {
    ...EMPTY,
    kind: 'supplement',
    crumbs: crumbsOf(subject.name, subject.slug),
    title,
    answer: subjectAnswer(book, subject, rules),
    severity: worst,
    severityNote: ofState
      ? `the gravest that is entered here: ${(ofState.entry.name ?? CONDITION_WORDS[ofState.entry.condition]).toLowerCase()}`
      : EMPTY.severityNote,
    supplement: subject.name,
    about: [
      ...(subject.kind === 'supplement'
        ? [{ name: `The evidence on ${inSentence(subject.name)}`, href: `/supplements/${subject.slug}` }]
        : []),
      ...(book.drugs.drug(subject.slug)
        ? [{ name: `${subject.name} as a medicine`, href: `/interactions/${book.hubOf('drug', subject.slug)}` }]
        : []),
      ...(subject.authority ? [{ name: subject.authority.name, href: subject.authority.address }] : []),
    ],
    rulesTitle: `With medicines, supplements and food`,
    rules: rules.map((rule) => {
      const { name, href } = ruleLine(book, rule, subject.slug);
      return ruleView(book, hitOf(book, rule), { heading: name, href, drug: '' });
    }),
    cautions: [...cautions].sort((a, b) => gravestFirst(a.entry, b.entry)).map(cautionView),
    depletions: depletionsFor(book, ({ nutrient }) => nutrient.slug === subject.slug, 'nutrient'),
    signal: signalOf(book, subject.slug),
    coverage: COVERAGE_WORDS[coverageOfSupplement(book, subject.slug).level],
    ...historyOf([...rules, ...cautions, ...book.depletions.filter(({ nutrient }) => nutrient.slug === subject.slug)]),
  };
};
