/**
 * Products in memory: full text with prefixes and misspellings over name, brand and ingredients, and exact filters. All
 * words of a query must be found; where no product has them all, those with the most are the answer, and it says so.
 */
import { foldName } from '#core/search/name-index.ts';
import { TopK } from '#core/search/top-k.ts';
import { type IndexedProduct, ProductColumns, type StatedAmount } from './product-columns.ts';
import { productWords, queryWords } from './product-words.ts';
import { type Field, TokenDictionary, type WordHit } from './token-dictionary.ts';

export interface ProductQuery {
  readonly text?: string;
  /** A product must hold one of these supplements. */
  readonly supplements?: readonly string[];
  readonly brandSlug?: string;
  /** Part of the form's name, case and accents aside. */
  readonly form?: string;
  /** Leaves out what is known to have left the market. */
  readonly onMarket?: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface ProductAnswer {
  readonly total: number;
  readonly ids: readonly number[];
  /** Words of the query that the answer goes without, when no product has them all. */
  readonly without: readonly string[];
  /** Words that were read as others: `magnezium` as `magnesium`. */
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

/** What a word in each field weighs. */
const WEIGHTS = [3, 2, 1] as const;
/** More words than any product's name has. */
const MOST_WORDS = 16;
/** Products per rebuild of what changed: dead documents may be a quarter of all. */
const MOST_DEAD = 0.25;

/** Texts of a product whose words are not in the index yet. */
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

  /** Too many dead documents: time to build anew. */
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
   * Takes in the words of what was added. A search does so, and a server beforehand; who only counts and lists, as
   * `generate` does, never pays for it: words are more than half of the work.
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

  /** Every brand with its counts, by name; only products that hold the supplement when one is named. */
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

  /** How many products hold each supplement. */
  countsBySupplement(): ReadonlyMap<string, number> {
    const { bySupplement, dead, supplementSlugs } = this.#columns;
    return new Map(
      supplementSlugs.values.map((slug, number) => [
        slug,
        (bySupplement[number] ?? []).reduce((sum, at) => sum + (dead[at] ? 0 : 1), 0),
      ]),
    );
  }

  /** Products, those known to be sold now, and brands, among all or those with a supplement. */
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

  /** What the labels state of a supplement, one entry per product and amount. */
  amounts(supplement: string): readonly StatedAmount[] {
    return (this.#amounts.get(supplement) ?? []).filter(({ document }) => !this.#columns.dead[document]);
  }

  /** Forms of the products that hold a supplement (of all when ""), the most frequent first. */
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

  /** A test of one document against the filters; null when nothing can fit. */
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

  /** Documents that may fit, by name: those of one supplement are put in order, not looked for among all. */
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

  /** What each word of a query may stand for: itself, joined with its neighbour, and longer words at the end; else near words. */
  #read(words: readonly string[]): ReadQuery {
    const meanings = words.map((word, at): readonly WordHit[] => {
      const found = new Map<number, number>();
      const take = (id: number | undefined, weight: number): void => {
        if (id !== undefined && !found.has(id)) found.set(id, weight);
      };
      take(this.#words.find(word), 1);
      // "coq 10" is found where "CoQ10" stands, for both of its words.
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

  /** Adds up, per document, the best meaning of each word; answers the documents that were met. */
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
      // As rare as all of its meanings together: a rare longer word must not outweigh the word that was typed.
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
          // The best meaning of a word comes first; a product with two meanings of one word has it once.
          if (last[at] === REFUSED || last[at] === word) continue;
          last[at] = word;
          found[at] = (found[at] as number) + 1;
          scores[at] = (scores[at] as number) + rarity * (WEIGHTS[posting & 3] ?? 1);
        }
      }
    });
    const kept = touched.filter((at) => last[at] !== REFUSED);
    for (const at of touched) if (last[at] === REFUSED) last[at] = -1;
    // The arrays are shared: what was found is read before the next query, and cleared here for the one after.
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
