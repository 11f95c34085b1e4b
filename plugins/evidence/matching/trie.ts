import { type Token, tokenise } from './tokens.ts';

/** A term that was found, in the tokens `from` (inclusive) to `to` (exclusive). */
export interface TermHit<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

interface Node<Value> {
  readonly next: Map<string, Node<Value>>;
  readonly values: Value[];
}

const newNode = <Value>(): Node<Value> => ({ next: new Map(), values: [] });

const plurals = (word: string): string[] => {
  if (!/^[a-z]{3,}$/.test(word) || /s$/.test(word)) return [word];
  if (/[^aeiou]y$/.test(word)) return [word, `${word.slice(0, -1)}ies`];
  return /(?:x|ch|sh)$/.test(word) ? [word, `${word}es`] : [word, `${word}s`];
};

/** Stores all terms in one trie over words, so that a text is scanned once, regardless of the number of terms. */
export class TermTrie<Value> {
  readonly #root: Node<Value> = newNode();

  /** Adds a term and the plural of its last word. */
  add(term: string, value: Value): void {
    const words = tokenise(term).map(({ word }) => word);
    const last = words.pop();
    if (last === undefined) return;
    let node = this.#root;
    for (const word of words) node = this.#step(node, word);
    for (const form of plurals(last)) {
      const end = this.#step(node, form);
      if (!end.values.includes(value)) end.values.push(value);
    }
  }

  #step(node: Node<Value>, word: string): Node<Value> {
    const known = node.next.get(word);
    if (known !== undefined) return known;
    const made = newNode<Value>();
    node.next.set(word, made);
    return made;
  }

  /**
   * Finds the longest term at each position, left to right, without overlaps; a term shared by several values yields one hit for
   * each.
   */
  find(tokens: readonly Token[]): TermHit<Value>[] {
    const hits: TermHit<Value>[] = [];
    for (let from = 0; from < tokens.length; from += 1) {
      let node: Node<Value> | undefined = this.#root;
      let longest: Node<Value> | null = null;
      let to = from;
      for (let at = from; at < tokens.length; at += 1) {
        node = node.next.get(tokens[at]!.word);
        if (node === undefined) break;
        if (node.values.length > 0) {
          longest = node;
          to = at + 1;
        }
      }
      if (longest === null) continue;
      for (const value of longest.values) hits.push({ value, from, to });
      from = to - 1;
    }
    return hits;
  }
}
