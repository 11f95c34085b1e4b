/** Serialises changes as an Atom feed (RFC 4287). */
import { type ToldChange, thingInWords } from './change-words.ts';

export interface FeedOptions {
  readonly baseUrl: string;
  readonly title: string;
  /** Path of the feed itself. `pagePath` is the path of the page with the same content. */
  readonly path: string;
  readonly pagePath: string;
  readonly author: string;
  readonly changes: readonly ToldChange[];
  /** Time of the last update of a feed without entries, as RFC 3339. */
  readonly since: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot represent these characters
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const clean = (text: string): string => text.replace(UNWRITABLE, '');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns a tag URI (RFC 4151). Its year is the one in which the naming scheme was fixed, not that of the change. */
const tagOf = (baseUrl: string, name: string): string => `tag:${new URL(baseUrl).hostname},2026:${name}`;

const contentOf = ({ things, more }: ToldChange, baseUrl: string): string => {
  const items = things.map((thing) => {
    const text = escaped(thingInWords(thing));
    return thing.href ? `<li><a href="${escaped(baseUrl + thing.href)}">${text}</a></li>` : `<li>${text}</li>`;
  });
  const rest = more > 0 ? `<p>And ${more.toLocaleString('en-GB')} more.</p>` : '';
  return clean(`<ul>${items.join('')}</ul>${rest}`);
};

const entryOf = (change: ToldChange, baseUrl: string): object => ({
  id: tagOf(baseUrl, `change/${change.id}`),
  title: clean(change.title),
  updated: change.at,
  published: change.at,
  link: { $: { rel: 'alternate', type: 'text/html', href: baseUrl + change.href } },
  ...(change.things.length && { content: { $: { type: 'html' }, _: contentOf(change, baseUrl) } }),
  ...(!change.things.length && { summary: clean(change.title) }),
});

export const atomFeed = async (options: FeedOptions): Promise<string> => {
  const { baseUrl, title, path, pagePath, author, changes, since } = options;
  // The module is loaded when the first feed is built.
  const { Builder } = await import('xml2js');
  return new Builder({ xmldec: { version: '1.0', encoding: 'UTF-8' }, renderOpts: { pretty: false } }).buildObject({
    feed: {
      $: { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' },
      id: tagOf(baseUrl, path.slice(1)),
      title: clean(title),
      updated: changes[0]?.at ?? since,
      author: { name: clean(author) },
      link: [
        { $: { rel: 'self', type: 'application/atom+xml', href: baseUrl + path } },
        { $: { rel: 'alternate', type: 'text/html', href: baseUrl + pagePath } },
      ],
      rights: 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/',
      entry: changes.map((change) => entryOf(change, baseUrl)),
    },
  });
};
