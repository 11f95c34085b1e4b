import type { SettingDefinition } from '#core/config.ts';
import { definePlugin } from '#core/plugin.ts';
import { keysCommand } from './commands.ts';
import { ApiKey, KeyUsage, QuotaWindow } from './entities.ts';
import { keyErrors } from './errors.ts';
import { purgeAnswers, purgeQuota, purgeThrottles, purgeUsage } from './jobs.ts';
import { keyRoutes } from './routes.ts';
import { type KeyServices, startKeys } from './services.ts';

const limit = (name: string, fallback: number, meaning: string): SettingDefinition => ({
  name,
  kind: 'integer',
  fallback: String(fallback),
  meaning,
  from: 1,
});

/** Registers the plugin for bearer keys, access classes and quotas. */
export const keysPlugin = definePlugin<KeyServices>({
  name: 'keys',
  summary: 'Bearer keys, access classes and quotas',
  dependencies: [],
  settings: [
    {
      name: 'ADMIN_BOOTSTRAP_SECRET',
      kind: 'secret',
      fallback: '',
      meaning:
        'Value of the header X-Admin-Bootstrap, with which an admin key can be created; no value is accepted when unset.',
    },
    limit('ANON_RPM', 30, 'Requests per minute and address without a key.'),
    limit('ANON_DAILY', 500, 'Requests per day and address without a key.'),
    limit('SANDBOX_RPM', 30, 'Requests per minute with a sandbox key.'),
    limit('SANDBOX_DAILY', 200, 'Requests per day with a sandbox key.'),
    limit('FREE_RPM', 120, 'Requests per minute with a free key.'),
    limit('FREE_DAILY', 5000, 'Requests per day with a free key.'),
    limit('ADMIN_RPM', 1200, 'Requests per minute stated for admin keys; not enforced.'),
    limit('ADMIN_DAILY', 100_000, 'Requests per day stated for admin keys; not enforced.'),
    {
      name: 'USAGE_KEEP_DAYS',
      kind: 'integer',
      fallback: '400',
      meaning: 'Days after which the usage counts of keys are deleted.',
      from: 1,
      to: 36_500,
    },
  ],
  errors: keyErrors.definitions,
  entities: [ApiKey, QuotaWindow, KeyUsage],
  routes: keyRoutes,
  jobs: [purgeQuota, purgeUsage, purgeThrottles, purgeAnswers],
  commands: [keysCommand],
  start: startKeys,
  gatekeeper: (services) => services.gatekeeper,
  stop: (services) => services.usage.stop(),
});

export type { KeyTrace } from './revocation.ts';
export type { KeyServices } from './services.ts';
export { type CallsOfDay, readKeyUsage } from './usage-report.ts';
