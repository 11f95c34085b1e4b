/** Finds the sources and products of a search, each with the words that matched. */
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
  /** Whether the index is currently unavailable. Names, rules and products are searched nevertheless. */
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
        // A source has no page on this site, so the hit links to its original record, which readers cite.
        href: record.url,
        text: [designOf(row), peopleOf(row), place].filter(Boolean).join(' · '),
        why: asSentence(reasonsInWords(record)),
        tier: tierView(row.qualityTier),
      }),
    ];
  }),
});

export interface ProductHits extends KindHits {
  /** Sentences about words that were dropped or corrected. */
  readonly notes: readonly string[];
}

interface ProductSearch extends Slice {
  readonly query: string;
  /** Words that certainly name something else, such as a medicine; they are never treated as a misspelt product. */
  readonly known: readonly string[];
}

export const productHits = async (
  products: ProductServices,
  { query, known, ...slice }: ProductSearch,
): Promise<ProductHits> => {
  // A query of punctuation alone would match every product.
  if (!foldName(query)) return { ...NO_HITS, notes: [] };
  const answer = (await products.index()).search({ text: query, ...slice });
  if (Object.keys(answer.readAs).some((word) => known.includes(foldName(word)))) return { ...NO_HITS, notes: [] };
  // Nearly every label contains one word of a long query, so hits that lack most of the words are discarded.
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
