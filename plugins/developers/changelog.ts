/** Reads content/api-changelog.yaml, the changes of the API, for the page, the JSON and the feed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { readYaml } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';

const KINDS = ['added', 'changed', 'fixed', 'deprecated', 'removed'];
const strict = { additionalProperties: false };

const ApiChange = Type.Object(
  {
    kind: Type.String({ enum: KINDS }),
    text: Type.String({ minLength: 3 }),
    /** Methods and paths of the affected operations. */
    paths: Type.Optional(Type.Array(Type.String({ pattern: '^(GET|POST|PUT|PATCH|DELETE) /' }))),
    /** First day on which a deprecated part may be removed. */
    ends: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  },
  strict,
);

export const ApiRelease = Type.Object(
  {
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    title: Type.String({ minLength: 3 }),
    changes: Type.Array(ApiChange, { minItems: 1 }),
  },
  strict,
);
export type ApiRelease = Static<typeof ApiRelease>;

const FILE = 'api-changelog.yaml';

/**
 * Reads the releases, newest first; returns [] when the content folder has no such file.
 * @throws ContentError naming file, line and field.
 */
export const readApiChangelog = async (contentDir: string): Promise<readonly ApiRelease[]> => {
  const text = await readFile(join(contentDir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return [];
  const releases = readYaml({ path: FILE, text, digest: '' }, Type.Array(ApiRelease));
  // The date is an anchor on the page and an id in the feed, so it must be unique.
  const twice = releases.find(({ date }, at) => releases.findIndex((other) => other.date === date) < at)?.date;
  if (twice) throw new ContentError(FILE, null, `${twice} is listed twice: the changes of a day are one entry`);
  return releases.toSorted((a, b) => (a.date < b.date ? 1 : -1));
};
