/** Fitbit, whose API has ended; its data are available in Google Health. No requests are sent to it. */
import type { Vendor } from './vendor.ts';

const ended = async (): Promise<never> => {
  throw new Error('Fitbit’s interface has ended');
};

export const fitbit: Vendor = {
  slug: 'fitbit',
  name: 'Fitbit',
  what: '',
  settingPrefix: 'FITBIT',
  endpoints: {
    issuer: 'https://www.fitbit.com',
    authorize: 'https://www.fitbit.com/oauth2/authorize',
    token: 'https://api.fitbit.com/oauth2/token',
    revoke: 'https://api.fitbit.com/oauth2/revoke',
    data: 'https://api.fitbit.com',
  },
  scopes: [],
  clientAuth: 'basic',
  sendsChallenge: true,
  metrics: [],
  hasEnded: { since: '2026-09-30', instead: 'google-health' },
  fetchDays: ended,
  revoke: ended,
};
