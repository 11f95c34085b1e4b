import { emptyRecord, type SourceRecord } from '../source-record.ts';
import { authorFromField } from './authors.ts';
import { asSentence, cleanList, cleanText, titleSaysRetracted, upTo } from './clean-text.ts';
import { doiOf, firstNctId, languageOf, pmcidOf, pmcUrl, pmidOf, yearIn } from './identifiers.ts';
import { typesInField } from './ris-types.ts';
import type { TaggedRecord } from './tagged-records.ts';

const isMedline = (record: TaggedRecord): boolean => /pubmed|medline/i.test(record.first('DB'));

/**
 * Returns the PMID from the fields in which exporters write it: `AN` (PubMed), `ID` (Ovid), `N1 PMID:`, `C3 PUBMED n` (Cochrane)
 * or an address. A bare number in `AN` or `ID` is a PMID only when the record states that it comes from PubMed or MEDLINE: other
 * databases use numbers in the same range, and Web of Science writes article numbers as `C7  - PMID n`.
 */
const pmidIn = (record: TaggedRecord): string => {
  const named = record
    .all('N1', 'C3', 'AN')
    .map((value) => /\b(?:PMID|PUBMED)[:\s]\s*(\d{1,9})\b/i.exec(value)?.[1] ?? '');
  const addresses = record
    .all('UR', 'L1', 'L2')
    .map((value) => /pubmed(?:\.ncbi\.nlm\.nih\.gov)?\/(\d{1,9})\b/i.exec(value)?.[1] ?? '');
  const numbers = isMedline(record) ? record.all('AN', 'ID', 'C1') : [];
  return [...numbers, ...named, ...addresses].map(pmidOf).find((pmid) => pmid !== '') ?? '';
};

const pmcidIn = (record: TaggedRecord): string =>
  pmcidOf(
    record
      .all('C2', 'C7', 'C1', 'N1', 'UR', 'L1', 'L2')
      .map((value) => /\bPMC\d+/.exec(value)?.[0] ?? '')
      .join(' '),
  );

const doiIn = (record: TaggedRecord): string => {
  const addresses = record.all('UR', 'L3', 'N1').map((value) => /doi\.org\/(10\.\S+)/i.exec(value)?.[1] ?? '');
  return [...record.all('DO', 'M3'), ...addresses].map(doiOf).find((doi) => doi !== '') ?? '';
};

/**
 * Returns the trial id of a registry record. Registry records (as Cochrane exports them) name their trial next to the journal;
 * articles name it in the abstract.
 */
const registryId = (record: TaggedRecord): string =>
  /trial registry/i.test(record.first('M3')) ? firstNctId(record.all('C3', 'AN', 'JA', 'UR', 'N1').join(' ')) : '';

const pagesOf = (record: TaggedRecord): string => {
  const [start, end] = [record.first('SP'), record.first('EP')].map((page) => cleanText(page).replace(/[‐‑–]/g, '-'));
  return end === '' || end === start || start?.includes('-') ? (start ?? '') : `${start}-${end}`;
};

/**
 * Separates descriptors from keywords: MEDLINE records mix descriptors, with check tags and qualifiers, and keywords; other
 * records have keywords only.
 */
const wordsOf = (record: TaggedRecord): { meshTerms: string[]; keywords: string[] } => {
  const written = record.all('KW').flatMap((value) => value.split(/;\s/));
  const isIndexed = isMedline(record) && written.some((word) => /^\*?(?:humans|animals)\b|\/[a-z]/i.test(word));
  const words = cleanList(written.map((word) => (isIndexed ? upTo(word, '/') : word).replace(/^\*|\*$/g, '')));
  return isIndexed ? { meshTerms: words, keywords: [] } : { meshTerms: [], keywords: words };
};

const fundingOf = (record: TaggedRecord): string => {
  const grants = cleanText(record.all('FU').join('; '));
  const statement = cleanText(record.all('FX').join(' '));
  return [
    statement === '' ? '' : `Funding: ${asSentence(statement)}`,
    grants === '' ? '' : `Grants: ${asSentence(grants)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

const typesOf = (record: TaggedRecord): string[] => {
  const fields = record.all('M3', 'PT').filter((field) => doiOf(field) === '');
  const byKind = record.first('TY') === 'CHAP' ? ['Book Chapter'] : [];
  return cleanList([...fields.flatMap(typesInField), ...byKind]);
};

/** Returns whether the record is a trial's registry entry, which its trial id identifies. */
export const isRegistryRecord = (record: TaggedRecord): boolean => registryId(record) !== '';

/** Maps one RIS record from PubMed, Ovid, Cochrane, Web of Science, Scopus or a reference manager. */
export const risRecord = (tagged: TaggedRecord): SourceRecord => {
  const title = cleanText(tagged.first('TI', 'T1', 'CT', 'BT'));
  const abstract = cleanText(tagged.first('AB', 'N2'));
  const publicationTypes = typesOf(tagged);
  const pmcid = pmcidIn(tagged);
  return {
    ...emptyRecord('ris'),
    pmid: pmidIn(tagged),
    doi: doiIn(tagged),
    pmcid,
    nctId: registryId(tagged) || firstNctId(abstract),
    title,
    abstract,
    authors: cleanList(tagged.all('AU', 'A1').map(authorFromField)),
    journal: isRegistryRecord(tagged)
      ? 'ClinicalTrials.gov'
      : cleanText(tagged.first('JF', 'JO', 'T2', 'JA', 'J2', 'J9', 'JI')),
    year: yearIn(tagged.first('PY')) ?? yearIn(tagged.first('Y1')) ?? yearIn(tagged.first('DA')),
    volume: cleanText(tagged.first('VL')),
    issue: cleanText(tagged.first('IS')),
    pages: pagesOf(tagged),
    language: languageOf(tagged.first('LA')),
    publicationTypes,
    ...wordsOf(tagged),
    fundingText: fundingOf(tagged),
    openAccessUrl: pmcUrl(pmcid),
    retractionStatus:
      publicationTypes.includes('Retracted Publication') || titleSaysRetracted(title) ? 'retracted' : 'none',
  };
};
