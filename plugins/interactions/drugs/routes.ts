/** Routes for names of medicines: completion of an input, and the meaning of a name. */
import { notFound } from '#core/errors.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { InteractionServices } from '../services.ts';
import type { Drug, DrugBook, DrugClass, DrugResolution } from './drug-book.ts';
import { displayName } from './drug-words.ts';
import { DrugParams, DrugReply, SuggestQuery, SuggestReply } from './route-schemas.ts';

/** Returns the number of supplements with a record for the medicine or for one of its ingredients. */
const interactionCount = (book: InteractionBook, drug: Drug): number =>
  new Set([drug.slug, ...drug.ingredients].flatMap((slug) => book.pairsOfDrug(slug).map((pair) => pair.subject.slug)))
    .size;

const suggest = defineRoute<InteractionServices, { query: typeof SuggestQuery }>({
  id: 'drugs.suggest',
  method: 'GET',
  path: '/api/drugs/suggest',
  summary: 'Complete the name of a medicine',
  description:
    'Generic and trade names that begin with `q`, then those that contain it; shorter first, ties by alphabet. `items` stands in the order of `suggestions`.',
  tag: 'Interactions',
  access: 'limited',
  request: { query: SuggestQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'Names, best first', schema: SuggestReply }],
  links: { 'drugs.show': { name: '/items/0/name' } },
  raises: ['validation_failed'],
  handle: async ({ services }, { query }) => {
    const book = await services.book();
    const found = book.drugs.suggest(query.q, query.limit);
    return {
      body: {
        query: query.q,
        suggestions: found.map(({ name }) => name),
        items: found.map(({ name, drug }) => ({
          name,
          rxcui: drug.rxcui,
          drug_class: book.drugs.classes.get(drug.classes[0] ?? '')?.name ?? '',
          interaction_count: interactionCount(book, drug),
        })),
      },
    };
  },
});

const partOf = ({ slug, name, rxcui }: Drug) => ({ slug, name: displayName(name), rxcui });

const namedClass = (drugs: DrugBook, slug: string) => ({ slug, name: drugs.classes.get(slug)?.name ?? slug });

const drugView = (book: InteractionBook, drug: Drug) => ({
  ...partOf(drug),
  brands: drug.brands,
  ingredients: drug.ingredients.flatMap((slug) => {
    const part = book.drugs.drug(slug);
    return part ? [partOf(part)] : [];
  }),
  classes: drug.classes.map((slug) => namedClass(book.drugs, slug)),
  interaction_count: interactionCount(book, drug),
});

const classView = (drugs: DrugBook, { slug, name, description, atc, parents }: DrugClass) => ({
  slug,
  name,
  description,
  atc,
  parents: parents.map((parent) => namedClass(drugs, parent)),
  members: drugs.membersOf(slug).map(partOf),
});

const echo = ({ input, name, match_type, confidence, ...found }: DrugResolution) => ({
  input,
  kind: found.drug ? 'drug' : 'class',
  slug: found.drug?.slug ?? found.class?.slug ?? '',
  name,
  match_type,
  confidence,
});

const show = defineRoute<InteractionServices, { params: typeof DrugParams }>({
  id: 'drugs.show',
  method: 'GET',
  path: '/api/drugs/{name}',
  summary: 'A medicine or class of medicines by any of its names',
  description:
    'Takes generic and trade names, salts, RxCUIs, classes and slight misspellings; `resolved` says how it was read.',
  tag: 'Interactions',
  access: 'limited',
  request: { params: DrugParams },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'The medicine, or the class', schema: DrugReply },
  ],
  links: { 'interactions.list': { drug: '$request.path.name' } },
  raises: ['validation_failed', 'not_found'],
  handle: async ({ services }, { params }) => {
    const book = await services.book();
    const found = book.drugs.resolve(params.name);
    // The correct name of a supplement is not a misspelt medicine.
    if (!found || !(await services.names(book).drug(params.name))) {
      const near = book.drugs.near(params.name, 5).map(({ name }) => name);
      throw notFound('Drug', params.name, near);
    }
    return {
      body: {
        resolved: [echo(found)],
        drug: found.drug && drugView(book, found.drug),
        class: found.class && classView(book.drugs, found.class),
      },
    };
  },
});

export const drugRoutes: readonly Route<InteractionServices>[] = [suggest, show];
