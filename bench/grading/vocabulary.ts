import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import type { TopicTerms, Vocabulary } from '../../plugins/evidence/matching/vocabulary.ts';

const CONTENT = new URL('../../content/', import.meta.url).pathname;

/** Reads the current vocabulary from `content/`; supplements whose front matter does not parse are skipped. */
export const contentVocabulary = (): Vocabulary => ({
  topics: parse(readFileSync(`${CONTENT}topics.yaml`, 'utf8')) as TopicTerms[],
  supplements: globSync(`${CONTENT}supplements/*.md`)
    .sort()
    .flatMap((path) => {
      try {
        const front = parse(readFileSync(path, 'utf8').split(/^---$/m)[1] ?? '') as Record<string, unknown>;
        return [
          {
            slug: basename(path, '.md'),
            name: String(front.name ?? ''),
            latinName: String(front.latin_name ?? ''),
            synonyms: ((front.synonyms ?? []) as unknown[]).map(String),
            forms: ((front.forms ?? []) as { name: string }[]).map(({ name }) => name),
          },
        ];
      } catch {
        return [];
      }
    }),
});
