/** Defines /developers/errors, which lists every error code from its definition. The `type` of an error links to this page. */
import { Type } from 'typebox';
import { errorAnchor } from '#core/http/error-reply.ts';
import type { Context } from '#core/plugin.ts';
import { operationsOf } from '../operations.ts';
import { portalPage } from '../portal-page.ts';

const ErrorView = Type.Object({
  code: Type.String(),
  anchor: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  cause: Type.String(),
  fix: Type.String(),
  retry: Type.Boolean(),
  /** Number of operations that may return the code. */
  operations: Type.Integer(),
});

const View = Type.Object({ errors: Type.Array(ErrorView), example: Type.String() });

/** Builds an example error body with the code that new users usually meet first. */
const exampleBody = ({ api, config }: Context): string => {
  const found = api.errors.find(({ code }) => code === 'missing_api_key');
  return JSON.stringify(
    {
      detail: found?.detail,
      type: `${config.text('BASE_URL')}/developers/errors#${errorAnchor('missing_api_key')}`,
      title: 'Unauthorized',
      status: found?.status,
      code: found?.code,
      request_id: 'req_…',
    },
    null,
    2,
  );
};

const viewOf = (context: Context) => {
  const operations = operationsOf(context.api.describe());
  const errors = context.api.errors
    .map(({ code, ...rest }) => ({
      ...rest,
      code,
      anchor: errorAnchor(code),
      operations: operations.filter(({ codes }) => codes.includes(code)).length,
    }))
    .toSorted((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
  return { errors, example: exampleBody(context) };
};

export const errorsPage = portalPage({
  id: 'errors',
  path: '/developers/errors',
  summary: 'Every error code: cause, fix, and whether to try again',
  title: 'Errors of the API',
  description:
    'Every error code of the API with its status, its cause, what helps, and whether the same request may be sent again. Errors link here.',
  view: View,
  isInFull: true,
  viewOf,
});
