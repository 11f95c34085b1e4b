/**
 * Measures the abstract reader: `npm run bench -- reader [--passages <tsv>] [--abstracts <tsv>]`. Both files have the columns
 * of evidence-inference; the abstracts are taken from the column `abstract` or, by PMC number, from shared/data/jats.
 */
import { statSync } from 'node:fs';
import { loadReader } from '../../plugins/evidence/reading/load.ts';
import type { AbstractReader, EffectProbabilities } from '../../plugins/evidence/reading/reading.ts';
import { DATA, dataIsThere } from '../grading/reference.ts';
import {
  isHeldOutArticle,
  isTestSource,
  type JudgedSource,
  type LabelledPrompt,
  readAbstracts,
  readArticleAbstracts,
  readJudgedSources,
  readTable,
} from './data.ts';
import { measureDetails } from './details.ts';
import { measureLabelledArticles } from './labelled-articles.ts';
import { type Pair, printClasses, printCoverage, printReliability } from './measures.ts';
import { directionByRules, labelByRules } from './rules.ts';

const LABELS = ['increased', 'decreased', 'none'] as const;
const THREE = ['positive', 'negative', 'null'] as const;
const args = process.argv.slice(2);
const optionValue = (name: string): string | null =>
  args.includes(name) ? (args[args.indexOf(name) + 1] ?? null) : null;
const listErrors = args.includes('--errors');

const strongest = <Name extends string>(
  scores: Readonly<Record<Name, number>>,
  names: readonly Name[],
): [Name, number] =>
  names.map((name): [Name, number] => [name, scores[name]]).toSorted((left, right) => right[1] - left[1])[0]!;

const toPair = (truth: string, effect: EffectProbabilities | null): Pair => {
  if (!effect) return { truth, predicted: null, probability: 0 };
  const [predicted, probability] = strongest(effect, LABELS);
  return { truth, predicted, probability };
};
const report = (title: string, pairs: readonly Pair[], classes: readonly string[]): void => {
  console.log(`\n${title}`);
  printClasses(pairs, classes);
};
const printErrors = (rows: readonly { readonly id: string; readonly pair: Pair }[]): void => {
  if (!listErrors) return;
  for (const { id, pair } of rows)
    if (pair.truth !== pair.predicted)
      console.log(
        `    ${id}: given ${pair.truth}, read ${pair.predicted ?? 'nothing'} (${pair.probability.toFixed(2)})`,
      );
};

const measurePassages = (reader: AbstractReader, rows: readonly LabelledPrompt[]): void => {
  const rules = rows.map(
    (row): Pair => ({ truth: row.label, predicted: labelByRules(row, row.evidence), probability: 1 }),
  );
  report(`Label from the marked passage: rules of today, ${rows.length} prompts`, rules, LABELS);
  const started = performance.now();
  const pairs = rows.map((row) => toPair(row.label, reader.label(row, row.evidence)));
  const took = (performance.now() - started) / rows.length;
  report(`Label from the marked passage: reader (${took.toFixed(1)} ms a passage)`, pairs, LABELS);
  printCoverage(pairs);
  printReliability(pairs);
  printErrors(rows.map((row, index) => ({ id: `prompt ${row.prompt}`, pair: pairs[index]! })));
};

const measureAbstracts = (title: string, reader: AbstractReader, rows: readonly LabelledPrompt[]): void => {
  if (rows.length === 0) return;
  const started = performance.now();
  const pairs = rows.map((row) => toPair(row.label, reader.labelInAbstract(row, row.abstract!)));
  const took = (performance.now() - started) / rows.length;
  const rules = rows.map(
    (row): Pair => ({ truth: row.label, predicted: labelByRules(row, row.abstract!), probability: 1 }),
  );
  report(`${title}: rules of today`, rules, LABELS);
  const forced = pairs.map((pair): Pair => (pair.predicted === null ? { ...pair, predicted: 'none' } : pair));
  report(`${title}: reader, an abstention counted as "none" (${took.toFixed(1)} ms)`, forced, LABELS);
  const mentioned = pairs.filter(({ predicted }) => predicted !== null);
  report(`${title}: reader, where the abstract mentions the outcome`, mentioned, LABELS);
  printCoverage(mentioned);
  printErrors(rows.map((row, index) => ({ id: `prompt ${row.prompt}`, pair: pairs[index]! })));
};

