/** Parts shared by the pages of pairs, supplements, medicines and classes. */
import { dayInWords, historyView, inSentence } from '#plugins/evidence/index.ts';
import type { InteractionBook, Pair } from '../book/interaction-book.ts';
import type { CautionRecord, DepletionRecord, RuleRecord } from '../book/rule-record.ts';
import { effectOf } from '../checker/finding.ts';
import type { Hit } from '../checker/lookup.ts';
import { depletionJson } from '../checker/person.ts';
import type { DrugClass } from '../drugs/drug-book.ts';
import { CONDITION_WORDS, type Severity, severityRank } from '../rules/severity-labels.ts';
import type { InteractionView } from './interaction-view.ts';
import { type LineView, severityView } from './rule-view.ts';

/** Capitalizes the first letter: names of medicines are lower case inside a sentence and begin a line with a capital. */
export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const crumbsOf = (title: string, slug: string) => [
  { name: 'Interactions', href: '/interactions' },
  { name: title, href: `/interactions/${slug}` },
];

const hubOfRule = (book: InteractionBook, { target, slug, subject }: RuleRecord): string => {
  if (target.kind === 'class') return `/interactions/${book.hubOf('class', target.slug)}`;
  const pair = target.kind === 'drug' ? book.pair(subject.slug, target.slug) : null;
  return pair ? `/interactions/${pair.slug}` : `/interactions/${target.slug}#${slug}`;
};

const viaOf = (book: InteractionBook, { target }: RuleRecord): DrugClass | null =>
  target.kind === 'class' ? (book.drugs.classes.get(target.slug) ?? null) : null;

export const hitOf = (book: InteractionBook, rule: RuleRecord): Hit => ({
  rule,
  viaClass: viaOf(book, rule),
  only: null,
  grounds: book.groundsOf(rule),
});

/** Builds the line of a rule, as seen from the supplement. */
export const ruleLine = (book: InteractionBook, rule: RuleRecord, from: string): LineView => {
  const own = rule.subject.slug === from;
  return {
    name: capital(own ? rule.target.name : rule.subject.name),
    href: own ? hubOfRule(book, rule) : `/interactions/${rule.subject.slug}#${rule.slug}`,
    severity: severityView(rule.entry.severity),
    text: rule.entry.effect.trim(),
  };
};

export const pairLine = ({ slug, subject, applied: [first] }: Pair): LineView => ({
  name: subject.name,
  href: `/interactions/${slug}`,
  severity: severityView(first.rule.entry.severity),
  text: effectOf({ ...first, only: null }),
});

export const byLine = (a: LineView, b: LineView): number =>
  severityRank(a.severity.code as Severity) - severityRank(b.severity.code as Severity) || (a.name < b.name ? -1 : 1);

export const COVERAGE_WORDS = {
  none: 'The base holds nothing of the kind here.',
  sparse: 'The base holds little here: what is missing says almost nothing.',
  moderate: 'The base holds a fair number of records here; gaps are still likely.',
  broad: 'The base holds many records here. Even so, what is missing may exist.',
} as const;

export const countOf = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const depletionsFor = (
  book: InteractionBook,
  wanted: (record: InteractionBook['depletions'][number]) => boolean,
  from: 'nutrient' | 'drug',
) =>
  book.depletions.filter(wanted).map((record) => {
    const { effect, note, sources } = depletionJson(record);
    const { target, nutrient } = record;
    const hub = target.kind === 'class' || target.kind === 'drug' ? book.hubOf(target.kind, target.slug) : target.slug;
    // A substance without a supplement page, such as sodium, has only an interactions page.
    const page = nutrient.kind === 'supplement' ? 'supplements' : 'interactions';
    return {
      heading: from === 'drug' ? nutrient.name : capital(target.name),
      href: from === 'drug' ? `/${page}/${nutrient.slug}` : `/interactions/${hub}`,
      effect,
      note,
      sources: sources.map(({ title, authority, url }) => ({ name: authority ?? title, href: url })),
    };
  });

const titleOf = (record: RuleRecord | CautionRecord | DepletionRecord): string => {
  if ('nutrient' in record) return `${capital(record.target.name)} and ${inSentence(record.nutrient.name)}`;
  if ('target' in record) return `${record.subject.name} and ${inSentence(record.target.name)}`;
  return `${record.subject.name}, ${(record.entry.name ?? CONDITION_WORDS[record.entry.condition]).toLowerCase()}`;
};

/** Returns the date on which the records of a page were last reviewed, and the changes made to them. */
export const historyOf = (
  records: readonly (RuleRecord | CautionRecord | DepletionRecord)[],
): Pick<InteractionView, 'editedOn' | 'history'> => {
  const looked = records.map(({ entry, changedAt }) =>
    'reviewed_at' in entry && entry.reviewed_at ? entry.reviewed_at : changedAt.slice(0, 10),
  );
  const last = looked.sort().at(-1);
  const changes = records.flatMap((record) =>
    (record.entry.changes ?? []).map(({ date, what }) => ({
      date,
      what: records.length === 1 ? what : `${titleOf(record)}: ${what}`,
    })),
  );
  return { editedOn: last ? dayInWords(`${last}T00:00:00Z`) : '', history: historyView(changes) };
};
