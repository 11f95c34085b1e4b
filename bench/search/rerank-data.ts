/**
 * Builds queries with one known answer each, from texts whose licence allows shipping weights learned from them: PubMedQA (MIT)
 * and JATS articles under CC BY. Deterministic; the texts are read from outside the repository.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { random } from './random.ts';

export type QueryForm = 'full' | 'shortened' | 'keywords' | 'short' | 'misspelt' | 'question' | 'finding' | 'aim';

export interface Item {
  readonly id: string;
  readonly title: string;
  readonly abstract: string;
  readonly from: 'pubmedqa' | 'jats';
  /** Query texts: the title or question itself, and sentences of the article that are not in the abstract. */
  readonly asked: readonly { readonly form: 'full' | 'finding' | 'aim'; readonly text: string }[];
}

export interface MadeQuery {
  readonly item: string;
  readonly form: QueryForm;
  /** Whether the query was derived from the item's title, in which case the document is indexed without its title. */
  readonly ofTitle: boolean;
  readonly text: string;
}

const plain = (xml: string): string =>
  xml
    .replace(/<(xref|sup)[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt);/g, '&')
    .replace(/\[[\s,–-]*\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export const readPubMedQaItems = (path: string): Item[] => {
  if (!existsSync(path)) return [];
  const entries = JSON.parse(readFileSync(path, 'utf8')) as Record<
    string,
    { QUESTION: string; CONTEXTS: string[]; LONG_ANSWER: string }
  >;
  return Object.entries(entries).map(([id, { QUESTION, CONTEXTS, LONG_ANSWER }]) => ({
    id: `pmid-${id}`,
    title: '',
    abstract: CONTEXTS.join('\n'),
    from: 'pubmedqa',
    asked: [
      { form: 'full', text: QUESTION },
      { form: 'finding', text: sentences(LONG_ANSWER)[0] ?? '' },
    ],
  }));
};

const sentences = (text: string): string[] => text.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((part) => part.length > 40);

/** Returns the first paragraph of a section whose heading matches. */
const paragraphOf = (body: string, heading: RegExp): string => {
  const at = [...body.matchAll(/<title>([^<]*)<\/title>/g)].find((match) => heading.test(match[1] ?? ''));
  if (!at) return '';
  return plain(/<p[^>]*>([\s\S]*?)<\/p>/.exec(body.slice(at.index))?.[1] ?? '');
};

const askedOf = (xml: string, title: string): Item['asked'] => {
  const body = /<body>([\s\S]*)<\/body>/.exec(xml)?.[1] ?? '';
  const finding = sentences(paragraphOf(body, /discussion|conclusion/i)).find((part) =>
    /\b(show|found|demonstrat|suggest|result|effect|associat|improv|reduc|increas)/i.test(part),
  );
  const aim = /[^.]*\b(?:aim|purpose|objective)s?\b[^.]*\b(?:was|were|is) to ([^.]{40,300})\./i.exec(plain(body))?.[1];
  return [
    { form: 'full', text: title },
    ...(finding ? [{ form: 'finding' as const, text: finding.slice(0, 300) }] : []),
    ...(aim ? [{ form: 'aim' as const, text: aim }] : []),
  ];
};

/** Reads only articles under CC BY, according to the table beside the archive. */
export const readJatsItems = async (folder: string): Promise<Item[]> => {
  const archive = join(folder, 'articles.tar.gz');
  if (!existsSync(archive)) return [];
  const table = readFileSync(join(folder, 'articles.tsv'), 'utf8').split('\n').slice(1);
  const free = new Set(
    table
      .map((line) => line.split('\t'))
      .filter((row) => row[3] === 'CC BY')
      .map((row) => row[0]),
  );
  const items: Item[] = [];
  for await (const entry of createReadStream(archive).pipe(createGunzip()).pipe(extract())) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const id = entry.header.name.replace(/\.nxml$/, '');
    if (!free.has(id)) continue;
    const xml = Buffer.concat(chunks).toString();
    const title = plain(/<article-title[^>]*>([\s\S]*?)<\/article-title>/.exec(xml)?.[1] ?? '');
    const abstract = plain(/<abstract(?![^>]*abstract-type)[^>]*>([\s\S]*?)<\/abstract>/.exec(xml)?.[1] ?? '');
    if (title !== '' && abstract.length > 200)
      items.push({ id, title, abstract, from: 'jats', asked: askedOf(xml, title) });
  }
  return items;
};

const SMALL = new Set(
  'a an and the of in on for to with by from or is are was were does do can at as its it that this than be has have which'.split(
    ' ',
  ),
);
const contentWords = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((word) => word.replace(/^\W+|\W+$/g, ''))
    .filter((word) => word.length > 2 && !SMALL.has(word.toLowerCase()));

const KEYS = 'qwertyuiop asdfghjkl zxcvbnm';

/** Applies a typing error to a longer word: letters swapped, dropped, doubled, or replaced by a neighbour on the keyboard. */
export const misspell = (word: string, next: (below: number) => number): string => {
  const at = 1 + next(word.length - 2);
  const neighbour = KEYS[KEYS.indexOf(word[at]!.toLowerCase()) + 1] ?? 'e';
  const slips = [
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word[at] + word.slice(at),
    word.slice(0, at) + neighbour.trim() + word.slice(at + 1),
  ];
  return slips[next(slips.length)]!;
};

/** Returns a random selection of the words, in their order. */
const pick = (words: readonly string[], count: number, next: (below: number) => number): string[] => {
  const kept = new Set<number>();
  while (kept.size < Math.min(count, words.length)) kept.add(next(words.length));
  return words.filter((_, at) => kept.has(at));
};

const QUESTIONS = ['What is known about', 'Is there evidence on', 'What do trials say about', 'Does research support'];

/** Returns the item's own queries and harder ones derived from them. Deterministic for each item. */
export const queriesOf = (item: Item): MadeQuery[] => {
  const next = random(item.id);
  return item.asked
    .filter(({ text }) => text !== '')
    .flatMap(({ form, text }): MadeQuery[] => {
      const words = contentWords(text);
      const make = (of: QueryForm, made: string): MadeQuery => ({
        item: item.id,
        form: of,
        ofTitle: form === 'full',
        text: made,
      });
      const long = words.filter((word) => /^[a-z]{6,}$/i.test(word));
      const chosen = pick(words, 4 + next(5), next);
      const short = pick(words, 2 + next(2), next);
      const slip = long[next(long.length || 1)];
      const base = [make(form, text)];
      if (form !== 'full') return [...base, make('keywords', chosen.join(' '))];
      return [
        ...base,
        make('shortened', pick(text.split(/\s+/), Math.ceil(text.split(/\s+/).length * 0.7), next).join(' ')),
        make('keywords', chosen.join(' ')),
        make('short', short.join(' ')),
        ...(slip
          ? [
              make(
                'misspelt',
                [
                  misspell(slip, next),
                  ...pick(
                    words.filter((word) => word !== slip),
                    1 + next(2),
                    next,
                  ),
                ].join(' '),
              ),
            ]
          : []),
        ...(item.from === 'jats' ? [make('question', `${QUESTIONS[next(4)]} ${text.replace(/\W+$/, '')}?`)] : []),
      ];
    });
};
