/** Builds the answer object and fills in the fields that all kinds of answers share. */
import { addressOf, evidencePlugin } from '#plugins/evidence/index.ts';
import type { AnswerBody, Citation } from '../schemas.ts';
import { EMPTY_BALANCE } from './balance.ts';
import type { EvidenceItem } from './evidence-item.ts';
import type { AskRequest, EngineParts } from './port.ts';
import { isVerbatim } from './quotes.ts';

export const DISCLAIMER =
  'This is information about research, not medical advice. Ask a doctor or pharmacist before you start, stop or combine anything.';

/** Builds the citation of a source. `quote_verified` is the result of a check against the stored text. */
export const citationOf = ({ row, quote, stance, direction }: EvidenceItem, n: number): Citation => ({
  n,
  source_id: row.sourceId,
  pmid: row.pmid,
  doi: row.doi,
  nct_id: row.nctId || null,
  title: row.title,
  year: row.year,
  source_class: row.sourceClass,
  quality_tier: row.qualityTier,
  quality_score: row.qualityScore,
  url: addressOf(row),
  quote: quote.text,
  quote_verified: isVerbatim(row, quote),
  quote_from: quote.from,
  quote_start: quote.start,
  quote_end: quote.end,
  stance,
  direction,
  retraction_status: row.retractionStatus,
  evidence_level: row.evidenceLevel,
  sample_size: row.sampleSize,
  journal: row.journal,
});

type Own = Pick<AnswerBody, 'status' | 'answer' | 'summary'> & Partial<AnswerBody>;

export const answerBody = ({ evidence }: EngineParts, { question }: AskRequest, own: Own): AnswerBody => {
  const { index_version: indexVersion = '', retrieval_version: retrievalVersion = '' } =
    evidencePlugin.versions?.(evidence) ?? {};
  return {
    question,
    confidence: 'very_low',
    claims: [],
    citations: [],
    evidence_balance: EMPTY_BALANCE,
    interactions: [],
    follow_ups: [],
    disclaimer: DISCLAIMER,
    disclaimer_url: '/disclaimer',
    retrieval_version: retrievalVersion,
    index_version: indexVersion,
    model: 'extractive',
    resolved: [],
    warnings: [],
    refusal: null,
    coverage: 0,
    what_would_answer: '',
    ...own,
  };
};
