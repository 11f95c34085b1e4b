/** Sentences of the wearables' pages: what happened, and what to do. */
import type { ExportOutcome } from './phone-export/reading.ts';
import { VENDOR_ERROR_MESSAGES, type VendorErrorKind } from './vendors/vendor-error.ts';

export const OUTCOME_WORDS: Readonly<Record<ExportOutcome, string>> = {
  read: 'was read',
  not_an_export:
    'is no health export of a phone. On the phone, open Health, your picture, “Export All Health Data”, and upload the ZIP file that it makes.',
  no_export_inside:
    'is a ZIP file without an export.xml in it. Upload the ZIP file as the phone made it, or the export.xml alone.',
  encrypted: 'is locked with a password. Export it again without one.',
  damaged:
    'is damaged and could not be read. Make the export again, and upload it before it is opened by another program.',
  cut_short:
    'ends in the middle, so nothing of it was kept. The upload or the export was cut off: make the export again and let it finish.',
  wrong_encoding:
    'is not written in UTF-8 as phones write it. Upload the file as the phone made it, not one that was changed.',
  too_large: 'is larger than we take: 1 GB as a ZIP file, 4 GB of export.xml.',
  bomb: 'unpacks to far more than any export does, so it was not opened.',
  too_much_memory: 'takes more memory to read than we give one file, so nothing of it was kept.',
  took_too_long: 'took too long to read. Try again later; if it fails again, nothing of it can be kept.',
  interrupted:
    'was not read: the server stopped while it was being read. It is not tried a second time. Upload it again.',
};

export const STAGE_WORDS: Readonly<Record<string, string>> = {
  waiting: 'Waiting for its turn',
  opening: 'Opening the file',
  records: 'Reading records',
  clinical: 'Reading clinical records',
  days: 'Putting days together',
};

export const NOTICE_WORDS = {
  'not-configured': 'This vendor is not set up on this server: its operator has no access to the vendor’s programme.',
  'service-ended': 'Fitbit’s own interface has ended. Its data go on in Google Health.',
  agreed: 'Noted. Go on to the vendor now: there you say what may be read.',
  connected: 'Connected. The first days are being fetched; that can take a few minutes.',
  disconnected: 'Disconnected. Days that were fetched stay until you delete them.',
  refused: 'Nothing was connected: access was not given.',
  failed: 'Nothing was connected: the vendor did not answer as it should. Try again later.',
  deleted: 'All days of wearables were deleted.',
  waiting: 'An export of yours is being read already. Wait until it is done.',
} as const;

export type Notice = keyof typeof NOTICE_WORDS | '';

/** Reasons why the connection to a vendor failed. */
export const REASONS = [
  'by-person',
  'by-vendor',
  ...(Object.keys(VENDOR_ERROR_MESSAGES) as VendorErrorKind[]),
] as const;
export type Reason = (typeof REASONS)[number] | '';

interface Came {
  readonly notice: Notice;
  /** Name of the vendor; "" for none. */
  readonly vendor: string;
  readonly why: Reason;
}

/**
 * Formats a notice.
 * @returns "" when there is nothing to say.
 */
export const noticeInWords = ({ notice, vendor, why }: Came): string => {
  if (notice === '') return '';
  if (!vendor || why === '' || (notice !== 'refused' && notice !== 'failed')) return NOTICE_WORDS[notice];
  if (why === 'by-person') return `Nothing was connected: you did not give access at ${vendor}.`;
  return `Nothing was connected: ${vendor} ${why === 'by-vendor' ? 'did not give access.' : VENDOR_ERROR_MESSAGES[why]}`;
};
