/** The variables of /interactions/{slug}: a pair, a supplement, a medicine or a class of medicines. */
import { type Static, Type } from 'typebox';
import { CrumbList, inSentence, LinkView } from '#plugins/evidence/index.ts';
import { coverageOfDrugs, coverageOfSupplement, lowerCoverage } from '../book/coverage.ts';
import type { InteractionBook, Pair } from '../book/interaction-book.ts';
import { byGravity, type RuleRecord, type Subject } from '../book/rule-record.ts';
import { effectOf } from '../checker/finding.ts';
import type { Hit } from '../checker/lookup.ts';
import { depletionJson, reaches } from '../checker/person.ts';
import type { Drug, DrugClass } from '../drugs/drug-book.ts';
import { SEVERITIES, type Severity, severityRank, SIGNAL_CAVEAT } from '../rules/words.ts';
import { cautionView, LineView, RuleView, ruleView, SeverityView, severityView } from './rule-view.ts';

const DepletionView = Type.Object({
  heading: Type.String(),
  href: Type.String(),
  effect: Type.String(),
  note: Type.String(),
  sources: Type.Array(Type.Object({ name: Type.String(), href: Type.String() })),
});

const SignalView = Type.Object({
  reports: Type.Integer(),
  serious: Type.Integer(),
  outcomes: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
  years: Type.String(),
  source: LinkView,
  caveat: Type.String(),
});

export const InteractionView = Type.Object({
  kind: Type.String({ enum: ['pair', 'supplement', 'drug', 'class'] }),
  crumbs: CrumbList,
  title: Type.String(),
  answer: Type.String(),
  severity: Type.Union([SeverityView, Type.Null()]),
  supplement: Type.String(),
  drug: Type.String(),
  /** Pages of the two themselves. */
  about: Type.Array(LinkView),
  rulesTitle: Type.String(),
  rules: Type.Array(RuleView),
  cautions: Type.Array(RuleView),
  lines: Type.Array(Type.Object({ title: Type.String(), note: Type.String(), items: Type.Array(LineView) })),
  depletions: Type.Array(DepletionView),
  signal: Type.Union([SignalView, Type.Null()]),
  members: Type.Array(LinkView),
  coverage: Type.String(),
  changedOn: Type.String(),
});
export type InteractionView = Static<typeof InteractionView>;

const EMPTY = {
  severity: null,
  supplement: '',
  drug: '',
  about: [],
  rulesTitle: '',
  rules: [],
  cautions: [],
  lines: [],
  depletions: [],
  signal: null,
  members: [],
  changedOn: '',
} as const;

