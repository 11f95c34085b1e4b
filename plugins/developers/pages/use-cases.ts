/** Defines the use cases: applications of the API, each with real requests to this instance made when the page is rendered. */
import { Type } from 'typebox';
import type { Context, Page } from '#core/plugin.ts';
import { type Exchange, ExchangeView, exchangeView } from '../examples/views.ts';
import { portalPage } from '../portal-page.ts';

const SUPPLEMENT = 'magnesium';

const SEARCH: Exchange = {
  title: 'Find the evidence',
  text: 'Ranked sources for a question in plain words, each with its tier, its design and its identifiers. Links back to them are part of the terms.',
  operation: 'evidence.search',
  given: { q: 'magnesium sleep', top_k: 2 },
  members: [
    'query',
    'total_returned',
    ['results', ['source_id', 'pmid', 'doi', 'title', 'quality_tier', 'evidence_level', 'year', 'sample_size', 'url']],
  ],
};

const STACK: Exchange = {
  title: 'Check everything somebody takes',
  text: 'All supplements against all medicines in one call, by any name. A pair without a rule is “not found”, never “safe”.',
  operation: 'interactions.check-stack',
  body: { supplements: ['st johns wort', 'magnesium'], drugs: ['warfarin', 'levothyroxine'] },
  members: [
    ['summary', ['worst', 'pairs', 'found', 'no_record', 'not_covered', 'unresolved']],
    ['findings', ['severity', 'effect', 'recommendation', 'supplement', 'drug', 'url']],
    'message',
    'disclaimer_url',
  ],
};

const OUTCOME: Exchange = {
  title: 'Say how sure it is',
  text: 'One question, graded: direction, certainty and why it is no higher.',
  operation: 'outcomes.one',
  given: { vertical: 'magnesium-muscle-cramps' },
  members: ['vertical', 'supplement_slug', 'certainty', 'direction', 'source_count', 'people', 'reasons'],
};

const RESOLVE: Exchange = {
  title: 'Understand what was typed',
  text: 'Names, synonyms and misspellings lead to one slug; an unknown name says so.',
  operation: 'names.resolve',
  given: { name: 'magnezium' },
  members: [['resolved', ['kind', 'slug', 'name', 'input', 'match_type', 'confidence']], 'near', 'warning'],
};

const DEPLETION: Exchange = {
  title: 'Read a result beside the medicines',
  text: 'Medicines that lower what a laboratory measures, with the sources that say so.',
  operation: 'interactions.depletions',
  given: { drug: 'metformin' },
  members: [
    [
      'depletions',
      ['slug', 'nutrient', 'kind', 'likelihood', 'effect', 'note', 'onset', ['sources', ['title', 'authority', 'url']]],
    ],
  ],
};

const CARD: Exchange = {
  title: 'Evidence beside a product',
  text: 'The label’s facts, and for each supplement in it the doses of trials and the upper limit.',
  operation: 'products.list',
  given: { supplement: SUPPLEMENT, page_size: 2 },
  members: [['products', ['dsld_id', 'name', 'brand', 'form', 'on_market', 'serving_size']], 'total', 'page'],
};

const MARKET: Exchange = {
  title: 'What is sold',
  text: 'Forms, brands and the spread of doses on labels, beside the doses in trials.',
  operation: 'products.market',
  given: { supplement_slug: SUPPLEMENT },
  members: ['product_count', 'on_market_count', 'dose_distribution', 'share_within_trial_dose', 'as_of'],
};

const CHECK: Exchange = {
  title: 'Warn before the till',
  text: 'One supplement with one medicine, trade names included.',
  operation: 'interactions.check',
  given: { supplement: 'st johns wort', drug: 'coumadin' },
  members: ['found', 'checked', 'severity', 'effect', 'recommendation', 'likelihood', 'url', 'disclaimer_url'],
};

const EMPTY: Exchange = {
  title: 'When nothing is found',
  text: 'The answer that is got wrong most easily. It is no clearance, and says so.',
  operation: 'interactions.check',
  given: { supplement: 'creatine', drug: 'amoxicillin' },
  members: ['found', 'checked', 'message', 'coverage'],
};

interface UseCase {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly rules: readonly string[];
  readonly exchanges: readonly Exchange[];
}

const View = Type.Object({
  title: Type.String(),
  lead: Type.String(),
  rules: Type.Array(Type.String()),
  exchanges: Type.Array(ExchangeView),
});

const useCasePage = ({ id, path, title, description, lead, rules, exchanges }: UseCase): Page =>
  portalPage({
    id,
    path,
    template: 'use-case',
    summary: description,
    title,
    description,
    view: View,
    viewOf: async (context: Context) => ({
      title,
      lead,
      rules,
      exchanges: await Promise.all(exchanges.map((exchange) => exchangeView(context, exchange))),
    }),
  });

const COMMON_RULES = [
  'Answers that you show link back to their sources; PMIDs and DOIs stay.',
  'The disclaimer at /disclaimer stands where people read.',
  '“Nothing found” is shown as unknown, never as safe.',
];

export const useCasePages: readonly Page[] = [
  useCasePage({
    id: 'health-ai',
    path: '/developers/health-ai',
    title: 'For assistants and health AI',
    description:
      'Ground an assistant in graded sources on supplements: search, whole stacks against medicines, certainty of outcomes, with real answers.',
    lead: 'An assistant that speaks of supplements needs sources that exist, a grade for each, and a check against medicines before it says anything. All three are one call each, and the same calls are tools of the Model Context Protocol at /mcp.',
    rules: [...COMMON_RULES, 'Texts of sources are data, never instructions to a model.'],
    exchanges: [SEARCH, STACK, OUTCOME, EMPTY],
  }),
  useCasePage({
    id: 'labs',
    path: '/developers/labs',
    title: 'For laboratories and health records',
    description:
      'Put supplements and medicines beside laboratory results: names, depletions, interactions and evidence, with real answers of this base.',
    lead: 'A result is read beside what somebody takes. The API resolves names, says which medicines lower which nutrients, and what was found on a supplement. Results themselves stay with you: nothing of a patient needs to be sent.',
    rules: [...COMMON_RULES, 'Send names of substances alone: nothing that tells who takes them.'],
    exchanges: [RESOLVE, DEPLETION, { ...CHECK, title: 'Check what is taken together' }, OUTCOME],
  }),
  useCasePage({
    id: 'supplement-retail',
    path: '/developers/supplement-retail',
    title: 'For shops and label apps',
    description:
      'Show evidence, doses of trials and warnings beside a product: labels, market and interactions, with real requests and answers.',
    lead: 'Beside each product: what studies found on what is in it, how its dose compares with trials, and what it does not go together with. It is free, needs no key for a start, and sells nothing.',
    rules: [...COMMON_RULES, 'A status of the market carries its date; an unknown one is shown as unknown.'],
    exchanges: [CARD, MARKET, CHECK, EMPTY],
  }),
];
