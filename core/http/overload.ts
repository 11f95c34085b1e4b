/**
 * Rejects live requests with 503 and Retry-After while too many are in flight or while the event loop is delayed. Published
 * pages never come here, and the health check is always answered. A rejection is cheap: it uses no database and no template.
 */
import type { Config } from '../config.ts';
import { coreErrors } from '../errors.ts';
import type { EventLoopWatch } from '../metrics/event-loop.ts';
import { errorReply } from './error-reply.ts';
import type { RequestCounts } from './request-counts.ts';
import type { HttpContext } from './request-state.ts';

/** Range of the Retry-After time, in seconds; it is random so that clients do not all retry together. */
const RETRY_FROM = 1;
const RETRY_TO = 5;

const EXEMPT = new Set(['/api/health']);

export interface OverloadGuard {
  /** Returns whether the request was rejected because of overload; if so, the response is set. */
  refuses(ctx: HttpContext, wantsJson: (path: string) => boolean): boolean;
}

type Why = 'requests' | 'delay';

export const createOverloadGuard = (
  config: Pick<Config, 'integer' | 'text'>,
  { counts, loop }: { readonly counts: RequestCounts; readonly loop: Pick<EventLoopWatch, 'sustainedMs'> },
): OverloadGuard => {
  const [atOnce, delayMs] = [config.integer('MAX_REQUESTS_AT_ONCE'), config.integer('MAX_EVENT_LOOP_DELAY')];
  const reason = (): Why | null => {
    if (counts.inFlight() >= atOnce) return 'requests';
    return loop.sustainedMs() > delayMs ? 'delay' : null;
  };
  return {
    refuses: (ctx, wantsJson) => {
      const why = EXEMPT.has(ctx.path) ? null : reason();
      if (!why) return false;
      counts.refused(why);
      const seconds = RETRY_FROM + Math.floor(Math.random() * (RETRY_TO - RETRY_FROM + 1));
      const isProblem = ctx.get('Accept').includes('application/problem+json');
      const { status, body, type, headers } = errorReply(
        coreErrors.reduced_capacity(
          {},
          { headers: { 'Retry-After': String(seconds) }, body: { retry_after: seconds } },
        ),
        ctx.state.requestId,
        config.text('BASE_URL'),
        isProblem,
      );
      ctx.set({ ...headers });
      ctx.status = status;
      ctx.state.matched = '(refused)';
      const isProgram = isProblem || wantsJson(ctx.path) || !ctx.get('Accept').includes('text/html');
      ctx.body = isProgram
        ? JSON.stringify(body)
        : `The server is overloaded at the moment. Try again in ${seconds} seconds. (${ctx.state.requestId})\n`;
      ctx.type = isProgram ? type : 'text/plain';
      return true;
    },
  };
};
