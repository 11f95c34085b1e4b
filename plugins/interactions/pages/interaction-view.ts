/** Schema of the page /interactions/{interaction_slug}: a pair, a supplement, a medicine or a class of medicines. */
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
  /** Explains which of many rules the severity of the page is about. */
  severityNote: Type.String(),
  supplement: Type.String(),
  drug: Type.String(),
  /** Links to the pages of both sides. */
  about: Type.Array(LinkView),
  rulesTitle: Type.String(),
  rules: Type.Array(RuleView),
  cautions: Type.Array(RuleView),
  lines: Type.Array(Type.Object({ title: Type.String(), note: Type.String(), items: Type.Array(LineView) })),
  depletions: Type.Array(DepletionView),
  signal: Type.Union([SignalView, Type.Null()]),
  /** Warnings of authorities about a medicine as an undeclared ingredient of products. */
  inProducts: Type.Array(
    Type.Object({ name: Type.String(), statement: Type.String(), source: Type.Union([LinkView, Type.Null()]) }),
  ),
  members: Type.Array(LinkView),
  coverage: Type.String(),
  /** Legend of the marks of origin. */
  origins: LegendView,
  /** The day of the last change among its rules. */
  editedOn: Type.String(),
  history: HistoryView,
});
export type InteractionView = Static<typeof InteractionView>;

/** Defaults of the members that a page omits. */
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