/** Medicines begin a line with a capital; inside a sentence they have none. */
export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const crumbsOf = (title: string, slug: string) => [
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

const hitOf = (book: InteractionBook, rule: RuleRecord): Hit => ({ rule, viaClass: viaOf(book, rule), only: null });

/** A rule in one line, seen from the supplement. */
const ruleLine = (book: InteractionBook, rule: RuleRecord, from: string): LineView => {
  const own = rule.subject.slug === from;
  return {
    name: capital(own ? rule.target.name : rule.subject.name),
    href: own ? hubOfRule(book, rule) : `/interactions/${rule.subject.slug}#${rule.slug}`,
    severity: severityView(rule.entry.severity),
    text: effectOf(hitOf(book, rule)),
  };
};

const pairLine = ({ slug, subject, applied: [first] }: Pair): LineView => ({
  name: subject.name,
  href: `/interactions/${slug}`,
  severity: severityView(first.rule.entry.severity),
  text: effectOf({ ...first, only: null }),
});

const byLine = (a: LineView, b: LineView): number =>
  severityRank(a.severity.code as Severity) - severityRank(b.severity.code as Severity) || (a.name < b.name ? -1 : 1);

const COVERAGE_WORDS = {
  none: 'The base holds nothing of the kind here.',
  sparse: 'The base holds little here: what is missing says almost nothing.',
  moderate: 'The base holds a fair number of records here; gaps are still likely.',
  broad: 'The base holds many records here. Even so, what is missing may exist.',
} as const;

const countOf = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const depletionsFor = (book: InteractionBook, wanted: (record: InteractionBook['depletions'][number]) => boolean, from: 'nutrient' | 'drug') =>
  book.depletions.filter(wanted).map((record) => {
    const { effect, note, sources } = depletionJson(record);
    const { target, nutrient } = record;
    const hub = target.kind === 'class' || target.kind === 'drug' ? book.hubOf(target.kind, target.slug) : target.slug;
    return {
      heading: from === 'drug' ? nutrient.name : capital(target.name),
      href: from === 'drug' ? `/supplements/${nutrient.slug}` : `/interactions/${hub}`,
      effect,
      note,
      sources: sources.map(({ title, authority, url }) => ({ name: authority ?? title, href: url })),
    };
  });

/** What this page shows of a pair; the pages of a supplement and a drug list it from their sides. */
export const pairView = (book: InteractionBook, pair: Pair): InteractionView => {
  const { subject, drug, applied, slug } = pair;
  const title = `${subject.name} and ${drug.name}`;
  const severity = applied[0].rule.entry.severity;
  const coverage = lowerCoverage(coverageOfSupplement(book, subject.slug).level, coverageOfDrugs(book, [drug.slug]));
  const mine = new Set(applied.map(({ rule }) => rule.slug));
  const others = book.rulesOf(subject.slug).filter((rule) => !mine.has(rule.slug));
  const sameDrug = book.pairsOfDrug(drug.slug).filter((other) => other !== pair);
  return {
    ...EMPTY,
    kind: 'pair',
    crumbs: [
      { name: 'Interactions', href: '/interactions' },
      { name: subject.name, href: `/interactions/${subject.slug}` },
      { name: title, href: `/interactions/${slug}` },
    ],
    title,
    answer: effectOf({ ...applied[0], only: null }),
    severity: severityView(severity),
    supplement: subject.name,
    drug: drug.name,
    about: [
      { name: `All of ${inSentence(subject.name)}`, href: `/interactions/${subject.slug}` },
      { name: `All of ${drug.name}`, href: `/interactions/${book.hubOf('drug', drug.slug)}` },
      ...(subject.kind === 'supplement'
        ? [{ name: `The evidence on ${inSentence(subject.name)}`, href: `/supplements/${subject.slug}` }]
        : []),
    ],
    rules: applied.map(({ rule, viaClass }) =>
      ruleView(book, { rule, viaClass, only: null }, { heading: title, href: '', drug: drug.name }),
    ),
    lines: [
      {
        title: `Other interactions of ${inSentence(subject.name)}`,
        note: '',
        items: others.map((rule) => ruleLine(book, rule, subject.slug)),
      },
      { title: `Other supplements with ${drug.name}`, note: '', items: sameDrug.map(pairLine).sort(byLine) },
    ],
    coverage: COVERAGE_WORDS[coverage],
    changedOn: latestOf(applied.map(({ rule }) => rule)),
  };
};

const latestOf = (records: readonly { readonly changedAt: string }[]): string =>
  records.map(({ changedAt }) => changedAt).sort().at(-1)?.slice(0, 10) ?? '';

const signalOf = (book: InteractionBook, slug: string): InteractionView['signal'] => {
  const signal = book.signals.get(slug);
  if (!signal) return null;
  const { reports, serious, years, source } = signal;
  const outcomes = Object.entries(signal.outcomes)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name: capital(name.replaceAll('_', ' ')), count }))
    .sort((a, b) => b.count - a.count);
  return { reports, serious, outcomes, years, source: { name: source.name, href: source.address }, caveat: SIGNAL_CAVEAT };
};

const worstOf = (rules: readonly { readonly entry: { readonly severity: Severity } }[]): Severity | null =>
  SEVERITIES.find((severity) => rules.some(({ entry }) => entry.severity === severity)) ?? null;

/** The kind of thing in words, for what has no page of its own. */
const whatItIs = ({ kind, substanceKind, statement }: Subject): string => {
  if (kind === 'supplement') return '';
  return statement || (substanceKind === 'food' ? 'A food.' : `A ${substanceKind} substance.`);
};

const subjectAnswer = (book: InteractionBook, subject: Subject, rules: readonly RuleRecord[]): string => {
  const name = inSentence(subject.name);
  const drugs = book.pairsOf(subject.slug).length;
  const cautions = book.cautionsOf(subject.slug).length;
  const first = whatItIs(subject);
  if (!rules.length && !cautions)
    return `${first} No record of an interaction of ${name} is in our sources. This does not mean that it is safe with other things.`.trim();
  const amount = `This base holds ${countOf(rules.length, 'interaction')} of ${name}, which reach ${countOf(drugs, 'medicine')}, and ${countOf(cautions, 'caution')} for states of health.`;
  return `${first} ${amount} What is not listed may still interact.`.trim();
};

export const supplementView = (book: InteractionBook, subject: Subject): InteractionView => {
  const rules = book.rulesOf(subject.slug);
  const cautions = book.cautionsOf(subject.slug);
  const worst = worstOf([...rules, ...cautions]);
  const title = `${subject.name}: interactions`;
  return {
    ...EMPTY,
    kind: 'supplement',
    crumbs: crumbsOf(subject.name, subject.slug),
    title,
    answer: subjectAnswer(book, subject, rules),
    severity: worst && severityView(worst),
    supplement: subject.name,
    about:
      subject.kind === 'supplement'
        ? [{ name: `The evidence on ${inSentence(subject.name)}`, href: `/supplements/${subject.slug}` }]
        : subject.authority
          ? [{ name: subject.authority.name, href: subject.authority.address }]
          : [],
    rulesTitle: `With medicines, supplements and food`,
    rules: rules.map((rule) => {
      const { name, href } = ruleLine(book, rule, subject.slug);
      return ruleView(book, hitOf(book, rule), { heading: name, href, drug: '' });
    }),
    cautions: [...cautions]
      .sort((a, b) => severityRank(a.entry.severity) - severityRank(b.entry.severity))
      .map(cautionView),
    depletions: depletionsFor(book, ({ nutrient }) => nutrient.slug === subject.slug, 'nutrient'),
    signal: signalOf(book, subject.slug),
    coverage: COVERAGE_WORDS[coverageOfSupplement(book, subject.slug).level],
    changedOn: latestOf([...rules, ...cautions]),
  };
};

