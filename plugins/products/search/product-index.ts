/**
 * In-memory product index: full-text search with prefixes and typo tolerance over name, brand and ingredients, and exact
 * filters. A query must match all of its words; when no product has them all, the products with the most words are returned
 * together with the omitted words.
 */
import { foldName } from '#core/search/name-index.ts';
import { TopK } from '#core/search/top-k.ts';
import { type IndexedProduct, ProductColumns, type StatedAmount } from './product-columns.ts';
import { productWords, queryWords } from './product-words.ts';
import { type Field, TokenDictionary, type WordHit } from './token-dictionary.ts';

export interface ProductQuery {
  readonly text?: string;
  /** Slugs of supplements; a product must contain one of them. */
  readonly supplements?: readonly string[];
  readonly brandSlug?: string;
  /** Part of the name of the form, ignoring case and accents. */
  readonly form?: string;
  /** Excludes products that are known to be off the market. */
  readonly onMarket?: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface ProductAnswer {
  readonly total: number;
  readonly ids: readonly number[];
  /** Words of the query that the results omit, when no product has them all. */
  readonly without: readonly string[];
  /** Words that were corrected: `magnezium` to `magnesium`. */
  readonly readAs: Readonly<Record<string, string>>;
}

export interface BrandCount {
  readonly slug: string;
  readonly name: string;
  readonly products: number;
  readonly onMarket: number;
  /** Slugs of its supplements, the most frequent first. */
  readonly supplements: readonly string[];
}

/** Weight of a word in each field. */
const WEIGHTS = [3, 2, 1] as const;
/** Maximum number of words of a query; more than any product name has. */
const MOST_WORDS = 16;
/** Maximum share of dead documents before the index is rebuilt. */
const MOST_DEAD = 0.25;

/** Texts of a product that are not tokenized yet. */
interface Unread {
  readonly document: number;
  readonly texts: readonly string[];
}

interface ReadQuery {
  readonly words: readonly string[];
  readonly meanings: readonly (readonly WordHit[])[];
}

export class ProductIndex {
  #columns = new ProductColumns();
  #words = new TokenDictionary();
  #unread: Unread[] = [];
  #byName: Int32Array | null = null;
  readonly #amounts = new Map<string, (StatedAmount & { readonly document: number })[]>();
  #brandCounts = new Map<string, readonly BrandCount[]>();
  #scores = new Float32Array(0);
  #found = new Uint8Array(0);
  #last = new Int8Array(0);

  get size(): number {
    return this.#columns.live;
  }

  /** Returns whether the index has so many dead documents that it should be rebuilt. */
  get isWorn(): boolean {
    return this.#columns.size > 10_000 && this.#columns.size - this.#columns.live > this.#columns.size * MOST_DEAD;
  }

  has(dsldId: number): boolean {
    return this.#columns.has(dsldId);
  }

  add(product: IndexedProduct): void {
    const document = this.#columns.add(product, foldName(product.name));
    this.#unread.push({ document, texts: [product.name, product.brand, product.more] });
    for (const stated of product.amounts) {
      const list = this.#amounts.get(stated.slug) ?? [];
      list.push({ ...stated, document });
      this.#amounts.set(stated.slug, list);
    }
    this.#forget();
  }

