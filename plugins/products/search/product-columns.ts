/** Stores the filter and sort keys of products as numeric columns: a scan of 155,000 products takes a millisecond. */

export const UNKNOWN = -1;

/** The indexed fields of a product. */
export interface IndexedProduct {
  readonly dsldId: number;
  readonly name: string;
  readonly brand: string;
  readonly brandSlug: string;
  readonly form: string;
  readonly onMarket: boolean | null;
  /** Slugs of the supplements among its ingredients. */
  readonly supplements: readonly string[];
  /** Amounts per serving that the label, or only the name, states. */
  readonly amounts: readonly StatedAmount[];
  /** Further searchable words: names of ingredients and supplements. */
  readonly more: string;
}

/** An amount of one supplement per serving, as a label states it. */
export interface StatedAmount {
  readonly slug: string;
  readonly amount: number;
  readonly unit: string;
  readonly source: 'label' | 'name';
}

/** Interns repeated strings as numbers. */
export class Names {
  readonly #ids = new Map<string, number>();
  readonly values: string[] = [];

  idOf(value: string): number {
    const known = this.#ids.get(value);
    if (known !== undefined) return known;
    this.#ids.set(value, this.values.length);
    this.values.push(value);
    return this.values.length - 1;
  }

  find(value: string): number | undefined {
    return this.#ids.get(value);
  }
}

const grow = <T extends Int32Array | Int8Array | Uint8Array>(column: T, size: number): T => {
  if (size <= column.length) return column;
  const wider = new (column.constructor as new (length: number) => T)(Math.max(size, column.length * 2));
  wider.set(column as never);
  return wider;
};

export class ProductColumns {
  size = 0;
  live = 0;
  ids = new Int32Array(1_024);
  brands = new Int32Array(1_024);
  forms = new Int32Array(1_024);
  /** 1 on the market, 0 off it, -1 unknown. */
  market = new Int8Array(1_024);
  dead = new Uint8Array(1_024);
  /** Number of words in the name, once it is tokenized: a match with a short name is more specific. */
  lengths = new Uint8Array(1_024);
  readonly sortKeys: string[] = [];
  /** Numbers of the supplements of each document. */
  readonly supplements: (readonly number[])[] = [];
  readonly brandSlugs = new Names();
  /** The last spelling of each brand, by brand number. */
  readonly brandNames: string[] = [];
  readonly formNames = new Names();
  readonly supplementSlugs = new Names();
  /** Documents of each supplement, dead ones included. */
  readonly bySupplement: number[][] = [];
  readonly #places = new Map<number, number>();

  /** Adds a product or replaces its previous version. Returns its document number. */
  add(product: IndexedProduct, sortKey: string): number {
    this.remove(product.dsldId);
    const at = this.size;
    this.size += 1;
    this.live += 1;
    this.#widen();
    this.ids[at] = product.dsldId;
    const brand = this.brandSlugs.idOf(product.brandSlug);
    this.brands[at] = brand;
    this.brandNames[brand] = product.brand;
    this.forms[at] = this.formNames.idOf(product.form);
    this.market[at] = product.onMarket === null ? UNKNOWN : Number(product.onMarket);
    this.sortKeys.push(sortKey);
    const supplements = product.supplements.map((slug) => this.supplementSlugs.idOf(slug));
    this.supplements.push(supplements);
    for (const number of supplements) {
      const documents = this.bySupplement[number] ?? [];
      documents.push(at);
      this.bySupplement[number] = documents;
    }
    this.#places.set(product.dsldId, at);
    return at;
  }

  remove(dsldId: number): void {
    const at = this.#places.get(dsldId);
    if (at === undefined) return;
    this.dead[at] = 1;
    this.live -= 1;
    this.#places.delete(dsldId);
  }

  has(dsldId: number): boolean {
    return this.#places.has(dsldId);
  }

  /** Returns the live documents by name, then id. */
  byName(): Int32Array {
    const living: number[] = [];
    for (let at = 0; at < this.size; at += 1) if (!this.dead[at]) living.push(at);
    const keys = this.sortKeys;
    return Int32Array.from(
      living.sort((a, b) => {
        const [left, right] = [keys[a] as string, keys[b] as string];
        return left < right ? -1 : left > right ? 1 : (this.ids[a] as number) - (this.ids[b] as number);
      }),
    );
  }

  #widen(): void {
    this.ids = grow(this.ids, this.size);
    this.brands = grow(this.brands, this.size);
    this.forms = grow(this.forms, this.size);
    this.market = grow(this.market, this.size);
    this.dead = grow(this.dead, this.size);
    this.lengths = grow(this.lengths, this.size);
  }
}
