import type { Config } from '#core/config.ts';
import { UsageError } from '#core/errors.ts';
import { createEutilities, type Eutilities } from '../importers/eutilities.ts';

/** Creates a client from the settings. Throws UsageError when they lack the e-mail address that identifies the caller. */
export const clientFrom = (config: Config): Eutilities => {
  const email = config.text('NCBI_EMAIL');
  if (!email)
    throw new UsageError(
      'NCBI_EMAIL is not set, and NCBI asks every program to say who uses it. Set NCBI_EMAIL to your e-mail address, in the environment or in .env, and run the command again.',
    );
  return createEutilities({
    tool: 'supplement-evidence-base',
    email,
    apiKey: config.text('NCBI_API_KEY') || undefined,
    baseUrl: config.text('NCBI_BASE_URL') || undefined,
  });
};
