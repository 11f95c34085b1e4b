import { Type } from 'typebox';
import { defineRoute } from '#core/plugin.ts';
import { GAP_REASONS, OLD_YEARS, OPEN_YEARS, SMALL_TRIAL } from './gaps.ts';
import type { OutcomeServices } from './services.ts';
import { TRENDING_METHOD } from './trending-figures.ts';

/** The tables that the grader itself uses. */
const MethodReply = Type.Object({ version: Type.String() }, { additionalProperties: true });

export const methodologyRoute = defineRoute<OutcomeServices, Record<never, never>>({
  id: 'methodology.outcomes',
  method: 'GET',
  path: '/api/methodology/outcomes',
  summary: 'How outcomes are graded, gaps found and trends counted',
  tag: 'Outcomes',
  access: 'public',
  request: {},
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Versions, rules, tables', schema: MethodReply },
  ],
  raises: [],
  handle: async ({ services }) => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: {
      ...services.method,
      gaps: { reasons: [...GAP_REASONS], small_trial: SMALL_TRIAL, old_years: OLD_YEARS, open_years: OPEN_YEARS },
      trending: TRENDING_METHOD,
    },
  }),
});
