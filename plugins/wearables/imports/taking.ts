/** Queues exports for both ways of uploading: the form's single request, and the resumable upload. */
import { coreErrors } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import { keepConsent, requireConsent } from '#plugins/devices/index.ts';
import type { WearableServices } from '../services.ts';
import { addImport, countWaiting, type KeptImport, type Shelf } from './import-store.ts';

/** Version of the consent text; it changes with the text of the form. */
const CONSENT_WORDING = 'wearables-2026-11';
const GIGABYTE = 1024 ** 3;
/** Limits on waiting exports over all devices: rows, and bytes on disk. */
const MOST_WAITING = 500;
const MOST_WAITING_BYTES = 32 * GIGABYTE;
/** Limit per address. */
const MOST_WAITING_OWN = 5;
const RETRY_SECONDS = 600;

export const busy = (seconds: number) =>
  coreErrors.reduced_capacity({}, { headers: { 'Retry-After': String(seconds) }, body: { retry_after: seconds } });

/**
 * Checks the limits.
 * @throws AppError 503 when too many exports wait already, 429 when too many of them are from the caller's address or its files
 * recently used too much processor time
 */
export const refuseWhenFull = async ({
  db,
  services: { budget },
  principal,
  device,
}: Pick<Context<WearableServices>, 'db' | 'services' | 'principal' | 'device'>): Promise<void> => {
  const { address, all } = budget.sendersOf(principal, device);
  budget.refuseOverspent(all);
  const { imports, bytes, own } = await db.read((em) => countWaiting(em, address));
  if (own >= MOST_WAITING_OWN)
    throw coreErrors.quota_exceeded(
      { bucket: 'waiting_files', used: own + 1, limit: MOST_WAITING_OWN },
      {
        headers: { 'Retry-After': String(RETRY_SECONDS) },
        body: { 'violated-policies': ['waiting_files'], retry_after: RETRY_SECONDS },
      },
    );
  if (imports >= MOST_WAITING || bytes >= MOST_WAITING_BYTES) throw busy(RETRY_SECONDS);
};

interface Taken {
  readonly importId: string;
  readonly place: string;
  readonly sender: string;
  readonly kept: KeptImport;
  /** Consent given at the start of a resumable upload; without it nothing is stored. */
  readonly consent: boolean;
}

/** Records the consent and queues the export. The caller wakes the queue after the transaction has committed. */
export const queueImport = async (shelf: Shelf, { consent, ...taken }: Taken): Promise<void> => {
  requireConsent(consent);
  await keepConsent(shelf.em, shelf.device, { subject: 'phone_health', wording: CONSENT_WORDING, isGiven: true });
  await addImport(shelf, taken);
};
