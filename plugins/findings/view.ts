/** Builds the API representation of a finding. */
import type { Static } from 'typebox';
import type { FindingRecord } from './schemas.ts';
import type { Finding } from './vocabulary.ts';

/** Returns the URL of a source: at PubMed, at the DOI resolver, or the authority's page itself. */
export const sourceUrl = (source: string): string => {
  if (source.startsWith('https:')) return source;
  return source.startsWith('pmid:')
    ? `https://pubmed.ncbi.nlm.nih.gov/${source.slice(5)}/`
    : `https://doi.org/${encodeURI(source.slice(4))}`;
};

export const toRecord = (finding: Finding): Static<typeof FindingRecord> => {
  const { firstAuthor, participantsAtLeast, followUp, betterWhen, riskWithout, riskWith, supplements, ...same } =
    finding;
  return {
    ...same,
    supplements: [...supplements],
    source_url: sourceUrl(finding.source),
    first_author: firstAuthor,
    participants_at_least: participantsAtLeast,
    follow_up: followUp,
    better_when: betterWhen,
    risk_without: riskWithout,
    risk_with: riskWith,
  };
};
