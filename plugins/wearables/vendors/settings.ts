/** Settings of vendors: an operator registers with each vendor, which issues an id and a secret. */
import type { SettingDefinition } from '#core/config.ts';

const programme = (prefix: string, name: string): readonly SettingDefinition[] => [
  {
    name: `${prefix}_CLIENT_ID`,
    kind: 'text',
    fallback: '',
    meaning: `Client id of this installation at ${name}; people cannot connect it when unset.`,
  },
  { name: `${prefix}_CLIENT_SECRET`, kind: 'secret', fallback: '', meaning: 'Secret of that client.' },
];

export const vendorSettings: readonly SettingDefinition[] = [
  ...programme('GOOGLE_HEALTH', 'Google Health'),
  ...programme('OURA', 'Oura'),
  ...programme('WHOOP', 'WHOOP'),
  ...programme('WITHINGS', 'Withings'),
  ...programme('GARMIN', 'Garmin'),
  {
    name: 'GARMIN_PUSH_SECRET',
    kind: 'secret',
    fallback: '',
    meaning:
      'Last part of the address that Garmin posts to, /wearables/push/garmin/{secret}: at least 32 letters, digits, - and _; nothing is accepted when unset.',
  },
  ...programme('POLAR', 'Polar'),
  {
    name: 'WEARABLE_ENDPOINTS',
    kind: 'text',
    fallback: '',
    meaning:
      'Other addresses of vendors, as JSON such as {"oura":{"data":"https://proxy"}}; the members are issuer, authorize, token, revoke and data.',
  },
];
