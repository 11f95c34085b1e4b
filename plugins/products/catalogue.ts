/** Provides products to pages and the API: the in-memory index, facts of supplements, cards and market figures. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import type { Database, Host } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import {
  isWarnedKind,
  legalStatusOf,
  type Resolved,
  type VocabularyServices,
  vocabularyPlugin,
} from '#plugins/vocabulary/index.ts';
import { type CardLine, cardLines, flatIngredients } from './card/evidence-card.ts';
import { readSupplementFacts, type SupplementFacts } from './card/supplement-facts.ts';
import { Product, ProductStatus } from './entities.ts';
import { type ImageReply, imagesOf } from './images/index.ts';
import { marketProfile } from './market.ts';
import { type MarketStates, readMarketStates } from './market-states.ts';
import { countProducts } from './product-counts.ts';
import { type StoredProduct, safetyFlags, toCardEvidence, toProduct, type Warned } from './product-view.ts';
import type { MarketReply, ProductCard } from './schemas.ts';
import { createProductFeed } from './search/product-feed.ts';
import type { ProductIndex } from './search/product-index.ts';

/** Interval at which a server process polls for changes by other processes, in milliseconds. */
const WATCH_MS = 1_000;
/** Time for which facts of supplements are cached without checking content and sources, in milliseconds. */
const FACTS_TTL = 2_000;

export type MarketProfile = Omit<MarketReply, 'resolved'>;

export interface ProductStats {
  readonly total: number;
  readonly on_market: number;
  readonly brands: number;
}

/** A card with the data that a page shows beside it. */
export interface LoadedCard {
  readonly card: ProductCard;
  readonly row: StoredProduct;
  readonly lines: readonly CardLine[];
}

export interface Catalogue {
  /** Returns the index, at most about one second behind the table; loads it on first use. */
  index(): Promise<ProductIndex>;
  /**
   * Loads the index of a server before it accepts requests, because loading it later would compete with requests for the
   * database.
   */
  warm(): Promise<void>;
  /** Updates the index now. */
  catchUp(): Promise<number>;
  facts(): Promise<ReadonlyMap<string, SupplementFacts>>;
  /** Returns rows by id, in the order of the ids; missing rows are left out. */
  rows(ids: readonly number[]): Promise<readonly StoredProduct[]>;
  /** Returns the primary images of the products that have one. */
  primaryImages(ids: readonly number[]): Promise<ReadonlyMap<number, ImageReply>>;
  /** Returns cards by id, in the order of the ids, with a constant number of queries. */
  cards(ids: readonly number[]): Promise<readonly LoadedCard[]>;
  byBarcode(gtin: string): Promise<readonly StoredProduct[]>;
  market(slug: string): Promise<MarketProfile | null>;
  /** Returns the states of the market for the versions of pages that show it. */
  marketStates(): Promise<MarketStates>;
  topProducts(slug: string, limit: number): Promise<readonly StoredProduct[]>;
  /**
   * Returns the card of a product on the market that contains only this supplement, with an amount if possible, as an
   * example.
   */
  plainExample(slug: string): Promise<LoadedCard | null>;
  countsBySupplement(): Promise<ReadonlyMap<string, number>>;
  stats(): Promise<ProductStats>;
  exists(dsldId: number): Promise<boolean>;
  resolveSupplement(input: string): Promise<Resolved | null>;
  stopCatalogue(): Promise<void>;
}

type Recall = {
  readonly recallNumber: string;
  readonly dsldIds: readonly number[];
  readonly classification: string;
  readonly status: string;
  readonly reason: string;
  readonly initiationDate: string | null;
  readonly sourceUrl: string;
};

const RECALLS = `select r.recall_number as "recallNumber", r.dsld_ids as "dsldIds", r.classification, r.status, r.reason,
  r.initiation_date::text as "initiationDate", r.source_url as "sourceUrl" from product_recall r
  where exists (select 1 from jsonb_array_elements_text(r.dsld_ids) as linked
    where linked in (select jsonb_array_elements_text(?::jsonb)))`;

const PLAIN = `select dsld_id as id from product where removed_at is null and on_market and supplements @> ?::jsonb
  and supplements <@ ?::jsonb order by ingredients <> '[]'::jsonb desc, name collate "C", dsld_id limit 1`;

