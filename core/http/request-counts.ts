/** How many requests were answered since the start, and how many are being answered, for /metrics and for front.ts. */
import type { Family } from '../metrics/exposition.ts';
import { createHistogram } from '../metrics/histogram.ts';

export interface AnsweredLive {
  /** The pattern of the route: there are as many as the program has. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface RequestCounts {
  /** One increment: it runs once for each published answer. */
  published(status: number): void;
  live(answer: AnsweredLive): void;
  /** A request is being worked on; what is called answers that it is no more, and does so once. */
  begin(): () => void;
  /** Requests that are being worked on: not those whose body is still coming, or whose answer is still going out. */
  inFlight(): number;
  /** A request was sent away because there was too much to do. */
  refused(why: 'requests' | 'delay'): void;
  families(): readonly Family[];
}

/** A parser lets some thirty methods through; routes know these. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Of labels that are only ever counted up. */
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
  /** By the first figure of the status. */
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
