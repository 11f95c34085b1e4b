/** Defines /methodology: the grading formula as the code applies it, its limits, and the handling of retracted work. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { webPage } from '#core/render/structured-data.ts';
import { evidencePlugin, OptionalTier, TIER_WEIGHTS, type Tier, tierView, versionOf } from '#plugins/evidence/index.ts';
import { sourceUrl } from '#plugins/findings/index.ts';
import {
  describeGrounds,
  EXPOSURE_LEVELS,
  NARROW,
  NO_OUTCOME,
  NOT_KNOWN,
  NOT_MEASURED,
  OUTCOME_LEVELS,
  SEVERITY_WORDS,
  type Severity,
  STATED,
  STATED_BY_LABEL,
} from '#plugins/interactions/index.ts';
import { CERTAINTY_WORDS, type MethodDescription, outcomesPlugin } from '#plugins/outcomes/index.ts';

const Row = Type.Object({ label: Type.String(), points: Type.Number() });

const OutcomeMethod = Type.Object({
  version: Type.String(),
  certainties: Type.Array(Type.Object({ word: Type.String(), meaning: Type.String() })),
  population: Type.Array(Type.String()),
  findingRules: Type.Array(Type.String()),
  findingReasons: Type.Array(Type.Object({ steps: Type.Integer(), label: Type.String() })),
  counted: Type.String(),
  direction: Type.Array(Type.String()),
  starts: Type.Array(Type.Object({ word: Type.String(), label: Type.String() })),
  downgrades: Type.Array(Type.Object({ steps: Type.Integer(), label: Type.String() })),
  caps: Type.Array(Type.Object({ word: Type.String(), label: Type.String() })),
  magnitude: Type.String(),
  thresholds: Type.Array(
    Type.Object({ name: Type.String(), large: Type.Number(), moderate: Type.Number(), small: Type.Number() }),
  ),
  smallest: Type.Array(
    Type.Object({ scale: Type.String(), value: Type.String(), title: Type.String(), href: Type.String() }),
  ),
  notMeasured: Type.Array(Type.String()),
});

const MethodologyView = Type.Object({
  version: Type.String(),
  max: Type.Number(),
  tiers: Type.Array(
    Type.Object({ tier: OptionalTier, from: Type.Number(), to: Type.Number(), meaning: Type.String() }),
  ),
  parts: Type.Array(
    Type.Object({
      name: Type.String(),
      max: Type.Number(),
      summary: Type.String(),
      tables: Type.Array(Type.Object({ name: Type.String(), rows: Type.Array(Row) })),
    }),
  ),
  caps: Type.Array(Type.Object({ tier: OptionalTier, ceiling: Type.Number(), reason: Type.String() })),
  weights: Type.Array(Type.Object({ tier: OptionalTier, weight: Type.Integer() })),
  outcomes: OutcomeMethod,
  /** Kinds of evidence that an interaction can be based on, strongest first. */
  grounds: Type.Array(Type.Object({ word: Type.String(), meaning: Type.String(), atMost: Type.String() })),
  /** The severity rule: its factors, each with its criteria and the lowest severity that each criterion implies. */
  severity: Type.Array(
    Type.Object({
      factor: Type.String(),
      lines: Type.Array(Type.Object({ text: Type.String(), severity: Type.String() })),
    }),
  ),
});
type MethodologyView = Static<typeof MethodologyView>;

const PART_NAMES: Readonly<Record<string, string>> = {
  design: 'Design',
  size: 'Size',
  bias: 'Safeguards against bias',
  directness: 'Directness',
};
const FAMILY_NAMES: Readonly<Record<string, string>> = {
  trial: 'Trials',
  review: 'Reviews',
  observational: 'Observational studies',
  guideline: 'Guidelines',
};

type Formula = ReturnType<typeof formulaOf>;
const formulaOf = ({ use }: Context) => use(evidencePlugin).formula;

/** Returns the rows of a part of the formula, one table per scale or family; all designs share one table. */
const tablesOf = (part: Formula['parts'][number]): MethodologyView['parts'][number]['tables'] => {
  if (part.part === 'design') return [{ name: '', rows: part.rows.map(({ label, points }) => ({ label, points })) }];
  const groups = Map.groupBy(part.rows, ({ group }) => group);
  return [...groups].map(([group, rows]) => ({
    name: FAMILY_NAMES[group] ?? group,
    rows: rows.map(({ label, points }) => ({ label, points })),
  }));
};

