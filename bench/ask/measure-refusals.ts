/**
 * Prints only the refusal figures, measured on a temporary base.
 * Usage: node bench/ask/measure-refusals.ts [set whose errors to list; never a held-out set]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { plugins } from '#plugins/index.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { judgeSet, refusalFigures } from './refusals.ts';

const folder = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
try {
  const environment = {
    DATA_DIR: join(folder, 'data'),
    BASE_URL: 'http://bench.test',
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
  };
  const runtime = await boot({ plugins, role: 'command', environment, dotEnvPath: null, log: createLog('silent') });
  const vocabulary = runtime.servicesOf(vocabularyPlugin) as VocabularyServices;
  const interactions = runtime.servicesOf(interactionsPlugin) as InteractionServices;
  const names = { terms: await vocabulary.terms(), drugs: await interactions.drugs() };
  for (const line of refusalFigures(names)) console.log(line);
  for (const { kind, said, question } of judgeSet(process.argv[2] ?? '', names))
    if (kind !== said) console.log(`${kind} > ${said}\t${question}`);
  await runtime.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
