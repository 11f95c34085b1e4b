/** Interaction endpoints: one pair, every pair, a whole stack, nutrients that medicines lower, and reports of harm. */
import type { TSchema } from 'typebox';
import { invalid } from '#core/http/validate.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import { type Severity, SIGNAL_CAVEAT } from '../rules/severity-labels.ts';
import type { InteractionServices } from '../services.ts';
import { check } from './check.ts';
import { filterPairs, rowOf, wholeList } from './list.ts';
import { isSure, type Named, type NamedSubject, type Names, namedJson } from './names.ts';
import { depletionJson, reaches } from './person.ts';
import {
  CheckQuery,
  CheckReply,
  DepletionQuery,
  DepletionReply,
  ListQuery,
  ListReply,
  SignalQuery,
  SignalReply,
  StackBody,
  StackReply,
} from './schemas.ts';
import { checkStack } from './stack.ts';

const json = (description: string, schema: TSchema) => [
  { status: 200, mediaType: 'application/json', description, schema },
];
const NO_STORE = { 'Cache-Control': 'private, no-store' };

const checkRoute = defineRoute<InteractionServices, { query: typeof CheckQuery }>({
  id: 'interactions.check',
  method: 'GET',
  path: '/api/interactions/check',
  summary: 'Check one supplement with one drug',
  description:
    'The gravest rule is the answer; further rules stand in `also`. The order of the two names does not matter: each is taken for what it is, and `hint` says so. Two medicines are `not_covered`, with authorities to look at. Not found carries `coverage` and never means safe. Unknown names are a 200 with `resolved` null and suggestions.',
  tag: 'Interactions',
  access: 'limited',
  request: { query: CheckQuery },
  replies: json('Found, not found, or nothing to check', CheckReply),
  raises: ['validation_failed'],
  handle: async ({ services }, { query }) => {
    const book = await services.book();
    return { headers: NO_STORE, body: await check(book, services.names(book), query) };
  },
});

const resolveFilter = async (names: Names, { supplement, drug }: { supplement: string; drug: string }) => ({
  ...rightWayRound(
    supplement.trim() ? await names.any(supplement.trim(), 'subject') : null,
    drug.trim() ? await names.any(drug.trim(), 'drug') : null,
  ),
});

const isSubject = (named: Named | null): named is NamedSubject => named?.type === 'subject';

/** Swaps the two names if a medicine was given as the supplement or a supplement as the drug. */
const rightWayRound = (supplement: Named | null, drug: Named | null) => {
  const isSwapped = (supplement && !isSubject(supplement)) || isSubject(drug);
  const [one, other] = isSwapped ? [drug, supplement] : [supplement, drug];
  return { supplement: isSubject(one) ? one : null, drug: isSubject(other) ? null : other };
};

/** Builds the headers that report how each name was resolved, because a bare array has no member for it. */
const echoHeaders = ({ supplement, drug }: Readonly<Record<'supplement' | 'drug', Named | null>>) => ({
  ...(supplement && { 'X-Resolved-Supplement': namedJson(supplement).slug }),
  ...(drug && { 'X-Resolved-Drug': namedJson(drug).slug }),
  ...([supplement, drug].some((named) => named && !isSure(named)) && { 'X-Needs-Confirmation': 'true' }),
});

const listRoute = defineRoute<InteractionServices, { query: typeof ListQuery }>({
  id: 'interactions.list',
  method: 'GET',
  path: '/api/interactions',
  summary: 'List supplement and drug pairs',
  description:
    'A bare array. Without filters every pair, some megabytes of it; `page_size` cuts it into pages, `X-Total-Count` says how many there are. A name that is not known gives an empty list, which says nothing about safety; `X-Resolved-Supplement` and `X-Resolved-Drug` say what a name was read as, `X-Needs-Confirmation` that this is a guess.',
  tag: 'Interactions',
  access: 'limited',
  request: { query: ListQuery },
  replies: json('Pairs, by supplement and drug', ListReply),
  links: {
    'interactions.check': { supplement: '/0/supplement_slug', drug: '/0/drug' },
    'drugs.show': { name: '/0/drug' },
  },
  raises: ['validation_failed'],
  handle: async ({ services }, { query }) => {
    const book = await services.book();
    const { severity = null, page, page_size: size } = query;
    const given = { supplement: query.supplement.trim(), drug: query.drug.trim() };
    if (!given.supplement && !given.drug && !severity && !size) {
      const headers = { 'X-Total-Count': String(book.pairs.length) };
      return { headers, type: 'application/json; charset=utf-8', body: wholeList(book) };
    }
    const named = await resolveFilter(services.names(book), given);
    const unknown = (given.supplement && !named.supplement) || (given.drug && !named.drug);
    const pairs = unknown ? [] : filterPairs(book, { ...named, severity: severity as Severity | null });
    const shown = size ? pairs.slice((page - 1) * size, page * size) : pairs;
    return {
      headers: { 'X-Total-Count': String(pairs.length), ...echoHeaders(named) },
      body: shown.map((pair) => rowOf(book, pair)),
    };
  },
});

