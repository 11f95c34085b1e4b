/** How many requests were answered since the start, for /metrics. */
export type AnsweredFrom = 'published' | 'live';

export interface RequestCounts {
  add(from: AnsweredFrom, status: number): void;
  /** Classes are `2xx` and so on; those that never occurred are left out. */
  all(): readonly { readonly from: AnsweredFrom; readonly statusClass: string; readonly count: number }[];
}

export const createRequestCounts = (): RequestCounts => {
  const counts = { published: [0, 0, 0, 0, 0, 0], live: [0, 0, 0, 0, 0, 0] };
  return {
    add: (from, status) => {
      const at = Math.trunc(status / 100);
      counts[from][at] = (counts[from][at] ?? 0) + 1;
    },
    all: () =>
      (['published', 'live'] as const).flatMap((from) =>
        counts[from].flatMap((count, at) => (count ? [{ from, statusClass: `${at}xx`, count }] : [])),
      ),
  };
};
