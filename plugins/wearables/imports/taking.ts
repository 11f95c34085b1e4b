/** What both ways of an upload end in: the form's one request, and the parts. */
import { coreErrors } from '#core/errors.ts';
import { keepConsent } from '#plugins/devices/index.ts';
import type { WearableServices } from '../services.ts';
import { addImport, type KeptImport, type Shelf } from './import-store.ts';

/** Which text was agreed to; changes with the form's. */
const CONSENT_WORDING = 'wearables-2026-11';
/** Of all devices: a queue of hours helps nobody. */
const MOST_WAITING = 20;

export const busy = (seconds: number) =>
  coreErrors.reduced_capacity({}, { headers: { 'Retry-After': String(seconds) }, body: { retry_after: seconds } });

/** @throws AppError 503 when too many exports wait already */
export const refuseWhenFull = async ({ waiting }: Pick<WearableServices, 'waiting'>): Promise<void> => {
  if ((await waiting()) >= MOST_WAITING) throw busy(600);
};

interface Taken {
  readonly importId: string;
  readonly place: string;
  readonly kept: KeptImport;
  readonly consent: boolean;
}

/** Notes what was agreed to, and puts the export in the queue; the caller wakes it once this is kept. */
export const queueImport = async (shelf: Shelf, { consent, ...taken }: Taken): Promise<void> => {
  await keepConsent(shelf.em, shelf.device, { subject: 'phone_health', wording: CONSENT_WORDING, isGiven: consent });
  await addImport(shelf, taken);
};
