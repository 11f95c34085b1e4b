import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { eventsOf, fixture, tarOf, temporaryFolder } from './support.ts';

/** Returns a deterministic pseudo-random generator, so that every run uses the same numbers. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const damaged = (bytes: Buffer, next: (below: number) => number): Buffer => {
  const copy = Buffer.from(bytes);
  for (let times = 1 + next(6); times > 0; times -= 1) copy[next(copy.length)] = next(256);
  if (next(3) === 0) return copy.subarray(0, next(copy.length));
  return next(4) === 0 ? Buffer.concat([copy.subarray(next(copy.length)), copy]) : copy;
};

describe('importers on damaged files', () => {
  const folder = temporaryFolder();
  const files: readonly (readonly [string, string])[] = [
    ['pubmed', 'pubmed.xml'],
    ['jats', 'article.nxml'],
    ['ctgov', 'studies.json'],
    ['nbib', 'export.nbib'],
    ['ris', 'export.ris'],
    ['retractions', 'retraction-watch.csv'],
  ];

  for (const [kind, name] of files) {
    it(`${kind} yields records and problems, and never throws`, async () => {
      const whole = await readFile(fixture(name));
      const next = numbers(name.length);
      for (let round = 0; round < 40; round += 1) {
        const bytes = damaged(round % 3 === 0 ? gzipSync(whole) : whole, next);
        const events = await eventsOf(kind, await folder.put(`${round}-${name}`, bytes));
        for (const event of events) assert.ok(event.at.startsWith(`${round}-`), event.at);
        for (const event of events) if (event.type === 'problem') assert.match(event.message, /^[^\n]{5,400}$/);
      }
    });
  }

  it('jats yields events for damaged archives, and never throws', async () => {
    const article = await readFile(fixture('article.nxml'), 'utf8');
    const archive = await tarOf({ 'a.nxml': article, 'b.nxml': article });
    const next = numbers(7);
    for (let round = 0; round < 40; round += 1) {
      const bytes = damaged(round % 2 === 0 ? gzipSync(archive) : archive, next);
      await eventsOf('jats', await folder.put(`${round}.tar`, bytes));
    }
  });
});
