/** Page /interactions/{interaction_slug}: a pair, a supplement, a medicine or a class, built from memory. */
import type { MedicalWebPage, WithContext } from 'schema-dts';
import { Type } from 'typebox';
import { type Context, definePage, type Near, type PageInstance } from '#core/plugin.ts';
import { pageFacts } from '#core/render/structured-data.ts';
import { breadcrumbs, scholarly, versionOf } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { Address } from '../book/addresses.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { InteractionServices } from '../services.ts';
import { classView, drugView, rulesOfClass } from './drug-views.ts';
import { placeOf } from './elsewhere.ts';
import { InteractionView } from './interaction-view.ts';
import { pairView } from './pair-view.ts';
import { supplementView } from './supplement-view.ts';

const viewOf = (book: InteractionBook, address: Exclude<Address, { kind: 'moved' }>): InteractionView | null => {
  if (address.kind === 'pair') {
    const pair = book.pair(address.subject, address.drug);
    return pair && pairView(book, pair);
  }
  if (address.kind === 'supplement') {
    const subject = book.subjects.get(address.slug);
    return subject ? supplementView(book, subject) : null;
  }
  if (address.kind === 'drug') {
    const drug = book.drugs.drug(address.slug);
    return drug ? drugView(book, drug) : null;
  }
  const drugClass = book.drugs.classes.get(address.slug);
  return drugClass ? classView(book, drugClass) : null;
};

/** Shortens a description for search engines to at most 155 characters, at a word boundary. */
const shortened = (text: string): string =>
  text.length <= 155 ? text : `${text.slice(0, 154).replace(/\s+\S*$/, '')}…`;

/** Builds the `about` member. Schema.org has no property for an interacting supplement, so it is given as the other drug. */
const subjectData = ({ drug, supplement, kind, crumbs }: InteractionView): Pick<MedicalPage, 'about'> => {
  if (kind === 'class') return { about: { '@type': 'DrugClass', name: crumbs.at(-1)?.name ?? '' } };
  if (drug) {
    const other = supplement && { interactingDrug: { '@type': 'Drug' as const, name: supplement } };
    return { about: { '@type': 'Drug', name: drug, ...other } };
  }
  return supplement ? { about: { '@type': 'DietarySupplement', name: supplement } } : {};
};
type MedicalPage = Exclude<MedicalWebPage, string>;

interface Site {
  readonly baseUrl: string;
  readonly reviewer: string;
  /** RFC 3339 timestamp; null if unknown. */
  readonly changed: string | null;
}

const headOf = (view: InteractionView, path: string, site: Site) => {
  const cited = [...view.rules, ...view.cautions].flatMap(({ sources }) =>
    sources.flatMap(({ source }) => (source && !source.retracted ? [source] : [])),
  );
  const citation = [...new Map(cited.map((source) => [source.id, scholarly(source)])).values()];
  const page: WithContext<MedicalWebPage> = {
    '@context': 'https://schema.org',
    '@type': 'MedicalWebPage',
    ...pageFacts({ ...site, path, name: view.title, description: view.answer }),
    ...subjectData(view),
    citation,
  };
  const word = view.severity && view.kind === 'pair' ? `${view.title}: ${view.severity.word.toLowerCase()}. ` : '';
  return {
    title: view.kind === 'pair' ? `${view.title}: interaction` : view.title,
    description: shortened(`${word}${view.answer}`),
    structuredData: [page, breadcrumbs(site.baseUrl, view.crumbs)],
    noindex: isEmpty(view),
  };
};

/** Returns whether a page only states that nothing is known; search engines should not index such a page. */
const isEmpty = ({ kind, rules, cautions, lines, depletions }: InteractionView): boolean =>
  kind !== 'class' &&
  !rules.length &&
  !cautions.length &&
  !depletions.length &&
  lines.every(({ items }) => !items.length);

const nearTo = async (services: InteractionServices, book: InteractionBook, slug: string): Promise<readonly Near[]> => {
  const near = await services.names(book).near(slug.replaceAll('-', ' ').slice(0, 120), 'any', 6);
  return near.map(({ name, kind, slug: found }) => ({
    name,
    href: `/interactions/${book.hubOf(kind === 'drug' || kind === 'class' ? kind : 'subject', found)}`,
  }));
};

