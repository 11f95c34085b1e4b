/**
 * Learns the weights of the local reranker and writes them to plugins/evidence/rerank/weights.ts.
 * Usage: node bench/search/train-reranker.ts [data folder, default ../shared/data]
 * It trains on one half of PubMedQA (MIT) and of the articles under CC BY; bench/search/rerank.ts evaluates on the other half.
 * The same data and index settings give the same weights.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FEATURES } from '#plugins/evidence/rerank/features.ts';
import { learnWeights } from './rank-learning.ts';
import { readJatsItems, readPubMedQaItems } from './rerank-data.ts';
import { madeLists } from './rerank-lists.ts';
import { isHeldOut, rerankTable } from './rerank-table.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../../shared/data');
const target = join(import.meta.dirname, '../../plugins/evidence/rerank/weights.ts');

/**
 * Added to the weight of the first stage's score. Training on queries with one known answer favours lexical features almost
 * entirely; for searches by subject, which have many answers, the first stage is the better signal. The former loses less than
 * 0.01.
 */
const TRUST_IN_FIRST_STAGE = 12;

const head = `/**
 * Weights of the local reranker, learned by bench/search/train-reranker.ts from PubMedQA (MIT licence; Jin et al. 2019)
 * and from open-access articles under CC BY; sixteen numbers, no text of either. bench/search/README.md has the figures.
 */
import type { Feature } from './features.ts';

`;

const run = async (): Promise<void> => {
  const items = [
    ...readPubMedQaItems(join(data, 'pubmedqa/pqal-dev.json')),
    ...(await readJatsItems(join(data, 'jats'))),
  ];
  if (items.length === 0) {
    console.log(`No texts to learn from in ${data}; give its folder as the argument.`);
    return;
  }
  const lists = await madeLists(items, (item) => !isHeldOut(item));
  const weights = learnWeights(lists);
  weights[FEATURES.indexOf('stage_score')]! += TRUST_IN_FIRST_STAGE;
  const table = FEATURES.map((name, at) => `  ${name}: ${Number(weights[at]!.toFixed(2))},`).join('\n');
  await writeFile(target, `${head}export const WEIGHTS: Readonly<Record<Feature, number>> = {\n${table}\n};\n`);
  console.log('What the weights do to the lists that they were learned from:');
  console.table(rerankTable(lists, weights, ({ set, form }) => `${set}, ${form}`));
};

await run();
