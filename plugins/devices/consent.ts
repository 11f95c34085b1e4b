/** Consent: no health data is accepted without it, and each consent is stored with its wording. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { deviceErrors } from './errors.ts';
import { hasConsented, keepConsent } from './store.ts';

/** The part of a request that carries the consent. */
export type ConsentPlace = 'body' | 'header';

const MESSAGES: Readonly<Record<ConsentPlace, string>> = {
  body: 'Tick the box beside the consent, or send consent=true',
  header: 'Send consent with the value true in Upload-Metadata',
};

/** Throws AppError 422 `consent_required`, which names the field, unless the consent is given. */
export function requireConsent(isGiven: boolean, place: ConsentPlace = 'body'): asserts isGiven is true {
  if (isGiven) return;
  const problem = { type: 'consent_required', loc: [place, 'consent'], msg: MESSAGES[place] };
  throw deviceErrors.consent_required({}, { problems: [problem] });
}

interface Asked {
  /** The purpose of the consent, such as `lab_upload`. */
  readonly subject: string;
  /** The version of the text that was accepted. */
  readonly wording: string;
  /** Whether this request carries the consent. */
  readonly isGiven: boolean;
  readonly place?: ConsentPlace;
}

/**
 * Stores the consent in a request; if the request has none, an earlier consent of this device to the same subject is sufficient.
 * For requests whose contract has no field for it. Throws AppError 422 `consent_required` if there is neither.
 */
export const keepOrFindConsent = async (
  em: EntityManager,
  device: string,
  { subject, wording, isGiven, place = 'body' }: Asked,
): Promise<void> => {
  if (isGiven) return keepConsent(em, device, { subject, wording, isGiven });
  requireConsent(await hasConsented(em, device, subject), place);
};
