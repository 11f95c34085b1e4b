/** `npm run fuzz -- [--requests 20000] [--seed 20261123]`: a longer run of test/contract/fuzz.test.ts. */
import { parseArgs } from 'node:util';
import { mochaGlobalTeardown } from '../support/service.ts';
import { fuzz } from './run.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '20261123' } },
});

const result = await fuzz({ requests: Number(values.requests), seed: Number(values.seed) }, (sent) => {
  if (sent % 1_000 === 0) console.error(`${sent} sent`);
});
await mochaGlobalTeardown();
const { findings, statuses, slowest, ...figures } = result;
console.log(figures);
console.log(statuses);
for (const { seconds, request } of slowest) console.log(`${seconds.toFixed(2)} s: ${request.slice(0, 600)}`);
for (const { at, what, request } of findings) console.log(`\n${at}: ${what}\n${request}`);
console.log(`\n${findings.length} findings`);
process.exit(findings.length ? 1 : 0);
