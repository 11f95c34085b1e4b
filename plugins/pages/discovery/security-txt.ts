/** Builds /.well-known/security.txt (RFC 9116). */
import type { Config } from '#core/config.ts';

const DAY = 86_400_000;
/** Validity in days. The RFC recommends less than a year, so that readers of an old copy fetch a new one. */
const DAYS_VALID = 180;

const addressOf = (contact: string): string => (/^[a-z]+:/i.test(contact) ? contact : `mailto:${contact}`);

const contactOf = (config: Config): { readonly address: string; readonly note: string } => {
  const [security, general] = [config.text('SECURITY_CONTACT'), config.text('CONTACT_EMAIL')];
  if (security) return { address: addressOf(security), note: '' };
  const note = '# The operator has not set an address for reports of security holes.';
  if (general) return { address: addressOf(general), note: `${note} This is the general one.` };
  return { address: `${config.text('BASE_URL')}/contact`, note: `${note} This page says how to reach them.` };
};

/**
 * Builds the text of security.txt.
 * @param now current time; the file expires 180 days after the day of `now`, so that its text is the same all day.
 */
export const securityText = (config: Config, now: Date): string => {
  const baseUrl = config.text('BASE_URL');
  const { address, note } = contactOf(config);
  const expires = new Date((Math.floor(now.getTime() / DAY) + DAYS_VALID) * DAY).toISOString().replace('.000Z', 'Z');
  return [
    ...(note ? [note] : []),
    `Contact: ${address}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    `Policy: ${baseUrl}/contact#security`,
    '',
  ].join('\n');
};
