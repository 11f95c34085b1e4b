import type { Host } from '#core/plugin.ts';
import { type ApiRelease, readApiChangelog } from './changelog.ts';

export interface DeveloperServices {
  /** What content/api-changelog.yaml says, read at the start; newest first. */
  readonly changelog: readonly ApiRelease[];
}

export const startDevelopers = async ({ contentDir }: Host): Promise<DeveloperServices> => ({
  changelog: await readApiChangelog(contentDir),
});
