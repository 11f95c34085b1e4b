import type { AbstractReader } from '../../plugins/evidence/reading/reading.ts';
import { type RecordText, readTable } from './data.ts';

interface LabelledArticle {
  readonly pmid: string;
  readonly direction: string;
  readonly primary_outcome: string;
}

const DECIDED = ['positive', 'negative', 'null'] as const;

/**
 * Prints the verdicts on the 170 articles of bench/extraction, which were not used for training; the title is used as the
 * intervention.
 */
export const measureLabelledArticles = (reader: AbstractReader, articles: ReadonlyMap<string, RecordText>): void => {
  const rows = ['labels-1.tsv', 'labels-2.tsv'].flatMap((name) =>
    readTable<LabelledArticle>(new URL(`../extraction/${name}`, import.meta.url)),
  );
  const read: { readonly probability: number; readonly right: boolean }[] = [];
  let [given, right, mixed, mixedCalled] = [0, 0, 0, 0];
  for (const { pmid, direction, primary_outcome: outcome } of rows) {
    const record = articles.get(pmid);
    if (!record || record.abstract.length < 150) continue;
    const question = [record, [record.title.slice(0, 60)], { key: '', terms: [outcome.slice(0, 100)] }] as const;
    const verdict = reader.verdict(...question);
    const said = verdict !== null && verdict.direction !== 'mixed';
    if (!DECIDED.includes(direction as never)) {
      mixed += 1;
      mixedCalled += Number(said);
      continue;
    }
    given += Number(said);
    right += Number(verdict?.direction === direction);
    const scores = reader.directions(...question);
    const best = scores && DECIDED.toSorted((one, other) => scores[other] - scores[one])[0]!;
    read.push({ probability: best ? scores[best] : 0, right: best === direction });
  }
  const sorted = read.toSorted((one, other) => other.probability - one.probability);
  console.log(`\nArticles of bench/extraction labelled positive, negative or null: ${read.length}`);
  console.log(`  verdicts with the shipped thresholds: ${right} of ${given} right`);
  console.log(
    `  of ${mixed} labelled mixed or unclear, ${mixedCalled} get a verdict of benefit, harm or no difference`,
  );
  for (const share of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
    const taken = sorted.slice(0, Math.round(share * sorted.length));
    console.log(`  coverage ${share}: ${taken.filter((entry) => entry.right).length} of ${taken.length} right`);
  }
};
