/**
 * Generates synthetic PubMed XML for load tests: real abstracts (JATS articles, PubMed papers on supplements) are repeated, with
 * a third of the words in each copy replaced by words from other abstracts, under unassigned PMIDs from 900000001.
 */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jats } from '#plugins/evidence/importers/jats.ts';

interface Original {
  readonly title: string;
  readonly words: readonly string[];
  readonly types: readonly string[];
}

/** Reads real titles and abstracts; returns an empty list when the data do not exist. */
export const readOriginals = async (data: string): Promise<readonly Original[]> => {
  const originals: Original[] = [];
  try {
    for await (const event of jats.read(join(data, 'jats/articles.tar.gz'), new AbortController().signal)) {
      if (event.type === 'record' && event.record.abstract) {
        originals.push({
          title: event.record.title,
          words: event.record.abstract.split(' '),
          types: ['Journal Article'],
        });
      }
    }
    for (const line of (await readFile(join(data, 'literature/supplement-papers.jsonl'), 'utf8'))
      .split('\n')
      .filter(Boolean)) {
      const { title, abstract, publicationTypes } = JSON.parse(line);
      if (abstract) originals.push({ title, words: abstract.split(' '), types: publicationTypes });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return originals;
};

const random = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');

const article = (pmid: number, title: string, abstract: string, year: number, types: readonly string[]): string =>
  `<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">${pmid}</PMID><Article><Journal><JournalIssue><PubDate><Year>${year}</Year></PubDate></JournalIssue><Title>Journal of Load Tests</Title></Journal><ArticleTitle>${escapeXml(title)}</ArticleTitle><Abstract><AbstractText>${escapeXml(abstract)}</AbstractText></Abstract><PublicationTypeList>${types.map((type) => `<PublicationType>${escapeXml(type)}</PublicationType>`).join('')}</PublicationTypeList></Article></MedlineCitation></PubmedArticle>\n`;

/** Writes `count` synthetic records to `path`; equal counts give equal files. */
export const writeMadeUp = async (path: string, originals: readonly Original[], count: number): Promise<void> => {
  const below = random(7);
  const pick = (): Original => originals[below(originals.length)] as Original;
  function* records(): Generator<string> {
    yield '<?xml version="1.0"?>\n<PubmedArticleSet>\n';
    for (let at = 0; at < count; at += 1) {
      const original = originals[at % originals.length] as Original;
      const words = original.words.map((word) => {
        if (below(3) > 0) return word;
        const { words: others } = pick();
        return others[below(others.length)];
      });
      yield article(900_000_001 + at, original.title, words.join(' '), 1980 + below(46), original.types);
    }
    yield '</PubmedArticleSet>\n';
  }
  await pipeline(Readable.from(records()), createWriteStream(path));
};
