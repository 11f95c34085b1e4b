/** Measures each set of test/plugins/answers/refusals.tsv: correct, missed and needless refusals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf } from '#plugins/answers/engine/refusal.ts';

export const URGENT: ReadonlySet<string> = new Set(['overdose', 'self_harm', 'emergency']);

export interface RefusalQuestion {
  readonly set: string;
  /** Expected kind of refusal, or `none`. */
  readonly kind: string;
  readonly question: string;
}

/** Returns every question of the list, in its order. */
export const readRefusals = (): readonly RefusalQuestion[] =>
  readFileSync(join(import.meta.dirname, '../../test/plugins/answers/refusals.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [set = '', kind = '', question = ''] = line.split('\t');
      return { set, kind, question };
    });

export interface JudgedRefusal extends RefusalQuestion {
  /** Kind of refusal that the engine returned, or `none`. */
  readonly said: string;
}

/** Runs the engine's refusal check on one set. */
export const judgeSet = (set: string, names: Parameters<typeof refusalOf>[2]): readonly JudgedRefusal[] =>
  readRefusals()
    .filter((one) => one.set === set)
    .map((one) => ({ ...one, said: refusalOf(one.question, [], names) ?? 'none' }));

const portion = <T>(list: readonly T[], holds: (one: T) => boolean): string =>
  `${list.filter(holds).length} of ${list.length}`;

/** Returns one line of figures per set. */
export const refusalFigures = (names: Parameters<typeof refusalOf>[2]): readonly string[] =>
  [...new Set(readRefusals().map(({ set }) => set))].map((set) => {
    const judged = judgeSet(set, names);
    const should = judged.filter(({ kind }) => kind !== 'none');
    const urgent = should.filter(({ kind }) => URGENT.has(kind));
    const calm = judged.filter(({ kind }) => kind === 'none');
    return `refusals, set “${set}”: refused ${portion(should, ({ said }) => said !== 'none')}, emergencies answered as such ${portion(urgent, ({ said }) => URGENT.has(said))}, right kind ${portion(should, ({ kind, said }) => kind === said)}, refused needlessly ${portion(calm, ({ said }) => said !== 'none')}`;
  });
