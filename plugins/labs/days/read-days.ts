/** Reads the days of a device that are shown beside its laboratory values, from all plugins that store days. */
import type { Context } from '#core/plugin.ts';
import type { LabServices } from '../services.ts';
import type { DayKeeper, DaySeries } from './keeper.ts';
import { type DaySpan, hull, overlap } from './windows.ts';

export interface Days {
  /** Null if no plugin stores days. */
  readonly keeper: Pick<DayKeeper, 'addHref' | 'showHref'> | null;
  /** Null without stored days. */
  readonly held: DaySpan | null;
  /** Series of the requested span. */
  readonly series: readonly DaySeries[];
}

/**
 * Reads the days.
 * @param spanIn returns the requested span, given that of all stored days; null for none.
 */
export const readDays = async (
  { db, device, secrets, services: { keepers } }: Context<Pick<LabServices, 'keepers'>>,
  spanIn: (held: DaySpan) => DaySpan | null,
): Promise<Days> => {
  const [keeper = null] = keepers;
  if (device === null) return { keeper, held: null, series: [] };
  return db.read(async (em) => {
    let held: DaySpan | null = null;
    for (const one of keepers) held = hull(held, await one.held({ em, device }));
    const wanted = held && spanIn(held);
    const span = held && wanted && overlap(held, wanted);
    const series: DaySeries[] = [];
    if (span) for (const one of keepers) series.push(...(await one.series({ em, secrets, device }, span)));
    return { keeper, held, series };
  });
};

export const within = (series: readonly DaySeries[], { from, to }: DaySpan): readonly DaySeries[] =>
  series
    .map((one) => ({ ...one, points: one.points.filter(({ day }) => day >= from && day <= to) }))
    .filter(({ points }) => points.length);
