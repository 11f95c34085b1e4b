/** Counts the requests that were answered since the start and those in flight, for /metrics and for overload.ts. */
import type { Family } from '../metrics/exposition.ts';
import { createHistogram } from '../metrics/histogram.ts';

export interface AnsweredLive {
  /** The pattern of the route, so that the number of time series is limited. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface RequestCounts {
  /** Counts a published response. It runs for each of them, so it is a single increment. */
  published(status: number): void;
  live(answer: AnsweredLive): void;
  /** Counts a request as in flight; the returned function ends that, at most once. */
  begin(): () => void;
  /** Returns the number of requests in flight, without those whose body is being received or whose response is being sent. */
  inFlight(): number;
  /** Counts a request that was rejected because of overload. */
  refused(why: 'requests' | 'delay'): void;
  families(): readonly Family[];
}

/** Methods that routes use; the parser accepts about thirty, which are counted as "other". */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A counter with labels that only increases. */
class Counter {
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();

  add(labels: Readonly<Record<string, string>>): void {
    const key = Object.values(labels).join(' ');
    const known = this.#counts.get(key);
    if (known) known.value += 1;
    else this.#counts.set(key, { labels, value: 1 });
  }

  samples() {
    return [...this.#counts.values()];
  }
}

export const createRequestCounts = (): RequestCounts => {
  /** Number of responses by the first digit of the status. */
  const published = [0, 0, 0, 0, 0, 0];
  const [live, refused, durations] = [new Counter(), new Counter(), createHistogram()];
  let inFlight = 0;
  return {
    published: (status) => {
      const at = Math.trunc(status / 100);
      published[at] = (published[at] ?? 0) + 1;
    },
    live: ({ route, method: given, status, milliseconds }) => {
      const method = METHODS.has(given) ? given : 'other';
      live.add({ route, method, status: String(status) });
      durations.observe(`${method} ${route}`, () => ({ route, method }), milliseconds / 1000);
    },
    begin: () => {
      inFlight += 1;
      let isOver = false;
      return () => {
        if (!isOver) inFlight -= 1;
        isOver = true;
      };
    },
    inFlight: () => inFlight,
    refused: (why) => refused.add({ why }),
    families: () => [
      {
        name: 'http_published_answers_total',
        type: 'counter',
        help: 'Answers of published pages, by class of status.',
        samples: published.flatMap((value, at) => (value ? [{ labels: { status: `${at}xx` }, value }] : [])),
      },
      {
        name: 'http_requests_total',
        type: 'counter',
        help: 'Answers made live, by pattern of the route.',
        samples: live.samples(),
      },
      {
        name: 'http_request_duration_seconds',
        type: 'histogram',
        help: 'Time until a live answer was ready.',
        samples: durations.samples(),
      },
      {
        name: 'http_requests_in_flight',
        type: 'gauge',
        help: 'Requests that are being worked on.',
        samples: [{ value: inFlight }],
      },
      {
        name: 'http_requests_refused_total',
        type: 'counter',
        help: 'Requests sent away with 503 because there was too much to do.',
        samples: refused.samples(),
      },
    ],
  };
};
