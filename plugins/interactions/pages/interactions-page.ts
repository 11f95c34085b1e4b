/** Page /interactions: the checker at the top, then all interactions by supplement, class and severity. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { breadcrumbs, byName } from '#plugins/evidence/index.ts';
import { LegendView, ORIGIN_LEGEND } from '#plugins/vocabulary/index.ts';
import { DRUG_LEVELS, SUPPLEMENT_LEVELS } from '../book/coverage.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import { SEVERITIES, type Severity, worstWord } from '../rules/severity-labels.ts';
import type { InteractionServices } from '../services.ts';
import { pairResult, ResultView, stackResult } from './checker-view.ts';
import { rulesOfClass } from './drug-views.ts';
import { LineView, SeverityView, severityView } from './rule-view.ts';
import { capital } from './view-parts.ts';

const Counted = Type.Object({
  name: Type.String(),
  href: Type.String(),
  worst: Type.Union([SeverityView, Type.Null()]),
  count: Type.Integer(),
});

const InteractionsView = Type.Object({
  form: Type.Object({
    supplement: Type.String(),
    drug: Type.String(),
    s: Type.String(),
    d: Type.String(),
    c: Type.String(),
  }),
  result: Type.Union([ResultView, Type.Null()]),
  totals: Type.Object({
    pairs: Type.Integer(),
    rules: Type.Integer(),
    supplements: Type.Integer(),
    drugs: Type.Integer(),
  }),
  severities: Type.Array(
    Type.Object({
      severity: SeverityView,
      rules: Type.Integer(),
      pairs: Type.Integer(),
      href: Type.String(),
      chosen: Type.Boolean(),
    }),
  ),
  /** Rules of the selected severity. */
  chosen: Type.Array(LineView),
  supplements: Type.Array(Counted),
  substances: Type.Array(Counted),
  classes: Type.Array(Counted),
  origins: LegendView,
  coverage: Type.Array(Type.Object({ level: Type.String(), supplement: Type.String(), drug: Type.String() })),
});
type InteractionsView = Static<typeof InteractionsView>;

const InteractionsQuery = Type.Object({
  supplement: Type.String({ maxLength: 200, default: '' }),
  drug: Type.String({ maxLength: 200, default: '' }),
  /** Names separated by commas or semicolons. */
  s: Type.String({ maxLength: 2_000, default: '' }),
  d: Type.String({ maxLength: 2_000, default: '' }),
  c: Type.String({ maxLength: 2_000, default: '' }),
  severity: Type.String({ maxLength: 40, default: '' }),
});
type InteractionsQuery = Static<typeof InteractionsQuery>;

const MOST_NAMES = 30;
const split = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim().slice(0, 120))
    .filter(Boolean)
    .slice(0, MOST_NAMES);

const resultOf = async (services: InteractionServices, book: InteractionBook, query: InteractionsQuery) => {
  const names = services.names(book);
  const [supplement, drug] = [query.supplement.trim(), query.drug.trim()];
  if (supplement && drug) return pairResult(book, names, { supplement, drug });
  const stack = { supplements: split(query.s), drugs: split(query.d), foods: [], conditions: split(query.c) };
  if (supplement) stack.supplements.unshift(supplement);
  if (drug) stack.drugs.unshift(drug);
  return stack.supplements.length + stack.drugs.length ? stackResult(book, names, stack) : null;
};

const severitiesOf = (book: InteractionBook, chosen: string): InteractionsView['severities'] =>
  SEVERITIES.flatMap((severity) => {
    const rules = book.rules.filter(({ entry }) => entry.severity === severity).length;
    const pairs = book.pairs.filter(({ applied: [{ rule }] }) => rule.entry.severity === severity).length;
    if (!rules) return [];
    const own = severity === chosen;
    const href = own ? '/interactions' : `/interactions?severity=${severity}#by-severity`;
    return [{ severity: severityView(severity), rules, pairs, href, chosen: own }];
  });

const chosenOf = (book: InteractionBook, chosen: string): LineView[] =>
  book.rules
    .filter(({ entry }) => entry.severity === chosen)
    .map(({ slug, subject, target, entry }) => ({
      name: `${subject.name} and ${target.kind === 'class' || target.kind === 'drug' ? target.name : capital(target.name)}`,
      href: `/interactions/${subject.slug}#${slug}`,
      severity: severityView(entry.severity),
      text: entry.effect.trim(),
    }))
    .sort(byName);