  /**
   * Indexes the words of the added products. A search calls this, and a server calls it at startup. Callers that only count
   * and list, such as `generate`, skip its cost, which is more than half of the indexing work.
   */
  readWords(): void {
    const unread = this.#unread;
    this.#unread = [];
    for (const { document, texts } of unread) {
      if (this.#columns.dead[document]) continue;
      const seen = new Set<string>();
      for (const [field, text] of texts.entries()) {
        const words = productWords(text);
        if (field === 0) this.#columns.lengths[document] = Math.min(255, words.length);
        for (const word of words) {
          if (seen.has(word)) continue;
          seen.add(word);
          this.#words.add(word, document, field as Field);
        }
      }
    }
  }

  remove(dsldId: number): void {
    this.#columns.remove(dsldId);
    this.#forget();
  }

  search(query: ProductQuery): ProductAnswer {
    const words = queryWords(query.text ?? '').slice(0, MOST_WORDS);
    return words.length ? this.#byText(words, query) : this.#listed(query);
  }

  /** Returns every brand with its counts, by name; counts only products with the supplement when one is given. */
  brands(supplement = ''): readonly BrandCount[] {
    const known = this.#brandCounts.get(supplement);
    if (known) return known;
    const counted = this.#countBrands(supplement);
    this.#brandCounts.set(supplement, counted);
    return counted;
  }

  brand(slug: string): BrandCount | null {
    return this.#brandBySlug().get(slug) ?? null;
  }

  /** Returns the number of products per supplement. */
  countsBySupplement(): ReadonlyMap<string, number> {
    const { bySupplement, dead, supplementSlugs } = this.#columns;
    return new Map(
      supplementSlugs.values.map((slug, number) => [
        slug,
        (bySupplement[number] ?? []).reduce((sum, at) => sum + (dead[at] ? 0 : 1), 0),
      ]),
    );
  }

  /**
   * Returns the numbers of products, of products known to be on the market, and of brands, in total or for one supplement.
   */
  totals(supplement = ''): { products: number; onMarket: number; unknown: number; brands: number } {
    const { market, brands } = this.#columns;
    const seen = new Set<number>();
    const totals = { products: 0, onMarket: 0, unknown: 0, brands: 0 };
    this.#each(supplement, (at) => {
      totals.products += 1;
      if (market[at] === 1) totals.onMarket += 1;
      if (market[at] === -1) totals.unknown += 1;
      seen.add(brands[at] as number);
    });
    return { ...totals, brands: seen.size };
  }

  /** Returns the amounts that labels state for a supplement, one entry per product and amount. */
  amounts(supplement: string): readonly StatedAmount[] {
    return (this.#amounts.get(supplement) ?? []).filter(({ document }) => !this.#columns.dead[document]);
  }

  /** Returns the forms of the products with a supplement (of all products for ""), the most frequent first. */
  forms(supplement = ''): readonly { form: string; count: number }[] {
    const counts = new Map<number, number>();
    this.#each(supplement, (at) => {
      const form = this.#columns.forms[at] as number;
      counts.set(form, (counts.get(form) ?? 0) + 1);
    });
    return [...counts]
      .map(([form, count]) => ({ form: this.#columns.formNames.values[form] ?? '', count }))
      .sort((a, b) => b.count - a.count || (a.form < b.form ? -1 : 1));
  }

  #forget(): void {
    this.#byName = null;
    this.#places = null;
    this.#brandCounts.clear();
    this.#slugs = null;
  }

  #slugs: ReadonlyMap<string, BrandCount> | null = null;
  #brandBySlug(): ReadonlyMap<string, BrandCount> {
    this.#slugs ??= new Map(this.brands().map((brand) => [brand.slug, brand]));
    return this.#slugs;
  }

