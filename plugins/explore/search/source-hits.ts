/** Sources and products of a search, each with the words it was found by. */
import { AppError } from '#core/errors.ts';
import { foldName } from '#core/search/name-index.ts';
import {
  designOf,
  type EvidenceAnswer,
  type EvidenceServices,
  peopleOf,
  reasonsInWords,
  tierView,
} from '#plugins/evidence/index.ts';
import { type ProductServices, productLine } from '#plugins/products/index.ts';
import { type KindHits, NO_HITS, plainHit, type Slice } from './hits.ts';

const asSentence = (words: readonly string[]): string => `${words.join('. ')}.`;

const NO_SOURCES: EvidenceAnswer = {
  records: [],
  rows: [],
  total: 0,
  facets: {},
  coverage: 0,
  corrected: null,
  resolved: [],
  rerankerUsed: false,
  warnings: [],
};

export interface FoundSources {
  readonly answer: EvidenceAnswer;
  /** The index cannot be asked now: names, rules and products are found all the same. */
  readonly isAway: boolean;
}

export const findSources = async (evidence: EvidenceServices, query: string, slice: Slice): Promise<FoundSources> => {
  try {
    return { answer: await evidence.search({ text: query, ...slice }), isAway: false };
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return { answer: NO_SOURCES, isAway: true };
    throw error;
  }
};

export const sourceHits = ({ records, rows, total }: EvidenceAnswer): KindHits => ({
  total,
  hits: rows.flatMap((row, at) => {
    const record = records[at];
    if (!record) return [];
    const place = [row.journal, row.year ? String(row.year) : ''].filter(Boolean).join(', ');
    return [
      plainHit({
        name: row.title,
        // A source has no page of its own here: its record elsewhere is the address that readers cite.
        href: record.url,
        text: [designOf(row), peopleOf(row), place].filter(Boolean).join(' · '),
        why: asSentence(reasonsInWords(record)),
        tier: tierView(row.qualityTier),
      }),
    ];
  }),
});

export interface ProductHits extends KindHits {
  /** What was left out or read as something else, in sentences. */
  readonly notes: readonly string[];
}

interface ProductSearch extends Slice {
  readonly query: string;
  /** Words that name something else for sure, such as a medicine: never read as a misspelt product. */
  readonly known: readonly string[];
}

export const productHits = async (
  products: ProductServices,
  { query, known, ...slice }: ProductSearch,
): Promise<ProductHits> => {
  // Signs alone would be no filter at all.
  if (!foldName(query)) return { ...NO_HITS, notes: [] };
  const answer = (await products.index()).search({ text: query, ...slice });
  if (Object.keys(answer.readAs).some((word) => known.includes(foldName(word)))) return { ...NO_HITS, notes: [] };
  // One of many words is in nearly every label: that is no answer to a question.
  const words = query.trim().split(/\s+/).length;
  if (answer.without.length > words / 2) return { ...NO_HITS, notes: [] };
  const rows = await products.rows(answer.ids);
  const read = Object.entries(answer.readAs);
  const why =
    answer.without.length || read.length
      ? 'Its name, brand or ingredients hold the words as they were read.'
      : `Its name, brand or ingredients hold ${words > 1 ? 'the words ' : ''}“${query.trim()}”.`;
  return {
    total: answer.total,
    hits: rows.map((row) => {
      const { name, href, brand, form, market } = productLine(row);
      return plainHit({ name, href, text: [brand, form, market].filter(Boolean).join(' · '), why });
    }),
    notes: [
      ...read.map(([word, other]) => `No product has the word “${word}”; “${other}” was looked for instead.`),
      ...(answer.without.length ? [`No product has all words; left out: ${answer.without.join(', ')}.`] : []),
    ],
  };
};
