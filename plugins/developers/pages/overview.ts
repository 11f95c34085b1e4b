/** Defines /developers: an overview, a first call with a key made on the page, and the limits. */
import { Type } from 'typebox';
import type { Context } from '#core/plugin.ts';
import { exampleCallOf } from '../examples/example-call.ts';
import { CodeView, codesOf, operationOf } from '../examples/views.ts';
import { operationsOf } from '../operations.ts';
import { PlanRow, planRows } from '../plans.ts';
import { portalPage } from '../portal-page.ts';
import { KEYS_A_DAY, SANDBOX_DAYS } from '../sandbox/store.ts';

/** Operations of the examples: one without a key, one with a key. */
const OPEN = 'interactions.check';
const KEYED = 'evidence.search';

const View = Type.Object({
  operations: Type.Integer(),
  open: Type.Array(CodeView),
  keyed: Type.Array(CodeView),
  plans: Type.Array(PlanRow),
  sandboxDays: Type.Integer(),
  keysADay: Type.Integer(),
});

const viewOf = (context: Context) => ({
  operations: operationsOf(context.api.describe()).length,
  open: codesOf(context, exampleCallOf(operationOf(context, OPEN), {})),
  keyed: codesOf(context, exampleCallOf(operationOf(context, KEYED), {})),
  plans: planRows(context),
  sandboxDays: SANDBOX_DAYS,
  keysADay: KEYS_A_DAY,
});

export const overviewPage = portalPage({
  id: 'overview',
  path: '/developers',
  summary: 'The portal for integrators: a first call, limits, where to read on',
  title: 'For developers',
  description:
    'A first call to the open evidence API within a minute: a sandbox key made in place, the same call in three languages, limits and documentation.',
  view: View,
  isInFull: true,
  viewOf,
});
