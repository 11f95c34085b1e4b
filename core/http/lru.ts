/** A cache that evicts the least recently used entries when their total size exceeds a limit. */
export class LRUCache<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, { value: T; size: number }>();
  #size = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Total size of all entries, in the unit of `set`. */
  get size(): number {
    return this.#size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, size: number): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#size -= entry.size;
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
