/** Defines /developers/changelog, and the same data as JSON and as a feed. */
import { Type } from 'typebox';
import { type Context, defineRoute, type Page, type Route } from '#core/plugin.ts';
import { ApiRelease } from '../changelog.ts';
import { portalPage } from '../portal-page.ts';
import type { DeveloperServices } from '../services.ts';

type Portal = Context<DeveloperServices>;

export const changelogPage: Page = portalPage({
  id: 'changelog',
  path: '/developers/changelog',
  summary: 'What changed in the API',
  title: 'Changes of the API',
  description:
    'What was added, changed, deprecated or removed in the API, newest first; also as JSON and as an Atom feed.',
  view: Type.Object({ releases: Type.Array(ApiRelease) }),
  viewOf: (context) => ({ releases: (context as Portal).services.changelog }),
});

const tag = 'Developers';
const HOUR = { 'Cache-Control': 'public, max-age=3600' };
const Changelog = Type.Object({ version: Type.String(), releases: Type.Array(ApiRelease) });

const changelogJson = defineRoute<DeveloperServices, Record<string, never>>({
  id: 'developers.changelog',
  method: 'GET',
  path: '/developers/changelog.json',
  summary: 'What changed in the API',
  tag,
  access: 'public',
  isForPrograms: true,
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'Newest first', schema: Changelog }],
  raises: [],
  handle: async ({ services, api }) => ({
    headers: HOUR,
    body: { version: api.describe().info.version, releases: services.changelog },
  }),
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const linesOf = ({ changes }: ApiRelease): string =>
  changes
    .map(({ kind, text, paths = [], ends }) =>
      [`${kind}: ${text}`, paths.join(', '), ends ? `Ends on ${ends}.` : ''].filter(Boolean).join(' '),
    )
    .join('\n');

const feedOf = (releases: readonly ApiRelease[], baseUrl: string): string => {
  const page = `${baseUrl}/developers/changelog`;
  const entries = releases.map(
    (release) =>
      `<entry><title>${escaped(release.title)}</title><id>${page}#${release.date}</id><link href="${page}#${release.date}"/>` +
      `<updated>${release.date}T00:00:00Z</updated><content type="text">${escaped(linesOf(release))}</content></entry>`,
  );
  const updated = releases[0]?.date ?? '2026-01-01';
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Changes of the API</title>',
    `<id>${page}</id><link href="${page}"/><link rel="self" href="${page}.atom"/>`,
    `<author><name>Supplement Evidence Base</name></author><updated>${updated}T00:00:00Z</updated>`,
    ...entries,
    '</feed>\n',
  ].join('\n');
};

const changelogFeed = defineRoute<DeveloperServices, Record<string, never>>({
  id: 'developers.changelog_feed',
  method: 'GET',
  path: '/developers/changelog.atom',
  summary: 'What changed in the API, as an Atom feed',
  tag,
  access: 'public',
  request: {},
  replies: [{ status: 200, mediaType: 'application/atom+xml', description: 'Atom (RFC 4287)' }],
  raises: [],
  handle: async ({ services, config }) => ({
    headers: HOUR,
    type: 'application/atom+xml; charset=utf-8',
    body: feedOf(services.changelog, config.text('BASE_URL')),
  }),
});

export const changelogRoutes = [changelogJson, changelogFeed] as readonly Route[];
