/**
 * Compares the supplements that the program links to a record with manual labels. Needs the real data beside the project.
 * Usage: node bench/topics/topics.ts [--labels <file>] [--errors dev|test] [--as-packed]
 * With --as-packed, records on which the program is unsure get the decision of an editor who screened them without knowing the
 * labels, as papers of the starter corpus do.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { probabilityOfGiven } from '../../plugins/evidence/matching/given-model.ts';
import { compileVocabulary } from '../../plugins/evidence/matching/matcher.ts';
import { screened } from '../../plugins/evidence/starter/editors-tables.ts';
import { contentVocabulary } from '../grading/vocabulary.ts';
import { examplesOf, readLabelled, readLabels } from './examples.ts';

const { values } = parseArgs({
  options: { labels: { type: 'string' }, errors: { type: 'string' }, 'as-packed': { type: 'boolean' } },
});
const labelFile = values.labels ?? join(import.meta.dirname, 'labels.tsv');
const labels = await readLabels(labelFile);
const matcher = compileVocabulary(contentVocabulary());
const records = new Map((await readLabelled(labels)).map((record) => [record.pmid, record]));

/** Papers were screened when the probability of any supplement that they name was between these values. */
const UNSURE = { from: 0.03, to: 0.97 };
const second = values['as-packed'] ? await readLabels(join(import.meta.dirname, 'second-screening.tsv')) : new Map();
const probabilities = Map.groupBy(examplesOf([...records.values()], second), ({ pmid }) => pmid);
const isUnsure = (pmid: string): boolean =>
  (probabilities.get(pmid) ?? []).some(({ features }) => {
    const probability = probabilityOfGiven(features);
    return probability > UNSURE.from && probability < UNSURE.to;
  });

interface Tally {
  right: number;
  wrong: number;
  missed: number;
}
const tallies = new Map<string, Tally>();
const errors: string[] = [];

for (const [pmid, label] of labels) {
  const record = records.get(pmid);
  if (!record) continue;
  const matched = matcher.match(record).supplements;
  const kept = isUnsure(pmid) ? screened(matched, second.get(pmid)) : matched;
  const found = new Set(kept.map(({ slug }) => slug));
  const wrong = [...found].filter((slug) => !label.supplements.has(slug) && !label.either.has(slug));
  const missed = [...label.supplements].filter((slug) => !found.has(slug));
  for (const name of ['all', label.split, `${label.part} ${label.split}`]) {
    const tally = tallies.get(name) ?? { right: 0, wrong: 0, missed: 0 };
    tallies.set(name, tally);
    tally.right += label.supplements.size - missed.length;
    tally.wrong += wrong.length;
    tally.missed += missed.length;
  }
  if (values.errors === label.split && (wrong.length || missed.length))
    errors.push(`${pmid}\twrong: ${wrong.join(', ') || '-'}\tmissed: ${missed.join(', ') || '-'}\t${record.title}`);
}

/** Returns a share with its 95 % Wilson interval, in percent. */
const interval = (hits: number, of: number): string => {
  if (of === 0) return '–';
  const z = 1.96;
  const share = hits / of;
  const middle = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const scale = 1 + z ** 2 / of;
  const percent = (value: number): string => ((100 * value) / scale).toFixed(0);
  return `${(100 * share).toFixed(1)} % (${percent(middle - half)}–${percent(middle + half)})`;
};

console.log(`${records.size} of ${labels.size} labelled records found\n`);
console.log('| records | pairs right | wrong | missed | precision | recall |\n|---|---|---|---|---|---|');
for (const [name, { right, wrong, missed }] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `| ${name} | ${right} | ${wrong} | ${missed} | ${interval(right, right + wrong)} | ${interval(right, right + missed)} |`,
  );
for (const error of errors) console.log(error);