  #each(supplement: string, visit: (document: number) => void): void {
    const { size, dead, bySupplement, supplementSlugs } = this.#columns;
    if (!supplement) {
      for (let at = 0; at < size; at += 1) if (!dead[at]) visit(at);
      return;
    }
    const number = supplementSlugs.find(supplement);
    for (const at of number === undefined ? [] : (bySupplement[number] ?? [])) if (!dead[at]) visit(at);
  }

  #countBrands(supplement: string): readonly BrandCount[] {
    const { brands, market, supplements, brandSlugs, brandNames, supplementSlugs } = this.#columns;
    const counts = new Map<number, { products: number; onMarket: number; held: Map<number, number> }>();
    this.#each(supplement, (at) => {
      const brand = brands[at] as number;
      const count = counts.get(brand) ?? { products: 0, onMarket: 0, held: new Map() };
      counts.set(brand, count);
      count.products += 1;
      if (market[at] === 1) count.onMarket += 1;
      for (const held of supplements[at] ?? []) count.held.set(held, (count.held.get(held) ?? 0) + 1);
    });
    return [...counts]
      .map(([brand, { products, onMarket, held }]) => ({
        slug: brandSlugs.values[brand] ?? '',
        name: brandNames[brand] ?? '',
        products,
        onMarket,
        supplements: [...held]
          .sort((a, b) => b[1] - a[1] || a[0] - b[0])
          .slice(0, 12)
          .map(([number]) => supplementSlugs.values[number] ?? ''),
      }))
      .filter(({ slug }) => slug !== '')
      .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** Returns a predicate for the filters, or null when no document can match. */
  #filter({ supplements, brandSlug, form, onMarket }: ProductQuery): ((at: number) => boolean) | null {
    const columns = this.#columns;
    const wanted = new Set(supplements?.map((slug) => columns.supplementSlugs.find(slug)));
    const brand = brandSlug ? columns.brandSlugs.find(brandSlug) : undefined;
    if (brandSlug && brand === undefined) return null;
    const folded = form ? foldName(form) : '';
    const forms = folded
      ? new Set(columns.formNames.values.flatMap((name, number) => (foldName(name).includes(folded) ? [number] : [])))
      : null;
    if (forms && !forms.size) return null;
    return (at) =>
      !columns.dead[at] &&
      (brand === undefined || columns.brands[at] === brand) &&
      (!forms || forms.has(columns.forms[at] as number)) &&
      (!onMarket || columns.market[at] !== 0) &&
      (!supplements?.length || (columns.supplements[at] ?? []).some((number) => wanted.has(number)));
  }

  #listed(query: ProductQuery): ProductAnswer {
    const fits = this.#filter(query);
    const ids: number[] = [];
    let total = 0;
    if (fits) {
      for (const at of this.#inOrder(query)) {
        if (!fits(at)) continue;
        if (total >= query.offset && ids.length < query.limit) ids.push(this.#columns.ids[at] as number);
        total += 1;
      }
    }
    return { total, ids, without: [], readAs: {} };
  }

  /**
   * Returns candidate documents by name. Those of a single supplement are sorted directly instead of scanning all documents.
   */
  #inOrder({ supplements = [] }: ProductQuery): Int32Array {
    this.#byName ??= this.#columns.byName();
    const [slug, ...others] = supplements;
    if (slug === undefined || others.length) return this.#byName;
    const number = this.#columns.supplementSlugs.find(slug);
    const documents = number === undefined ? [] : (this.#columns.bySupplement[number] ?? []);
    const places = this.#placesByName(this.#byName);
    return Int32Array.from(documents).sort((a, b) => (places[a] as number) - (places[b] as number));
  }

  #places: Int32Array | null = null;
  #placesByName(byName: Int32Array): Int32Array {
    if (this.#places) return this.#places;
    const places = new Int32Array(this.#columns.size);
    for (let place = 0; place < byName.length; place += 1) places[byName[place] as number] = place;
    this.#places = places;
    return places;
  }

  /**
   * Returns the possible meanings of each word of a query: the word itself, the word joined with its neighbour, and
   * completions of the last word; otherwise similar words.
   */
  #read(words: readonly string[]): ReadQuery {
    const meanings = words.map((word, at): readonly WordHit[] => {
      const found = new Map<number, number>();
      const take = (id: number | undefined, weight: number): void => {
        if (id !== undefined && !found.has(id)) found.set(id, weight);
      };
      take(this.#words.find(word), 1);
      // "coq 10" matches "CoQ10", for both of its words.
      for (const joined of [`${words[at - 1] ?? ''}${word}`, `${word}${words[at + 1] ?? ''}`]) {
        if (joined !== word && /\d/.test(joined)) take(this.#words.find(joined), 1);
      }
      if (at === words.length - 1 && word.length >= 2) {
        for (const other of this.#words.beginningWith(word)) take(other, 0.8);
      }
      return found.size ? [...found].map(([id, weight]) => ({ word: id, weight })) : this.#words.near(word);
    });
    return { words, meanings };
  }

  #byText(words: readonly string[], query: ProductQuery): ProductAnswer {
    this.readWords();
    const read = this.#read(words);
    const fits = this.#filter(query);
    const touched = fits ? this.#score(read, fits) : [];
    const most = touched.reduce((best, at) => Math.max(best, this.#found[at] as number), 0);
    const enough = touched.filter((at) => this.#found[at] === most);
    const top = new TopK(Math.min(enough.length, query.offset + query.limit), (a, b) => this.#comesFirst(a, b));
    for (const at of enough) top.add(at, this.#weigh(at, words.length));
    const ids = top
      .sorted()
      .slice(query.offset)
      .map(({ ref }) => this.#columns.ids[ref] as number);
    const [first] = enough;
    const without = first === undefined || most === words.length ? [] : this.#missing(read, first);
    return { total: enough.length, ids, without, readAs: this.#readAs(read) };
  }

  /** Sums up, per document, the best meaning of each word. Returns the matched documents. */
  #score({ meanings }: ReadQuery, fits: (at: number) => boolean): number[] {
    const { size, live } = this.#columns;
    if (this.#scores.length < size) {
      this.#scores = new Float32Array(size * 2);
      this.#found = new Uint8Array(size * 2);
      this.#last = new Int8Array(size * 2);
    }
    const touched: number[] = [];
    const [scores, found, last] = [this.#scores, this.#found, this.#last];
    meanings.forEach((hits, word) => {
      // The frequency covers all meanings of the word together, so that a rare completion does not outweigh the word that was
      // typed.
      const frequency = hits.reduce((sum, { word: id }) => sum + this.#words.postings(id).length, 0);
      for (const { word: id, weight } of hits) {
        const postings = this.#words.postings(id);
        const rarity = Math.log(1 + live / (1 + frequency)) * weight;
        for (const posting of postings) {
          const at = posting >> 2;
          if (!found[at] && last[at] !== REFUSED) {
            touched.push(at);
            last[at] = -1;
            scores[at] = 0;
            if (!fits(at)) last[at] = REFUSED;
          }
          // The best meaning of a word comes first; a product with two meanings of one word counts it once.
          if (last[at] === REFUSED || last[at] === word) continue;
          last[at] = word;
          found[at] = (found[at] as number) + 1;
          scores[at] = (scores[at] as number) + rarity * (WEIGHTS[posting & 3] ?? 1);
        }
      }
    });
    const kept = touched.filter((at) => last[at] !== REFUSED);
    for (const at of touched) if (last[at] === REFUSED) last[at] = -1;
    // The arrays are shared between queries: the caller reads the scores before the next query, which clears these entries.
    this.#clear = touched;
    return kept;
  }

  #clear: readonly number[] = [];

  #weigh(at: number, words: number): number {
    const closeness = words / Math.max(words, this.#columns.lengths[at] as number);
    const sold = this.#columns.market[at] === 1 ? 0.05 : 0;
    return (this.#scores[at] as number) * (0.7 + 0.3 * closeness + sold);
  }

  #comesFirst(a: number, b: number): boolean {
    const [left, right] = [this.#columns.sortKeys[a] as string, this.#columns.sortKeys[b] as string];
    return left === right ? (this.#columns.ids[a] as number) < (this.#columns.ids[b] as number) : left < right;
  }

  #missing({ words, meanings }: ReadQuery, at: number): readonly string[] {
    return words.filter((_, word) => !(meanings[word] ?? []).some(({ word: id }) => this.#holds(id, at)));
  }

  #holds(word: number, at: number): boolean {
    return this.#words.postings(word).some((posting) => posting >> 2 === at);
  }

  #readAs({ words, meanings }: ReadQuery): Readonly<Record<string, string>> {
    const pairs = words.flatMap((word, at) => {
      const [best] = meanings[at] ?? [];
      const other = best && best.weight < 0.8 ? this.#words.textOf(best.word) : '';
      return other ? [[word, other]] : [];
    });
    for (const at of this.#clear) this.#found[at] = 0;
    this.#clear = [];
    return Object.fromEntries(pairs);
  }
}

const REFUSED = -2;
