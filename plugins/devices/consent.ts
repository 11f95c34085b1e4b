/** Consent: nothing that says something of a person's health is taken without it, and each is kept with its wording. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { deviceErrors } from './errors.ts';
import { hasConsented, keepConsent } from './store.ts';

/** Where a request carries its consent. */
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
  /** Such as `lab_upload`. */
  readonly subject: string;
  /** Which text was agreed to. */
  readonly wording: string;
  /** Whether this request carries the consent. */
  readonly isGiven: boolean;
  readonly place?: ConsentPlace;
}

/**
 * Keeps the consent that came with a request; where none came, one to the same subject that this device gave before is
 * enough. For requests whose contract has no field for it. Throws AppError 422 `consent_required` without either.
 */
export const keepOrFindConsent = async (
  em: EntityManager,
  device: string,
  { subject, wording, isGiven, place = 'body' }: Asked,
): Promise<void> => {
  if (isGiven) return keepConsent(em, device, { subject, wording, isGiven });
  requireConsent(await hasConsented(em, device, subject), place);
};
