/** Dictionary of product words with growing posting lists, prefix search, and the nearest words to a misspelling. */
import { editDistance } from '#core/search/edit-distance.ts';
import { buildNameGrams, type NameGrams } from '#core/search/name-grams.ts';

/** Fields of a product, the one with the highest weight first. */
export const FIELDS = ['name', 'brand', 'more'] as const;
export type Field = 0 | 1 | 2;

/** A growing list of unboxed numbers. */
class Numbers {
  #values = new Int32Array(4);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  get view(): Int32Array {
    return this.#values.subarray(0, this.length);
  }
}

export interface WordHit {
  readonly word: number;
  /** 1 for the word itself, less for a similar word or a completion. */
  readonly weight: number;
}

const PREFIX_LIMIT = 300;
const TYPO_LIMIT = 6;

/** Returns the maximum edit distance for a word of this length. */
const allowance = (letters: number): number => (letters < 4 ? 0 : letters < 8 ? 1 : 2);

export class TokenDictionary {
  readonly #ids = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #postings: Numbers[] = [];
  /** Sorted words and their trigrams, rebuilt when words were added. */
  #sorted: { words: readonly string[]; size: number } = { words: [], size: 0 };
  #grams: { grams: NameGrams; size: number } | null = null;

  get size(): number {
    return this.#words.length;
  }

  add(word: string, document: number, field: Field): void {
    let id = this.#ids.get(word);
    if (id === undefined) {
      id = this.#words.length;
      this.#ids.set(word, id);
      this.#words.push(word);
      this.#postings.push(new Numbers());
    }
    this.#postings[id]?.push(document * 4 + field);
  }

  /** Returns the posting list of a word, as `document * 4 + field`, ascending. */
  postings(word: number): Int32Array {
    return this.#postings[word]?.view ?? new Int32Array(0);
  }

  find(word: string): number | undefined {
    return this.#ids.get(word);
  }

  /**
   * Returns words with this prefix, the most frequent first. A prefix that ends in a digit continues with letters only (b12
   * does not match b125).
   */
  beginningWith(prefix: string): readonly number[] {
    const words = this.#inOrder();
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((words[middle] as string) < prefix) low = middle + 1;
      else high = middle;
    }
    const endsInDigit = /\d$/.test(prefix);
    const found: number[] = [];
    for (let at = low; at < words.length && (words[at] as string).startsWith(prefix); at += 1) {
      const next = (words[at] as string).charAt(prefix.length);
      if (endsInDigit && /\d/.test(next)) continue;
      found.push(this.#ids.get(words[at] as string) as number);
    }
    return found.sort((a, b) => this.postings(b).length - this.postings(a).length).slice(0, PREFIX_LIMIT);
  }

  /** Returns the nearest words to a misspelt word, the most frequent first, or none when a digit would have to change. */
  near(word: string): readonly WordHit[] {
    const allowed = /\d/.test(word) ? 0 : allowance(word.length);
    if (!allowed) return [];
    const { grams } = this.#gramsOf();
    let least = allowed;
    let best: number[] = [];
    for (const { key } of grams.sharing(word, (groups) => groups - 4 * allowed)) {
      const other = this.#words[key] as string;
      if (/\d/.test(other)) continue;
      const distance = editDistance(word, other, least);
      if (distance > least) continue;
      best = distance < least ? [key] : [...best, key];
      least = distance;
    }
    return best
      .sort((a, b) => this.postings(b).length - this.postings(a).length)
      .slice(0, TYPO_LIMIT)
      .map((id) => ({ word: id, weight: least === 1 ? 0.7 : 0.5 }));
  }

  textOf(word: number): string {
    return this.#words[word] ?? '';
  }

  #inOrder(): readonly string[] {
    if (this.#sorted.size !== this.size) this.#sorted = { words: this.#words.toSorted(compare), size: this.size };
    return this.#sorted.words;
  }

  #gramsOf(): { grams: NameGrams } {
    this.#grams =
      this.#grams?.size === this.size ? this.#grams : { grams: buildNameGrams(this.#words), size: this.size };
    return this.#grams;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
