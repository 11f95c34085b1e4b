import type { Host } from '#core/plugin.ts';
import { type ApiRelease, readApiChangelog } from './changelog.ts';

export interface DeveloperServices {
  /** Releases of content/api-changelog.yaml, read at startup; newest first. */
  readonly changelog: readonly ApiRelease[];
}

export const startDevelopers = async ({ contentDir }: Host): Promise<DeveloperServices> => ({
  changelog: await readApiChangelog(contentDir),
});
