/** Composes an answer as Markdown and records the position of each claim in it. */
import type { Claim } from '../schemas.ts';

const marks = (citations: readonly number[]): string => citations.map((n) => `[${n}]`).join('');

/** A piece of the answer as it is streamed. */
export interface Piece {
  readonly text: string;
  /** Marks of the citations that this piece confirms. */
  readonly citations: readonly number[];
}

/** Collects pieces. `claim` sentences carry their marks; `note` lines are not findings and carry none. */
export class AnswerText {
  readonly #pieces: Piece[] = [];
  readonly #claims: Claim[] = [];
  #length = 0;
  #last: 'item' | 'other' = 'other';

  #push(text: string, citations: readonly number[] = []): void {
    this.#pieces.push({ text, citations });
    this.#length += text.length;
  }

  /** Adds a heading or a sentence about this service, as opposed to a finding. */
  note(text: string): this {
    if (!text) return this;
    this.#push(`${this.#length ? '\n\n' : ''}${text}`);
    this.#last = 'other';
    return this;
  }

  /** Adds one factual sentence with its marks, as a paragraph or as a list item. */
  claim(sentence: string, citations: readonly number[], style: 'item' | 'paragraph' = 'paragraph'): this {
    if (!citations.length) throw new Error('A claim needs a citation');
    const gap = style === 'item' && this.#last === 'item' ? '\n' : '\n\n';
    const lead = `${this.#length ? gap : ''}${style === 'item' ? '- ' : ''}`;
    const text = `${sentence} ${marks(citations)}`;
    const start = this.#length + lead.length;
    this.#claims.push({ text, citations: [...citations], start, end: start + text.length });
    this.#push(`${lead}${text}`, citations);
    this.#last = style === 'item' ? 'item' : 'other';
    return this;
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  get claims(): readonly Claim[] {
    return this.#claims;
  }

  get text(): string {
    return this.#pieces.map(({ text }) => text).join('');
  }
}
