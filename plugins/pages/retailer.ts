/** Defines /retailer: what the API offers to shops, with examples computed from this base when the page is built. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import { check, interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { planLimits } from './texts/policy-facts.ts';

const Example = Type.Object({
  /** Method and address with its query string. */
  request: Type.String(),
  /** Some members of the real response, as JSON. */
  answer: Type.String(),
});
type Example = Static<typeof Example>;

const RetailerView = Type.Object({
  limits: Type.Array(Type.Object({ name: Type.String(), minute: Type.String(), day: Type.String() })),
  products: Type.Integer(),
  pairs: Type.Integer(),
  /** Null when this base has no suitable product. */
  card: Type.Union([Example, Type.Null()]),
  check: Example,
  empty: Example,
  market: Type.Union([Example, Type.Null()]),
  base: Type.String(),
});
type RetailerView = Static<typeof RetailerView>;

/** A supplement that is in many products, that trials gave in a stated dose, and that has interactions. */
const SUPPLEMENT = 'magnesium';
const CHECKED = { supplement: 'st johns wort', drug: 'coumadin' };
/** A pair without a rule: the response that shops most easily misread. */
const UNLISTED = { supplement: 'creatine', drug: 'amoxicillin' };

const pick = (whole: object, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (name in whole ? [[name, whole[name as keyof typeof whole]]] : [])));

const exampleOf = (request: string, answer: object): Example => ({ request, answer: JSON.stringify(answer, null, 2) });

const OUTCOMES_SHOWN = 2;

/** Returns the product card of one label, reduced to the evidence on one supplement in it. */
const cardExample = async ({ use }: Context): Promise<Example | null> => {
  const found = await use(productsPlugin).plainExample(SUPPLEMENT);
  if (!found) return null;
  const { card } = found;
  const evidence = card.evidence
    .filter((line) => line.supplement_slug === SUPPLEMENT)
    .map((line) => ({ ...line, outcomes: line.outcomes.slice(0, OUTCOMES_SHOWN) }));
  const answer = { ...pick(card, ['dsld_id', 'name', 'on_market', 'market_status_as_of']), evidence };
  const rest = pick(card, ['interactions_count', 'safety_flags', 'disclaimer_url']);
  return exampleOf(`GET /api/products/${card.dsld_id}`, { ...answer, ...rest });
};

const CHECK_MEMBERS = [
  'found',
  'checked',
  'severity',
  'action',
  'effect',
  'recommendation',
  'likelihood',
  'evidence_basis',
];
const EMPTY_MEMBERS = ['found', 'checked', 'severity', 'message', 'coverage'];

const checkExample = async ({ use }: Context, asked: typeof CHECKED, names: readonly string[]): Promise<Example> => {
  const interactions = use(interactionsPlugin);
  const book = await interactions.book();
  const answer = await check(book, interactions.names(book), asked);
  return exampleOf(`GET /api/interactions/check?${new URLSearchParams(asked)}`, pick(answer, names));
};

const MARKET_MEMBERS = [
  'product_count',
  'on_market_count',
  'dose_distribution',
  'share_within_trial_dose',
  'trial_dose',
  'as_of',
];

const marketExample = async ({ use }: Context): Promise<Example | null> => {
  const profile = await use(productsPlugin).market(SUPPLEMENT);
  return profile && exampleOf(`GET /api/market/${SUPPLEMENT}`, pick(profile, MARKET_MEMBERS));
};

const viewOf = async (context: Context): Promise<RetailerView> => ({
  limits: [...planLimits(context.config)],
  products: (await context.use(productsPlugin).stats()).total,
  pairs: (await context.use(interactionsPlugin).pairs()).length,
  card: await cardExample(context),
  check: await checkExample(context, CHECKED, CHECK_MEMBERS),
  empty: await checkExample(context, UNLISTED, EMPTY_MEMBERS),
  market: await marketExample(context),
  base: context.config.text('BASE_URL'),
});

/** Returns a version computed from the inputs of the view, because building the view itself needs the product index. */
const versionNow = async ({ config, use }: Context): Promise<string> => {
  const products = use(productsPlugin);
  const { bySupplement, recalls } = await products.marketStates();
  const { total } = await products.stats();
  const facts = (await products.facts()).get(SUPPLEMENT);
  const { version } = await use(interactionsPlugin).book();
  const { substances } = await use(vocabularyPlugin).terms();
  const market = [total, bySupplement.get(SUPPLEMENT), recalls, facts, [...substances]];
  return versionOf([...planLimits(config)], config.text('BASE_URL'), version, market);
};

export const retailerPage = definePage({
  id: 'pages.retailer',
  path: '/retailer',
  summary: 'What the API gives a supplement shop, with real answers',
  template: 'pages/retailer',
  view: RetailerView,
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list: async function* (context: Context) {
    yield { params: {}, version: await versionNow(context), changedAt: null };
  },
  load: async (context: Context) => ({
    head: {
      title: 'For shops',
      description:
        'What the open API gives a supplement shop: evidence for each product, a check against medicines, and the market. With real answers, limits and rules.',
    },
    view: await viewOf(context),
  }),
}) as Page;
