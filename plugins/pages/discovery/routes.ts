/** Defines the routes for programs: security.txt and the Atom feeds of changes. */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { type Context, defineRoute, type Reply, type ReplySchema, type Route } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { atomFeed } from './atom.ts';
import { changesOfAll, changesOfSupplement } from './changes.ts';
import { securityText } from './security-txt.ts';

const ATOM = 'application/atom+xml; charset=utf-8';
const MINUTES_5 = 'public, max-age=300';

const replies = (mediaType: string, description: string): readonly ReplySchema[] => [
  { status: 200, mediaType, description },
  { status: 304, mediaType, description: 'Not changed since the answer with that ETag' },
];

/** Returns the text with an ETag, or 304 when `If-None-Match` contains that ETag. */
const textReply = (text: string, type: string, ifNoneMatch = ''): Reply => {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const reply = { headers: { ETag: etag, 'Cache-Control': MINUTES_5 }, type };
  return ifNoneMatch.includes(etag) || ifNoneMatch === '*' ? { ...reply, status: 304 } : { ...reply, body: text };
};

const security = defineRoute({
  id: 'pages.security_txt',
  method: 'GET',
  path: '/.well-known/security.txt',
  summary: 'Where to report security holes (RFC 9116)',
  description: 'Valid for 180 days from the day of the answer.',
  tag: 'Discovery',
  access: 'public',
  request: {},
  replies: replies('text/plain', 'Contact, expiry, languages, canonical address, policy'),
  raises: [],
  handle: async ({ config }, { headers }) =>
    textReply(securityText(config, new Date()), 'text/plain; charset=utf-8', headers['if-none-match']),
});

const commonOf = ({ config }: Context) => ({
  baseUrl: config.text('BASE_URL'),
  author: config.text('OPERATOR_NAME') || 'Supplement Evidence Base',
});

const siteFeed = defineRoute({
  id: 'pages.changes_feed',
  method: 'GET',
  path: '/changes.atom',
  summary: 'What changed, as an Atom feed',
  description:
    'Texts, grades, retractions, interactions and imports, newest first, at most 100; what one step changed is one entry.',
  tag: 'Discovery',
  access: 'public',
  request: {},
  replies: replies('application/atom+xml', 'Atom (RFC 4287)'),
  raises: [],
  handle: async (context, { headers }) => {
    const feed = await atomFeed({
      ...commonOf(context),
      title: 'Supplement Evidence Base: changes',
      path: '/changes.atom',
      pagePath: '/changes',
      changes: await changesOfAll(context),
      since: '2026-01-01T00:00:00Z',
    });
    return textReply(feed, ATOM, headers['if-none-match']);
  },
});

const supplementFeed = defineRoute({
  id: 'pages.supplement_feed',
  method: 'GET',
  path: '/supplements/{slug}/changes.atom',
  summary: 'What changed on one supplement, as an Atom feed',
  description: 'Its text, its grades, its interactions, and the sources filed under it, newest first, at most 100.',
  tag: 'Discovery',
  access: 'public',
  request: { params: Type.Object({ slug: Type.String({ maxLength: 80 }) }) },
  replies: replies('application/atom+xml', 'Atom (RFC 4287)'),
  raises: ['not_found', 'validation_failed'],
  handle: async (context: Context, { params: { slug }, headers }) => {
    const row = (await context.use(vocabularyPlugin).terms()).supplements.get(slug);
    if (!row) throw notFound('Supplement', slug);
    const feed = await atomFeed({
      ...commonOf(context),
      title: `${row.name}: changes`,
      path: `/supplements/${slug}/changes.atom`,
      pagePath: `/supplements/${slug}`,
      changes: await changesOfSupplement(context, slug),
      since: row.changedAt.toISOString(),
    });
    return textReply(feed, ATOM, headers['if-none-match']);
  },
});

export const discoveryRoutes: readonly Route[] = [security, siteFeed, supplementFeed] as readonly Route[];
