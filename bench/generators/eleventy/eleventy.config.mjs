/** As its documentation shows pages from data: one template, a page for each entry; no plugin, no extra work. */
import { readFileSync } from 'node:fs';

export default (config) => {
  config.addGlobalData('products', () => JSON.parse(readFileSync(process.env.BENCH_FACTS, 'utf8')));
  config.setQuietMode(true);
  return { templateFormats: ['njk'] };
};