const outcomeView = (method: MethodDescription): MethodologyView['outcomes'] => ({
  version: method.version,
  certainties: method.certainties.map(({ certainty, meaning }) => ({ word: CERTAINTY_WORDS[certainty], meaning })),
  population: method.population,
  findingRules: method.findings.rules,
  findingReasons: method.findings.reasons.map(({ steps, label }) => ({ steps, label })),
  counted: method.counted,
  direction: method.direction,
  starts: method.starts.map(({ certainty, label }) => ({ word: CERTAINTY_WORDS[certainty], label })),
  downgrades: method.downgrades.map(({ steps, label }) => ({ steps, label })),
  caps: method.caps.map(({ ceiling, label }) => ({ word: CERTAINTY_WORDS[ceiling], label })),
  magnitude: method.magnitude.summary,
  thresholds: [
    { name: 'Standardised difference', ...method.magnitude.thresholds.standardised },
    { name: 'Ratio, or its inverse', ...method.magnitude.thresholds.ratio },
  ],
  smallest: method.magnitude.smallest_differences.map(({ scale, value, unit, title, source }) => ({
    scale: `${scale.charAt(0).toUpperCase()}${scale.slice(1)}`,
    value: `${value} ${unit}`,
    title,
    href: sourceUrl(source),
  })),
  notMeasured: method.not_measured,
});

const lineOf = ({ text, points_to: to }: { readonly text: string; readonly points_to: Severity }) => ({
  text,
  severity: SEVERITY_WORDS[to],
});

const severityView = (): MethodologyView['severity'] => [
  { factor: 'What can happen', lines: [...OUTCOME_LEVELS, NO_OUTCOME].map(lineOf) },
  { factor: 'How much the level of the medicine changes', lines: [...EXPOSURE_LEVELS, NOT_MEASURED].map(lineOf) },
  { factor: 'A narrow therapeutic index', lines: [{ text: NARROW.text, severity: 'One step more' }] },
  { factor: 'What an editor or a label says outright', lines: [STATED_BY_LABEL, STATED, NOT_KNOWN].map(lineOf) },
];

const viewOf = (formula: Formula, method: MethodDescription): MethodologyView => ({
  version: formula.version,
  max: formula.max,
  tiers: formula.tiers.map(({ tier, from, meaning }, at) => {
    const above = formula.tiers[at - 1];
    const to = above ? Math.round((above.from - 0.1) * 10) / 10 : formula.max;
    return { tier: tierView(tier), from, to, meaning };
  }),
  parts: formula.parts.map((part) => ({
    name: PART_NAMES[part.part] ?? part.part,
    max: part.max,
    summary: part.summary,
    tables: tablesOf(part),
  })),
  caps: formula.caps.map(({ tier, ceiling, reason }) => ({ tier: tierView(tier), ceiling, reason })),
  weights: Object.entries(TIER_WEIGHTS).map(([tier, weight]) => ({ tier: tierView(tier as Tier), weight })),
  outcomes: outcomeView(method),
  grounds: describeGrounds().map(({ word, meaning, atMost }) => ({ word, meaning, atMost })),
  severity: severityView(),
});

const viewFor = (context: Context): MethodologyView => viewOf(formulaOf(context), context.use(outcomesPlugin).method);

const head = {
  title: 'How we grade',
  description:
    'How every source gets its score and its tier from A to D: parts, tables, caps, the limits of the method, and how retractions are handled.',
};

export const methodologyPage = definePage({
  id: 'pages.methodology',
  path: '/methodology',
  summary: 'How sources are graded',
  template: 'pages/methodology',
  view: MethodologyView,
  scope: 'public',
  sitemap: 'static',
  llms: { section: 'About this base', isInFull: true },
  revision: 3,
  list: function* (context: Context): Iterable<PageInstance> {
    yield { params: {}, version: versionOf(viewFor(context)), changedAt: null };
  },
  load: async (context: Context) => {
    const facts = { baseUrl: context.config.text('BASE_URL'), path: '/methodology', name: head.title };
    const structuredData = [webPage({ ...facts, description: head.description })];
    return { head: { ...head, structuredData }, view: viewFor(context) };
  },
});
