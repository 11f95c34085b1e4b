/** Collects the best `size` of many scored numbers in a heap; `comesFirst` orders equal scores. */
export class TopK {
  private readonly refs: number[] = [];
  private readonly scores: number[] = [];
  private readonly size: number;
  private readonly comesFirst: (a: number, b: number) => boolean;

  constructor(size: number, comesFirst: (a: number, b: number) => boolean) {
    this.size = size;
    this.comesFirst = comesFirst;
  }

  /** Returns the score below which a number can no longer enter. */
  get threshold(): number {
    return this.scores.length < this.size ? Number.NEGATIVE_INFINITY : this.scores[0]!;
  }

  add(ref: number, score: number): void {
    if (this.size === 0) return;
    if (this.scores.length < this.size) {
      this.refs.push(ref);
      this.scores.push(score);
      this.rise(this.scores.length - 1);
      return;
    }
    if (!this.worse(0, ref, score)) return;
    this.refs[0] = ref;
    this.scores[0] = score;
    this.sink();
  }

  /** Returns the collected numbers, best first. */
  sorted(): { ref: number; score: number }[] {
    return this.refs
      .map((ref, i) => ({ ref, score: this.scores[i]! }))
      .sort((a, b) => b.score - a.score || (this.comesFirst(a.ref, b.ref) ? -1 : 1));
  }

  private worse(at: number, ref: number, score: number): boolean {
    const held = this.scores[at]!;
    return held < score || (held === score && this.comesFirst(ref, this.refs[at]!));
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.worse(parent, this.refs[at]!, this.scores[at]!)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.scores.length && this.worse(child, this.refs[least]!, this.scores[least]!)) least = child;
      }
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private swap(a: number, b: number): void {
    [this.refs[a], this.refs[b]] = [this.refs[b]!, this.refs[a]!];
    [this.scores[a], this.scores[b]] = [this.scores[b]!, this.scores[a]!];
  }
}
