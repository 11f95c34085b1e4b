/** Selects the report that a page shows: the requested one, otherwise that of the visit, otherwise the latest of the device. */
import { notFound } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import type { Flow } from './flows.ts';
import { REPORT_SESSION } from './route-parts.ts';
import type { Report } from './sealed-report.ts';
import type { LabServices } from './services.ts';
import { readLatest, readOne, type Shelf } from './store.ts';

export interface Chosen {
  readonly report: Report;
  readonly source: 'asked' | 'session' | 'device';
}

/**
 * Returns the report; null when the device has none.
 * @throws AppError 404 for an id that does not belong to this device
 */
export const chosenReport = async (
  { db, device, secrets, session }: Pick<Context<LabServices>, 'db' | 'device' | 'secrets' | 'session'>,
  flow: Flow,
  asked: string,
): Promise<Chosen | null> => {
  if (device === null) {
    if (asked) throw notFound('Report', asked);
    return null;
  }
  return db.read(async (em) => {
    const shelf: Shelf = { em, secrets, device };
    if (asked) {
      const report = await readOne(shelf, asked);
      if (!report) throw notFound('Report', asked);
      return { report, source: 'asked' };
    }
    const kept = session.get(REPORT_SESSION);
    const ofVisit = kept === null ? null : await readOne(shelf, kept);
    if (ofVisit) return { report: ofVisit, source: 'session' };
    const latest = await readLatest(shelf, flow.testType);
    return latest && { report: latest, source: 'device' };
  });
};
