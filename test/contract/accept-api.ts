/** `npm run api:accept`: adds new parts of /v1 and /api to the promised contract, and refuses breaking changes. */
import { writeFile } from 'node:fs/promises';
import { breachesOf } from './api-breaches.ts';
import { asText, currentPromise, promisedPath, readPromise } from './api-promise.ts';

const held = await readPromise().catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return {};
  throw error;
});
const now = currentPromise();
const breaches = breachesOf(held, now);
if (breaches.length) {
  console.error(`Not accepted: this breaks what was promised.\n${breaches.map((what) => `  ${what}`).join('\n')}`);
  process.exitCode = 1;
} else {
  await writeFile(promisedPath, asText(now));
  console.log(`${Object.keys(now).length} operations are promised.`);
}
