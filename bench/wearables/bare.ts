/** Runs the bare parser over a file in a separate process, as our reader does; it only counts elements. */
import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';

const [, , path = ''] = process.argv;
const parser = new SaxesParser({ xmlns: false, position: false });
let elements = 0;
parser.on('opentag', () => {
  elements += 1;
});
const startedAt = performance.now();
for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) parser.write(piece);
parser.close();
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ elements, seconds, megabytes: process.resourceUsage().maxRSS / 1024 }));
