/**
 * Draws the 300 records of the hand-labelled test set: `node bench/topics/draw.ts [--tsv | --text <from> <count>]`. Needs the
 * real data beside the project. The abstracts are printed for reading on screen and must not be committed.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';

export type Part = 'plain' | 'hard';
export type Criterion = 'plain' | 'ambiguous-word' | 'not-in-title' | 'several';

export interface Drawn {
  readonly pmid: string;
  readonly title: string;
  readonly abstract: string;
  readonly mesh_terms: readonly string[];
  readonly publication_types: readonly string[];
  readonly part: Part;
  readonly split: 'dev' | 'test';
  readonly criterion: Criterion;
}

const DATA = new URL('../../../shared/data/pubmed-2025/', import.meta.url);
const SUPPLEMENTS = new URL('../../content/supplements/', import.meta.url).pathname;

const PLAIN_RECORDS = 150;
const HARD_RECORDS: Readonly<Record<Exclude<Criterion, 'plain'>, number>> = {
  'ambiguous-word': 70,
  'not-in-title': 40,
  several: 40,
};
const MOST_PER_TOPIC = 6;
const MOST_PER_WORD = 4;

/** Title words that often mean something other than a supplement, or a level or deficiency of it. */
const AMBIGUOUS_WORDS = [
  'iron',
  'zinc',
  'calcium',
  'magnesium',
  'potassium',
  'phosphorus',
  'phosphate',
  'collagen',
  'gelatin',
  'sage',
  'fiber',
  'fibre',
  'fibers',
  'vanadium',
  'manganese',
  'molybdenum',
  'selenium',
  'silica',
  'silicon',
  'milk',
  'whey',
  'dairy',
  'yogurt',
  'water',
  'oil',
  'nitrate',
  'sulfur',
  'creatine',
  'copper',
  'iodine',
  'iodide',
  'chromium',
  'boron',
  'bee',
  'honey',
  'tea',
  'coffee',
  'cannabis',
  'lithium',
  'level',
  'levels',
  'status',
  'deficiency',
  'receptor',
  'receptors',
  'arginine',
  'lysine',
  'glutamine',
  'tryptophan',
  'tyrosine',
  'leucine',
  'valine',
  'gaba',
  'rue',
  'water hyssop',
  'folate',
  'biotin',
  'b12',
  'vitamin',
];

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const wholeWords = (words: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(escapeRegExp).join('|')})(?![\\p{L}\\p{N}])`, 'iu');

const ambiguousPattern = wholeWords(AMBIGUOUS_WORDS);

/** Returns one pattern for each supplement of the vocabulary: its name, Latin name and synonyms as whole words. */
const readNamePatterns = (): readonly RegExp[] =>
  globSync('*.md', { cwd: SUPPLEMENTS })
    .sort()
    .map((file) => {
      const front = parse(readFileSync(`${SUPPLEMENTS}${file}`, 'utf8').split(/^---$/m)[1] ?? '');
      return wholeWords([front.name, front.latin_name ?? front.name, ...(front.synonyms ?? [])]);
    });

const readTopics = (): ReadonlyMap<string, readonly string[]> => {
  const [header, ...rows] = gunzipSync(readFileSync(new URL('articles.tsv.gz', DATA)))
    .toString()
    .split('\n');
  const column = header!.split('\t').indexOf('topics');
  return new Map(
    rows.map((row) => row.split('\t')).map((cells) => [cells[0]!, (cells[column] ?? '').split(/[|;,] ?/)] as const),
  );
};

const hashOf = (pmid: string): string => createHash('sha256').update(`topic:${pmid}`).digest('hex');

const readRecords = () =>
  gunzipSync(readFileSync(new URL('abstracts.jsonl.gz', DATA)))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Omit<Drawn, 'part' | 'split' | 'criterion'>)
    .map((record) => ({ ...record, hash: hashOf(record.pmid) }))
    .sort((left, right) => (left.hash < right.hash ? -1 : left.hash > right.hash ? 1 : 0));

const chooseCriterion = (
  record: { title: string; abstract: string; mesh_terms: readonly string[] },
  names: readonly RegExp[],
): Exclude<Criterion, 'plain'> | null => {
  const title = record.title ?? '';
  const whole = [title, record.abstract ?? '', ...(record.mesh_terms ?? [])].join(' \n ');
  if (ambiguousPattern.test(title)) return 'ambiguous-word';
  const inTitle = names.filter((pattern) => pattern.test(title)).length;
  const anywhere = names.filter((pattern) => pattern.test(whole)).length;
  if (inTitle === 0 && anywhere > 0) return 'not-in-title';
  if (inTitle >= 2 || anywhere >= 3) return 'several';
  return null;
};

/** Returns the records of the test set, in the order of the draw. */
export const draw = (): readonly Drawn[] => {
  const names = readNamePatterns();
  const topics = readTopics();
  const records = readRecords();
  const splitOf = (hash: string): 'dev' | 'test' => (Number.parseInt(hash.at(-1)!, 16) % 2 === 0 ? 'dev' : 'test');
  const drawn: Drawn[] = records
    .slice(0, PLAIN_RECORDS)
    .map(({ hash, ...record }) => ({ ...record, part: 'plain', split: splitOf(hash), criterion: 'plain' }));
  const left = { ...HARD_RECORDS };
  const perTopic = new Map<string, number>();
  const perWord = new Map<string, number>();
  for (const { hash, ...record } of records.slice(PLAIN_RECORDS)) {
    const criterion = chooseCriterion(record, names);
    if (criterion === null || left[criterion] === 0) continue;
    const itsTopics = topics.get(record.pmid) ?? [];
    if (itsTopics.some((topic) => (perTopic.get(topic) ?? 0) >= MOST_PER_TOPIC)) continue;
    if (criterion === 'ambiguous-word') {
      const word = ambiguousPattern.exec(record.title)![0].toLowerCase();
      if ((perWord.get(word) ?? 0) >= MOST_PER_WORD) continue;
      perWord.set(word, (perWord.get(word) ?? 0) + 1);
    }
    for (const topic of itsTopics) perTopic.set(topic, (perTopic.get(topic) ?? 0) + 1);
    left[criterion] -= 1;
    drawn.push({ ...record, part: 'hard', split: splitOf(hash), criterion });
    if (Object.values(left).every((count) => count === 0)) break;
  }
  return drawn;
};

const printText = (records: readonly Drawn[]): void => {
  for (const { pmid, title, abstract, mesh_terms, publication_types } of records) {
    console.log(
      `## ${pmid}  ${title}\n[${(publication_types ?? []).join('; ')}] MeSH: ${(mesh_terms ?? []).join('; ')}\n${abstract}\n`,
    );
  }
};

if (import.meta.main) {
  if (!existsSync(new URL('abstracts.jsonl.gz', DATA))) {
    console.error(`Cannot draw the records: ${DATA.pathname}abstracts.jsonl.gz is missing. Put the real data there.`);
    process.exit(1);
  }
  const records = draw();
  const [mode, from = '0', count = '25'] = process.argv.slice(2);
  if (mode === '--text') {
    printText(records.slice(Number(from), Number(from) + Number(count)));
  } else {
    console.log('pmid\tpart\tsplit\tcriterion');
    for (const { pmid, part, split, criterion } of records) console.log([pmid, part, split, criterion].join('\t'));
  }
}
