/**
 * Page /supplements/{slug}/best: the supplement's products by safety and by how their labels compare with trials, with the rule
 * printed.
 */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import {
  breadcrumbs,
  CrumbList,
  DirectionView,
  directionView,
  inSentence,
  LinkView,
  latest,
  nearSupplements,
  versionOf,
} from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { type SupplementRow, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { CANDIDATES, readCandidateIds } from './best-candidates.ts';
import { type Candidate, rank, toCandidate } from './best-ranking.ts';

const Line = Type.Object({
  place: Type.Integer(),
  product: LinkView,
  brand: LinkView,
  form: Type.String(),
  market: Type.String(),
  dose: Type.String(),
  match: Type.String(),
  complete: Type.Boolean(),
  interactions: Type.Integer(),
  against: Type.Array(Type.String()),
});
type Line = Static<typeof Line>;

const BestView = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  nameInSentence: Type.String(),
  supplementHref: Type.String(),
  productsHref: Type.String(),
  answer: Type.String(),
  /** Assessed outcomes, as a reminder that no product is better than its substance. */
  findings: Type.Array(Type.Object({ link: LinkView, direction: DirectionView })),
  ranked: Type.Array(Line),
  unranked: Type.Array(Line),
  leftOut: Type.Array(Line),
  /** Number of products known to contain it; `withAmount` counts those whose label states its amount. */
  total: Type.Integer(),
  withAmount: Type.Integer(),
  /** Number of newest labels that were examined; 0 if all were. */
  capped: Type.Integer(),
});
type BestView = Static<typeof BestView>;

const MATCH_WORDS = {
  within: 'within the doses of trials',
  below: 'below the doses of trials',
  above: 'above the doses of trials',
  unknown: 'cannot be compared',
} as const;

/** Formats the comparison with trials: "below the doses of trials (75 % of the lowest)". */
const besideTrials = ({ match, reason, share }: Candidate): string => {
  if (reason || match !== 'below' || share === null) return reason || MATCH_WORDS[match];
  return `${MATCH_WORDS.below} (${share < 0.01 ? 'under 1' : Math.floor(share * 100)} % of the lowest)`;
};

const lineOf = (candidate: Candidate & { readonly place?: number }): Line => ({
  place: candidate.place ?? 0,
  product: { name: candidate.name, href: `/product/${candidate.id}` },
  brand: { name: candidate.brand, href: candidate.brandSlug ? `/brands/${candidate.brandSlug}` : '' },
  form: candidate.form,
  market: candidate.market ? 'on the market' : 'market status unknown',
  dose: candidate.dose,
  match: besideTrials(candidate),
  complete: candidate.isComplete,
  interactions: candidate.interactions,
  against: [...candidate.against],
});

const figures = new Intl.NumberFormat('en-GB');
const counted = (n: number): string => `${figures.format(n)} product${n === 1 ? '' : 's'}`;

const answerOf = ({ ranked, withAmount, total }: Pick<BestView, 'ranked' | 'withAmount' | 'total'>, name: string) => {
  if (!total) return `This base holds no product with ${name}, so there is nothing to rank.`;
  if (!withAmount)
    return `This base knows ${counted(total)} with ${name}, but no printed amount of any that may be sold now. Without amounts there is no honest ranking.`;
  if (!ranked.length)
    return `Of ${counted(total)} with ${name} this base knows the printed amount of ${figures.format(withAmount)} that may be sold now, but none can be compared with doses in trials. There is no honest ranking.`;
  return `Of ${counted(total)} with ${name} the labels of ${figures.format(ranked.length)} that may be sold now can be compared with doses in trials. They are ordered by what is printed on them; nobody tested what is in them.`;
};

const viewOf = async (context: Context, row: SupplementRow): Promise<BestView> => {
  const products = context.use(productsPlugin);
  const total = (await products.countsBySupplement()).get(row.slug) ?? 0;
  const ids = total ? await context.db.read((em) => readCandidateIds(em, row.slug)) : [];
  const cards = ids.length ? await products.cards(ids.slice(0, CANDIDATES)) : [];
  const candidates = cards.map((card) => toCandidate(card, row.slug)).filter((candidate) => candidate !== null);
  const { ranked, unranked, leftOut } = rank(candidates);
  const terms = await context.use(vocabularyPlugin).terms();
  const name = inSentence(row.name);
  const shown = { ranked: ranked.map(lineOf), withAmount: candidates.length, total };
  return {
    crumbs: [
      { name: 'Supplements', href: '/supplements' },
      { name: row.name, href: `/supplements/${row.slug}` },
      { name: 'Products by label', href: `/supplements/${row.slug}/best` },
    ],
    name: row.name,
    nameInSentence: name,
    supplementHref: `/supplements/${row.slug}`,
    productsHref: `/supplements/${row.slug}/products`,
    answer: answerOf(shown, name),
    findings: (await context.use(outcomesPlugin).ofSupplement(row.slug))
      .filter(({ assessed }) => assessed)
      .map(({ vertical, topic_slug: topic, direction }) => ({
        link: { name: terms.topics.get(topic)?.name ?? topic, href: `/evidence/${vertical}` },
        direction: directionView(direction),
      })),
    ...shown,
    unranked: unranked.map(lineOf),
    leftOut: leftOut.map(lineOf),
    capped: ids.length > CANDIDATES ? CANDIDATES : 0,
  };
};

const loadBest = async (context: Context, slug: string) => {
  const vocabulary = context.use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  const row = terms.supplements.get(slug);
  if (!row) {
    const meant = await vocabulary.pageFor('supplement', slug);
    if (meant) return { redirect: `/supplements/${meant}/best`, status: 301 as const };
    return { missing: { resource: 'Supplement', id: slug, near: nearSupplements(slug, terms) } };
  }
  const view = await viewOf(context, row);
  const baseUrl = context.config.text('BASE_URL');
  return {
    head: {
      title: `${row.name}: products by safety and dose`,
      description: `How the labels of products with ${view.nameInSentence} compare: safety flags, dose beside trials, amounts stated. The rule is printed; no brand is favoured.`,
      structuredData: [breadcrumbs(baseUrl, view.crumbs)],
    },
    view,
  };
};

async function* listBest({ use }: Context): AsyncIterable<PageInstance> {
  const terms = await use(vocabularyPlugin).terms();
  const counts = await use(interactionsPlugin).counts();
  const { bySupplement: states, recalls } = await use(productsPlugin).marketStates();
  // A product's other ingredients also count: their limits, warnings and interactions.
  const around = versionOf(recalls, [...counts], [...terms.intakes], [...terms.substances]);
  const grades = Map.groupBy(await use(outcomesPlugin).all(), ({ supplement_slug: slug }) => slug);
  for (const row of terms.supplements.values()) {
    const state = states.get(row.slug);
    const graded = grades.get(row.slug)?.map(({ digest }) => digest);
    yield {
      params: { slug: row.slug },
      version: versionOf(row.digest, state, state && around, graded),
      changedAt: latest([row.changedAt.toISOString(), state?.last]),
    };
  }
}

export const bestPage = definePage({
  id: 'catalog.best',
  path: '/supplements/{slug}/best',
  summary: 'Products with a supplement, by safety and dose on the label',
  template: 'catalog/best',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  view: BestView,
  scope: 'public',
  sitemap: 'supplements',
  revision: 3,
  list: listBest,
  load: (context: Context, { params }) => loadBest(context, params.slug),
});