export const drugView = (book: InteractionBook, drug: Drug): InteractionView => {
  const parts = drug.ingredients.filter((slug) => slug !== drug.slug);
  const pairs = [drug.slug, ...parts].flatMap((slug) => book.pairsOfDrug(slug));
  const items = pairs.map(pairLine).sort(byLine);
  const title = `${capital(drug.name)}: interactions with supplements`;
  const brands = drug.brands.slice(0, 4).join(', ');
  const answer = items.length
    ? `This base holds ${countOf(items.length, 'interaction')} of supplements and foods with ${drug.name}. Medicines with medicines are not covered here: ask a pharmacist.`
    : `No record of a supplement with ${drug.name} is in our sources. This does not mean that any is safe with it. Ask a pharmacist.`;
  return {
    ...EMPTY,
    kind: 'drug',
    crumbs: crumbsOf(capital(drug.name), book.hubOf('drug', drug.slug)),
    title,
    answer: brands ? `${answer} It is sold as ${brands}${drug.brands.length > 4 ? ' and under other names' : ''}.` : answer,
    severity: items[0] ? items[0].severity : null,
    drug: drug.name,
    about: drug.classes.flatMap((slug) => {
      const found = book.drugs.classes.get(slug);
      return found ? [{ name: found.name, href: `/interactions/${book.hubOf('class', slug)}` }] : [];
    }),
    lines: [{ title: 'Supplements and foods', note: 'Gravest first.', items }],
    depletions: depletionsFor(book, (record) => reaches(book, record, { type: 'drug', drug, name: drug.name, input: '', matchType: 'exact', confidence: 1 }), 'drug'),
    coverage: COVERAGE_WORDS[coverageOfDrugs(book, parts.length ? parts : [drug.slug])],
    changedOn: latestOf(pairs.map(({ applied: [{ rule }] }) => rule)),
  };
};

/** The class with all that is wider: rules of those reach it too. */
const widerOf = (book: InteractionBook, slug: string, seen: Set<string> = new Set()): ReadonlySet<string> => {
  if (seen.has(slug)) return seen;
  seen.add(slug);
  for (const parent of book.drugs.classes.get(slug)?.parents ?? []) widerOf(book, parent, seen);
  return seen;
};

export const rulesOfClass = (book: InteractionBook, slug: string): readonly RuleRecord[] => {
  const wider = widerOf(book, slug);
  return book.rules.filter(({ target }) => target.kind === 'class' && wider.has(target.slug)).toSorted(byGravity);
};

export const classView = (book: InteractionBook, drugClass: DrugClass): InteractionView => {
  const rules = rulesOfClass(book, drugClass.slug);
  const members = book.drugs.membersOf(drugClass.slug);
  const items = rules.map((rule): LineView => ({
    name: rule.subject.name,
    href: `/interactions/${rule.subject.slug}#${rule.slug}`,
    severity: severityView(rule.entry.severity),
    text: effectOf(hitOf(book, rule)),
  }));
  const lower = inSentence(drugClass.name);
  return {
    ...EMPTY,
    kind: 'class',
    crumbs: crumbsOf(drugClass.name, book.hubOf('class', drugClass.slug)),
    title: `${drugClass.name}: interactions with supplements`,
    answer: items.length
      ? `${drugClass.description} This base holds ${countOf(items.length, 'interaction')} of supplements and foods with the whole class; single medicines may have more.`
      : `${drugClass.description} No record of a supplement with ${lower} as a class is in our sources. This does not mean that any is safe with them.`,
    severity: items[0] ? items[0].severity : null,
    drug: drugClass.name,
    about: drugClass.parents.flatMap((slug) => {
      const found = book.drugs.classes.get(slug);
      return found ? [{ name: found.name, href: `/interactions/${book.hubOf('class', slug)}` }] : [];
    }),
    lines: [{ title: 'Supplements and foods', note: 'Gravest first.', items: items.sort(byLine) }],
    depletions: depletionsFor(book, ({ target }) => target.kind === 'class' && target.slug === drugClass.slug, 'drug'),
    members: members.map(({ slug, name }) => ({ name, href: `/interactions/${book.hubOf('drug', slug)}` })),
    coverage: '',
    changedOn: latestOf(rules),
  };
};
