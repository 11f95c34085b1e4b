/** /disclaimer: what this service is not. */
import { Type } from 'typebox';
import { definePage } from '#core/plugin.ts';

export const disclaimerPage = definePage({
  id: 'pages.disclaimer',
  path: '/disclaimer',
  summary: 'What this service is, and what it is not',
  template: 'pages/disclaimer',
  view: Type.Object({}),
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list: () => [{ params: {}, version: 'disclaimer-1', changedAt: null }],
  load: async () => ({
    head: {
      title: 'Disclaimer',
      description:
        'This is information about research, not medical advice. What the base can and cannot tell you, and when to ask a doctor or pharmacist.',
    },
    view: {},
  }),
});