const gravest = (records: readonly { readonly entry: { readonly severity: Severity } }[]): Severity | null =>
  SEVERITIES.find((severity) => records.some(({ entry }) => entry.severity === severity)) ?? null;

const subjectsOf = (book: InteractionBook, kind: 'supplement' | 'substance'): Static<typeof Counted>[] =>
  [...book.subjects.values()]
    .filter((subject) => subject.kind === kind)
    .flatMap(({ slug, name }) => {
      const [rules, cautions] = [book.rulesOf(slug), book.cautionsOf(slug)];
      const worst = worstWord(gravest(rules), gravest(cautions));
      const href = `/interactions/${slug}`;
      return worst ? [{ name, href, worst, count: rules.length + cautions.length }] : [];
    })
    .sort(byName);

const classesOf = (book: InteractionBook): Static<typeof Counted>[] =>
  [...book.drugs.classes.values()]
    .map(({ slug, name }) => {
      const rules = rulesOfClass(book, slug);
      const worst = rules[0] ? severityView(rules[0].entry.severity) : null;
      return { name, href: `/interactions/${book.hubOf('class', slug)}`, worst, count: rules.length };
    })
    .sort(byName);

/** Formats the definition of coverage from the thresholds that the code uses. */
const coverageWords = (): InteractionsView['coverage'] =>
  SUPPLEMENT_LEVELS.map(({ level, records, sources }) => ({
    level,
    supplement: `${records} or more rules and cautions${sources ? `, from ${sources} or more sources` : ''}`,
    drug: `${DRUG_LEVELS.find((step) => step.level === level)?.supplements ?? 0} or more supplements with a rule that reaches it`,
  }));

const loadInteractions = async ({ services, config }: Context<InteractionServices>, query: InteractionsQuery) => {
  const book = await services.book();
  const result = await resultOf(services, book, query);
  const severity = SEVERITIES.find((known) => known === query.severity) as Severity | undefined;
  const supplements = subjectsOf(book, 'supplement');
  const { supplement, drug, s, d, c } = query;
  const view: InteractionsView = {
    form: { supplement, drug, s, d, c },
    origins: ORIGIN_LEGEND,
    result,
    totals: {
      pairs: book.pairs.length,
      rules: book.rules.length,
      supplements: supplements.length,
      drugs: new Set(book.pairs.map((pair) => pair.drug.slug)).size,
    },
    severities: severitiesOf(book, query.severity),
    chosen: severity ? chosenOf(book, severity) : [],
    supplements,
    substances: subjectsOf(book, 'substance'),
    classes: classesOf(book),
    coverage: coverageWords(),
  };
  const asked = Boolean(result || severity);
  const description = `Check a supplement with a medicine, or a whole list. ${view.totals.pairs} pairs from ${view.totals.rules} rules, each with its severity, likelihood and sources.`;
  const title = result ? `Interaction check: ${result.title}` : 'Interactions of supplements with medicines';
  const crumbs = [{ name: 'Interactions', href: '/interactions' }];
  return {
    head: { title, description, noindex: asked, structuredData: [breadcrumbs(config.text('BASE_URL'), crumbs)] },
    view,
  };
};

async function* listInteractionsPage({ services }: Context<InteractionServices>): AsyncIterable<PageInstance> {
  const book = await services.book();
  const changed = book.rules.map(({ changedAt }) => changedAt).sort();
  yield { params: {}, version: book.version, changedAt: changed.at(-1) ?? null };
}

export const interactionsPage = definePage({
  id: 'interactions.interactions',
  path: '/interactions',
  summary: 'The interaction checker, and all interactions by supplement, class and severity',
  template: 'interactions/interactions',
  query: InteractionsQuery,
  view: InteractionsView,
  scope: 'public',
  sitemap: 'interactions',
  llms: { section: 'Lists', isInFull: false },
  revision: 4,
  list: listInteractionsPage,
  load: (context: Context<InteractionServices>, { query }) => loadInteractions(context, query),
});
