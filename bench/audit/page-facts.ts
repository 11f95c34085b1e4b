/** Extracts from a page's HTML the metadata, headings and links that the audits of text and links check. */
import { Parser } from 'htmlparser2';

export interface Link {
  readonly href: string;
  /** Accessible name of the link: its text, its aria-label, or the alternative text of an image in it. */
  readonly name: string;
}

export interface PageFacts {
  readonly lang: string;
  readonly title: string;
  readonly description: string;
  readonly canonical: string;
  readonly noindex: boolean;
  readonly mains: number;
  /** Headings with their levels, in document order. */
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  readonly links: readonly Link[];
  /** All `id` attributes, including duplicates. */
  readonly ids: readonly string[];
  readonly picturesWithoutAlt: readonly string[];
  /** Addresses of style sheets, scripts and icons. */
  readonly assets: readonly string[];
}

type Attributes = Readonly<Record<string, string | undefined>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

const headFact = (facts: Mutable<PageFacts>, tag: string, attributes: Attributes): void => {
  if (tag === 'html') facts.lang = attributes.lang ?? '';
  if (tag === 'main') facts.mains += 1;
  if (tag === 'meta' && attributes.name === 'description') facts.description = attributes.content ?? '';
  if (tag === 'meta' && attributes.name === 'robots') facts.noindex = /noindex/.test(attributes.content ?? '');
  if (tag === 'link' && attributes.rel === 'canonical') facts.canonical = attributes.href ?? '';
  if (tag === 'link' && attributes.href && /\b(stylesheet|icon)\b/.test(attributes.rel ?? ''))
    facts.assets.push(attributes.href);
  if (tag === 'script' && attributes.src) facts.assets.push(attributes.src);
  if (tag === 'img' && attributes.alt === undefined) facts.picturesWithoutAlt.push(attributes.src ?? '');
};

/** An open element whose text is collected. */
interface Open {
  readonly tag: string;
  text: string;
  readonly done: (text: string) => void;
}

const opened = (facts: Mutable<PageFacts>, tag: string, attributes: Attributes): Open['done'] | null => {
  const level = Number(/^h([1-6])$/.exec(tag)?.[1] ?? 0);
  if (level) return (text) => facts.headings.push({ level, text });
  // An SVG has a title too, which is not the title of the page.
  if (tag === 'title' && !facts.title)
    return (text) => {
      facts.title = text;
    };
  if (tag !== 'a' || attributes.href === undefined) return null;
  const { href, 'aria-label': label } = attributes;
  return (text) => facts.links.push({ href, name: label || text });
};

export const factsOf = (html: string): PageFacts => {
  const facts: Mutable<PageFacts> = {
    lang: '',
    title: '',
    description: '',
    canonical: '',
    noindex: false,
    mains: 0,
    headings: [],
    links: [],
    ids: [],
    picturesWithoutAlt: [],
    assets: [],
  };
  const open: Open[] = [];
  const parser = new Parser({
    onopentag: (tag, attributes: Attributes) => {
      headFact(facts, tag, attributes);
      if (attributes.id) facts.ids.push(attributes.id);
      for (const one of open) one.text += attributes.alt ?? '';
      const done = opened(facts, tag, attributes);
      if (done) open.push({ tag, text: '', done });
    },
    ontext: (text) => {
      for (const one of open) one.text += text;
    },
    onclosetag: (tag) => {
      if (open.at(-1)?.tag !== tag) return;
      const { text, done } = open.pop()!;
      done(text.replace(/\s+/g, ' ').trim());
    },
  });
  parser.end(html);
  return facts;
};