const readRows = async (em: EntityManager, ids: readonly number[]): Promise<readonly StoredProduct[]> => {
  const found = await findRows<StoredProduct>(em, Product, { dsldId: { $in: [...ids] }, removedAt: null });
  const byId = new Map(found.map((row) => [row.dsldId, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

const readBeside = async (em: EntityManager, ids: readonly number[]) => {
  const recalls = (await em.execute(RECALLS, [JSON.stringify(ids.map(String))])) as unknown as Recall[];
  const history = await em.find(
    ProductStatus,
    { dsldId: { $in: [...ids] } },
    { orderBy: { asOf: 'asc', source: 'asc' }, disableIdentityMap: true },
  );
  const images = await imagesOf(em, ids);
  return { recalls, history: Map.groupBy(history, ({ dsldId }) => dsldId), images };
};

const primaryOf = (images: readonly ImageReply[] = []): ImageReply | null =>
  images.find(({ is_primary: isPrimary }) => isPrimary) ?? null;

/**
 * Returns the banned, restricted or hidden substances of a product: among its ingredients and in its name, by exact name or
 * synonym, and among the supplements read from its label, so that no such product is shown without its warning.
 */
const warnedIn = async (row: StoredProduct, vocabulary: VocabularyServices): Promise<readonly Warned[]> => {
  const terms = await vocabulary.terms();
  const names = [row.name, ...flatIngredients(row.ingredients).flatMap(({ name, form }) => [name, form])];
  const named = await Promise.all(names.filter(Boolean).map((name) => vocabulary.warned(name)));
  const held = row.supplements.map((slug) => legalStatusOf(terms, slug));
  const found = new Map<string, Warned>();
  for (const substance of [...named, ...held]) {
    if (!substance || !isWarnedKind(substance.kind)) continue;
    const { slug, name, statement, authority } = substance;
    found.set(slug, { name, statement, address: authority?.address ?? '' });
  }
  return [...found.values()];
};

const keepFor = <T>(milliseconds: number, make: () => Promise<T>): (() => Promise<T>) => {
  let kept: { value: Promise<T>; until: number } | null = null;
  return () => {
    if (kept && Date.now() < kept.until) return kept.value;
    const value = make();
    kept = { value, until: Date.now() + milliseconds };
    value.catch(() => {
      kept = null;
    });
    return value;
  };
};

const LAST = `select (select max(change_number)::text from product) as product,
  (select count(*)::text || max(updated_at)::text from product_recall) as recall`;

/** Caches a query over the whole table that several pages share, until the table changes. */
const untilChanged = <T>(db: Database, read: (em: EntityManager) => Promise<T>): (() => Promise<T>) => {
  let kept: { last: string; value: T } | null = null;
  return () =>
    db.read(async (em) => {
      const last = JSON.stringify(await em.execute(LAST));
      if (kept?.last !== last) kept = { last, value: await read(em) };
      return kept.value;
    });
};

export const startCatalogue = (host: Host): Catalogue => {
  const { db, log } = host;
  const vocabulary = host.use(vocabularyPlugin);
  const interactions = host.use(interactionsPlugin) as InteractionServices;
  const feed = createProductFeed({
    db,
    terms: () => vocabulary.terms(),
    readsWords: host.role === 'serve',
  });
  let loaded: Promise<unknown> | null = null;
  const watch = async (): Promise<void> => {
    if (loaded) await feed.catchUp().catch((error) => log.warn('products_not_caught_up', { error }));
  };
  const timer = host.role === 'serve' ? setInterval(() => void watch(), WATCH_MS).unref() : null;
  const index = async (): Promise<ProductIndex> => {
    loaded ??= feed.catchUp();
    await loaded;
    return feed.index;
  };
  const facts = factsKeeper(host, vocabulary);
  const counted = untilChanged(db, countProducts);
  const marketStates = untilChanged(db, readMarketStates);
  const cards: Catalogue['cards'] = async (ids) => {
    const [known, counts] = [await facts(), await interactions.counts()];
    const { rows, recalls, history, images } = await db.read(async (em) => ({
      rows: await readRows(em, ids),
      ...(await readBeside(em, ids)),
    }));
    return Promise.all(
      rows.map(async (row) => {
        const lines = cardLines(row.ingredients, known);
        const mine = recalls.filter(({ dsldIds }) => dsldIds.includes(row.dsldId));
        const rules = (slug: string): number => counts.get(slug)?.rules ?? 0;
        const card: ProductCard = {
          ...toProduct(row, primaryOf(images.get(row.dsldId))),
          evidence: lines.map((line) => toCardEvidence(line, rules(line.slug))),
          interactions_count: lines.reduce((sum, { slug }) => sum + rules(slug), 0),
          safety_flags: [...safetyFlags({ row, lines, warned: await warnedIn(row, vocabulary), recalls: mine })],
          market_history: (history.get(row.dsldId) ?? []).map(({ onMarket, asOf, source }) => ({
            on_market: onMarket,
            as_of: asOf,
            source,
          })),
          recalls: mine.map((recall) => ({
            recall_number: recall.recallNumber,
            classification: recall.classification,
            status: recall.status,
            reason: recall.reason,
            initiation_date: recall.initiationDate,
            source_url: recall.sourceUrl,
          })),
          label_relations: [...row.labelRelations],
          images: [...(images.get(row.dsldId) ?? [])],
          disclaimer_url: '/disclaimer',
        };
        return { card, row, lines };
      }),
    );
  };
  return {
    index,
    warm: async () => {
      if (host.role === 'serve') await index();
    },
    catchUp: async () => {
      await index();
      return feed.catchUp();
    },
    facts,
    rows: (ids) => db.read((em) => readRows(em, ids)),
    cards,
    primaryImages: async (ids) => {
      const images = await db.read((em) => imagesOf(em, ids));
      return new Map(
        [...images].flatMap(([id, list]) => [primaryOf(list)].flatMap((image) => (image ? [[id, image]] : []))),
      );
    },
    byBarcode: (gtin) =>
      db.read(async (em) => {
        const found = await em.find(
          Product,
          { upc: gtin, removedAt: null },
          { orderBy: { dsldId: 'desc' }, limit: 50, disableIdentityMap: true },
        );
        return found as unknown as StoredProduct[];
      }),
    market: async (slug) => {
      const [known, products] = [(await facts()).get(slug), await index()];
      return known ? db.read((em) => marketProfile(em, products, known)) : null;
    },
    marketStates,
    topProducts: async (slug, limit) => {
      const { ids } = (await index()).search({ supplements: [slug], onMarket: true, offset: 0, limit });
      return db.read((em) => readRows(em, ids));
    },
    plainExample: async (slug) => {
      const held = JSON.stringify([slug]);
      const [found] = (await db.read((em) => em.execute(PLAIN, [held, held]))) as unknown as { id: number }[];
      return (found && (await cards([found.id]))[0]) ?? null;
    },
    countsBySupplement: async () => (await index()).countsBySupplement(),
    stats: async () => {
      // `generate` requests these figures for pages that need no index, and building one for 100,000 products takes a second.
      if (host.role === 'command') return counted();
      const { products, onMarket, brands } = (await index()).totals();
      return { total: products, on_market: onMarket, brands };
    },
    exists: async (dsldId) => (await index()).has(dsldId),
    resolveSupplement: (input) => vocabulary.resolve(input, ['supplement']),
    stopCatalogue: async () => {
      if (timer) clearInterval(timer);
      await feed.settled();
    },
  };
};

/** Caches the facts of supplements until content or the corpus changes. */
const factsKeeper = (
  host: Host,
  vocabulary: VocabularyServices,
): (() => Promise<ReadonlyMap<string, SupplementFacts>>) => {
  const evidence = host.use(evidencePlugin);
  let made: { state: unknown; version: string; facts: ReadonlyMap<string, SupplementFacts> } | null = null;
  return keepFor(FACTS_TTL, async () => {
    const terms = await vocabulary.terms();
    const { version } = evidence.index.state();
    if (made?.state !== terms || made.version !== version) {
      made = { state: terms, version, facts: await host.db.read((em) => readSupplementFacts(em, terms)) };
    }
    return made.facts;
  });
};
