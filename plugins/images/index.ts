import { definePlugin } from '#core/plugin.ts';
import { productsPlugin } from '#plugins/products/index.ts';

/** Pictures of labels: upload, votes, the primary one. */
export const imagesPlugin = definePlugin({
  name: 'images',
  summary: 'Label images',
  dependencies: [productsPlugin],
  start: () => ({}),
});