const measureSources = (reader: AbstractReader, sources: readonly JudgedSource[]): void => {
  const started = performance.now();
  const found = sources.map(({ record, interventions, terms }) =>
    reader.directions(record, interventions, { key: '', terms }),
  );
  const took = (performance.now() - started) / sources.length;
  const decided = sources.map(({ direction }) => THREE.includes(direction as never));
  const toThree = (index: number): Pair => {
    const truth = sources[index]!.direction;
    const scores = found[index];
    if (!scores) return { truth, predicted: null, probability: 0 };
    const [predicted, probability] = strongest(scores, THREE);
    // The three scores may sum to less than 1, because "mixed" takes the rest: a source that looks mixed gets a low probability
    // and thus an abstention.
    return { truth, predicted, probability };
  };
  const indexes = sources.map((_, index) => index);
  const three = indexes.filter((index) => decided[index]);
  const rules = three.map((index): Pair => {
    const said = directionByRules(sources[index]!);
    const known = THREE.includes(said as never);
    return { truth: sources[index]!.direction, predicted: known ? said : null, probability: 1 };
  });
  report('Sources judged positive, negative or null by editors: rules of today', rules, THREE);
  const stated = rules.filter(({ predicted }) => predicted !== null);
  const right = stated.filter(({ truth, predicted }) => truth === predicted).length;
  console.log(`  where the rules say one of the three: ${right} of ${stated.length}`);
  const pairs = three.map(toThree);
  report(`The same sources: reader (${took.toFixed(1)} ms a source)`, pairs, THREE);
  printCoverage(pairs);
  printReliability(pairs);
  printErrors(three.map((index, place) => ({ id: `PMID ${sources[index]!.pmid}`, pair: pairs[place]! })));
  const four = [...THREE, 'mixed'] as const;
  const all = indexes.map((index): Pair => {
    const truth = decided[index] ? sources[index]!.direction : 'mixed';
    const scores = found[index];
    if (!scores) return { truth, predicted: 'mixed', probability: 0.5 };
    const [predicted, probability] = strongest(scores, four);
    return { truth, predicted, probability };
  });
  report('All held-out sources, mixed and unclear as one class: reader', all, four);
  printCoverage(all);
};

const megabytes = (name: string): number =>
  statSync(new URL(`../../plugins/evidence/reading/model/${name}`, import.meta.url)).size / 1e6;

const reader = await loadReader();
console.log(`model ${megabytes('reader.bin').toFixed(2)} MB`);
const [passages, abstracts] = [optionValue('--passages'), optionValue('--abstracts')];
if (!dataIsThere() && passages === null) {
  console.log('Real data are not beside the project (shared/data): nothing to measure.');
  process.exit(0);
}
if (passages !== null || abstracts === null)
  measurePassages(reader, readTable<LabelledPrompt>(passages ?? new URL('evidence-inference/dev.tsv', DATA)));
if (dataIsThere() && (abstracts !== null || passages === null)) {
  const { byPmc, byPmid } = await readArticleAbstracts();
  const attach = (rows: readonly LabelledPrompt[]): LabelledPrompt[] =>
    rows
      .map((row) => ({ ...row, abstract: row.abstract ?? byPmc.get(row.pmcid)?.abstract ?? '' }))
      .filter(({ abstract }) => abstract.length > 200);
  if (abstracts !== null)
    measureAbstracts('Label from the whole abstract', reader, attach(readTable<LabelledPrompt>(abstracts)));
  else {
    measureAbstracts(
      'Label from the whole abstract, dev split',
      reader,
      attach(readTable<LabelledPrompt>(new URL('evidence-inference/dev.tsv', DATA))),
    );
    const held = readTable<LabelledPrompt>(new URL('evidence-inference/train.tsv', DATA)).filter(({ pmcid }) =>
      isHeldOutArticle(pmcid),
    );
    measureAbstracts('Label from the whole abstract, held-out articles of the train split', reader, attach(held));
    measureSources(
      reader,
      readJudgedSources(readAbstracts(byPmid)).filter(({ pmid }) => isTestSource(pmid)),
    );
    measureLabelledArticles(reader, byPmid);
    measureDetails(readAbstracts(byPmid));
  }
}