const loadInteraction = async ({ services, config, use }: Context<InteractionServices>, slug: string) => {
  const book = await services.book();
  const address = book.address(slug);
  const renamed = address ? null : await use(vocabularyPlugin).replacedBy('supplement', slug);
  if (renamed) return { redirect: `/interactions/${renamed}`, status: 301 as const };
  if (address?.kind === 'moved') return { redirect: `/interactions/${address.to}`, status: 301 as const };
  const view = address && viewOf(book, address);
  const elsewhere = view ? null : await placeOf(book, services.names(book), slug);
  if (elsewhere) return elsewhere;
  if (!view) return { missing: { resource: 'Interaction', id: slug, near: await nearTo(services, book, slug) } };
  const changed = changedAt(recordsOf(book, address));
  const site = { baseUrl: config.text('BASE_URL'), reviewer: config.text('REVIEWER_NAME'), changed };
  return { head: headOf(view, `/interactions/${slug}`, site), view };
};

/** Computes the digests of all rules of each supplement and of each drug, once for a list. */
const digestsOf = (book: InteractionBook) => {
  const ofRules = (slug: string) => [...book.rulesOf(slug), ...book.cautionsOf(slug)];
  const subjects = new Map(
    [...book.subjects.keys()].map((slug) => [slug, versionOf(ofRules(slug).map(({ digest }) => digest))]),
  );
  const drugs = new Map<string, string>();
  const ofDrug = (slug: string): string => {
    const known = drugs.get(slug);
    if (known) return known;
    const pairs = book.pairsOfDrug(slug);
    const made = versionOf(pairs.map(({ slug: pair, applied }) => [pair, applied.map(({ rule }) => rule.digest)]));
    drugs.set(slug, made);
    return made;
  };
  return { ofSubject: (slug: string) => subjects.get(slug) ?? '', ofDrug };
};

/** Returns the records that the page of an address shows. */
const recordsOf = (book: InteractionBook, address: Address): readonly { readonly changedAt: string }[] => {
  if (address.kind === 'pair') return book.pair(address.subject, address.drug)?.applied.map(({ rule }) => rule) ?? [];
  if (address.kind === 'supplement') return [...book.rulesOf(address.slug), ...book.cautionsOf(address.slug)];
  if (address.kind === 'class') return rulesOfClass(book, address.slug);
  if (address.kind === 'moved') return [];
  // A combination also covers its ingredients.
  const parts = new Set([address.slug, ...(book.drugs.drug(address.slug)?.ingredients ?? [])]);
  return [...parts].flatMap((slug) => book.pairsOfDrug(slug).map(({ applied: [{ rule }] }) => rule));
};

/** Returns the RFC 3339 timestamp of the last change among the given records. */
const changedAt = (records: readonly { readonly changedAt: string }[]): string | null =>
  records
    .map((record) => record.changedAt)
    .sort()
    .at(-1) ?? null;

async function* listInteractions({ services }: Context<InteractionServices>): AsyncIterable<PageInstance> {
  const book = await services.book();
  const { ofSubject, ofDrug } = digestsOf(book);
  const around = versionOf(book.drugs.version, [...book.subjects.values()]);
  const rest = versionOf(
    book.depletions.map(({ digest }) => digest),
    [...book.signals],
  );
  for (const [slug, address] of book.addresses()) {
    const params = { interaction_slug: slug };
    const last = changedAt(recordsOf(book, address));
    if (address.kind === 'pair') {
      const version = versionOf(ofSubject(address.subject), ofDrug(address.drug), around);
      yield { params, version, changedAt: last };
    } else if (address.kind === 'supplement') {
      yield { params, version: versionOf(ofSubject(address.slug), around, rest), changedAt: last };
    } else if (address.kind === 'drug') {
      yield { params, version: versionOf(ofDrug(address.slug), around, rest), changedAt: last };
    } else if (address.kind === 'class') {
      const rules = rulesOfClass(book, address.slug);
      yield {
        params,
        version: versionOf(
          rules.map(({ digest }) => digest),
          around,
          rest,
        ),
        changedAt: last,
      };
    }
  }
}

export const interactionPage = definePage({
  id: 'interactions.interaction',
  path: '/interactions/{interaction_slug}',
  summary: 'One interaction, or all of a supplement, a medicine or a class',
  template: 'interactions/interaction',
  params: Type.Object({ interaction_slug: Type.String({ maxLength: 200 }) }),
  view: InteractionView,
  scope: 'public',
  sitemap: 'interactions',
  revision: 8,
  list: listInteractions,
  load: (context: Context<InteractionServices>, { params }) => loadInteraction(context, params.interaction_slug),
});
