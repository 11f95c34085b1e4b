/** The variables of /interactions/{interaction_slug}: a pair, a supplement, a medicine or a class of medicines. */
import { type Static, Type } from 'typebox';
import { CrumbList, HistoryView, LinkView } from '#plugins/evidence/index.ts';
import { LegendView, ORIGIN_LEGEND } from '#plugins/vocabulary/index.ts';
import { LineView, RuleView, SeverityView } from './rule-view.ts';

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
  /** What the severity of a page of many is about. */
  severityNote: Type.String(),
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
  /** What authorities say of a medicine as an ingredient of products that do not name it. */
  inProducts: Type.Array(
    Type.Object({ name: Type.String(), statement: Type.String(), source: Type.Union([LinkView, Type.Null()]) }),
  ),
  members: Type.Array(LinkView),
  coverage: Type.String(),
  /** What the marks of origin mean. */
  origins: LegendView,
  /** The day of the last change among its rules. */
  editedOn: Type.String(),
  history: HistoryView,
});
export type InteractionView = Static<typeof InteractionView>;

/** What a page leaves out. */
export const EMPTY: Omit<InteractionView, 'kind' | 'crumbs' | 'title' | 'answer' | 'coverage'> = {
  severity: null,
  severityNote: 'the gravest that is entered here',
  supplement: '',
  drug: '',
  about: [],
  rulesTitle: '',
  rules: [],
  cautions: [],
  lines: [],
  depletions: [],
  signal: null,
  inProducts: [],
  members: [],
  origins: ORIGIN_LEGEND,
  editedOn: '',
  history: [],
};