const LISTS = ['supplements', 'drugs', 'foods', 'conditions'] as const;

const stackRoute = defineRoute<InteractionServices, { body: typeof StackBody }>({
  id: 'interactions.check-stack',
  method: 'POST',
  path: '/api/interactions/check',
  summary: 'Check a whole stack at once',
  description:
    'Every pair of what was given, in one matrix: `found`, `no_record` (which does not mean safe), `not_covered` (medicine with medicine: ask a pharmacist), `unresolved`. `summary.counts` counts findings and cautions by severity.',
  tag: 'Interactions',
  access: 'limited',
  request: { body: StackBody },
  replies: json('The matrix and what follows from it', StackReply),
  raises: ['validation_failed', 'malformed_json'],
  handle: async ({ services }, { body }) => {
    const { supplements = [], drugs = [], foods = [], conditions = [] } = body;
    const stack = { supplements, drugs, foods, conditions };
    const named = [...supplements, ...drugs, ...foods].filter((text) => text.trim() !== '');
    if (!named.length)
      throw invalid('body', LISTS[0], 'Give at least one supplement, drug or food: there is nothing to check');
    const book = await services.book();
    return { headers: NO_STORE, body: await checkStack(book, services.names(book), stack) };
  },
});

/** Returns the resolved names of a filter, and the given names that are unknown. */
const echo = (given: readonly (readonly [string, Named | null])[]) => ({
  resolved: given.flatMap(([, named]) => (named ? [namedJson(named)] : [])),
  unresolved: given.flatMap(([input, named]) => (input && !named ? [input] : [])),
});

const depletionRoute = defineRoute<InteractionServices, { query: typeof DepletionQuery }>({
  id: 'interactions.depletions',
  method: 'GET',
  path: '/api/depletions',
  summary: 'Nutrients that medicines lower',
  tag: 'Interactions',
  access: 'limited',
  request: { query: DepletionQuery },
  replies: json('Depletions by drug, nutrient, both or all', DepletionReply),
  raises: ['validation_failed'],
  handle: async ({ services }, { query }) => {
    const book = await services.book();
    const given = { supplement: query.supplement.trim(), drug: query.drug.trim() };
    const { supplement, drug } = await resolveFilter(services.names(book), given);
    const names = echo([
      [given.drug, drug],
      [given.supplement, supplement],
    ]);
    const shown = names.unresolved.length
      ? []
      : book.depletions.filter(
          (record) =>
            (!drug || reaches(book, record, drug)) && (!supplement || record.nutrient.slug === supplement.subject.slug),
        );
    const message = shown.length
      ? ''
      : 'No record in our sources. This does not mean that the medicine has no such effect.';
    return { body: { ...names, depletions: shown.map(depletionJson), message } };
  },
});

const signalRoute = defineRoute<InteractionServices, { query: typeof SignalQuery }>({
  id: 'interactions.signals',
  method: 'GET',
  path: '/api/signals',
  summary: 'Counts of adverse-event reports, which are not proof of cause',
  tag: 'Interactions',
  access: 'limited',
  request: { query: SignalQuery },
  replies: json('Counts by supplement', SignalReply),
  raises: ['validation_failed'],
  handle: async ({ services }, { query }) => {
    const book = await services.book();
    const input = query.supplement.trim();
    const named = input ? await services.names(book).subject(input) : null;
    const names = echo([[input, named]]);
    const shown = [...book.signals].filter(([slug]) => !input || slug === named?.subject.slug);
    const signals = shown.map(([slug, { reports, serious, outcomes, years, as_of, source }]) => {
      const supplement = { slug, name: book.subjects.get(slug)?.name ?? slug };
      return { supplement, reports, serious, outcomes, years, as_of, source, caveat: SIGNAL_CAVEAT };
    });
    const message = shown.length ? '' : 'No counts in our sources. This does not mean that it is safe.';
    return { body: { ...names, caveat: SIGNAL_CAVEAT, signals, message } };
  },
});

export const checkerRoutes: readonly Route<InteractionServices>[] = [
  checkRoute,
  listRoute,
  stackRoute,
  depletionRoute,
  signalRoute,
];
