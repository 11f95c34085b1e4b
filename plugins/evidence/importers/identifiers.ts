/** Normalizes and validates the identifiers of records; each function returns "" (yearIn: null) for an invalid value. */
import { trimEnd } from './clean-text.ts';

const addressBefore = /^(?:https?:\/\/)?(?:dx\.)?(?:www\.)?doi\.org\//i;

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns a DOI in lower case, without `doi:` or the resolver's address. */
export const doiOf = (text: string): string => {
  const trimmed = text.trim().replace(/^doi\s*[:=]?\s*/i, '');
  const bare = addressBefore.test(trimmed) ? percentDecoded(trimmed.replace(addressBefore, '')) : trimmed;
  const doi = trimEnd(bare, '.,;').replaceAll('\u0000', '').toLowerCase();
  return doi.length <= 300 && /^10\.\d{4,9}\/\S+$/.test(doi) ? doi : '';
};

/** Returns a PMID of 1 to 9 digits from `123`, `PMID: 123` or an address on pubmed.ncbi.nlm.nih.gov. */
export const pmidOf = (text: string): string => {
  const bare = text
    .trim()
    .replace(/^https?:\/\/(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov\/pubmed)\//i, '')
    .replace(/^(?:pmid|pubmed)\s*[:=]?\s*/i, '')
    .replace(/\/$/, '')
    .replace(/^0+/, '');
  return /^\d{1,9}$/.test(bare) ? bare : '';
};

/** Returns a PMCID with its prefix from `PMC123`, `123` or `pmc-id: PMC123;`. */
export const pmcidOf = (text: string): string => {
  const digits = /PMC\s?(\d{1,9})(?!\d)/i.exec(text)?.[1] ?? /^\s*(\d{1,9})\s*$/.exec(text)?.[1];
  return digits === undefined ? '' : `PMC${digits}`;
};

/** Returns a ClinicalTrials.gov id in upper case. */
export const nctIdOf = (text: string): string => {
  const id = text.trim().toUpperCase();
  return /^NCT\d{8}$/.test(id) ? id : '';
};

/** Returns the first ClinicalTrials.gov id in a text. */
export const firstNctId = (text: string): string =>
  (/(?<![a-z0-9])NCT\d{8}(?!\d)/i.exec(text)?.[0] ?? '').toUpperCase();

/** Returns the address of the free full text at PubMed Central. */
export const pmcUrl = (pmcid: string): string =>
  pmcid === '' ? '' : `https://www.ncbi.nlm.nih.gov/pmc/articles/${pmcid}/`;

/** Returns the first four-digit year from 1500 to 2099 in a date as written ("1998 Dec-1999 Jan", "2025//"), or null. */
export const yearIn = (text: string): number | null => {
  const year = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/.exec(text)?.[0] ?? /^\s*((?:1[5-9]|20)\d\d)\d{4}\s*$/.exec(text)?.[1];
  return year === undefined ? null : Number(year);
};

const languages: Readonly<Record<string, string>> = {
  en: 'eng', english: 'eng', de: 'ger', german: 'ger', deu: 'ger', fr: 'fre', french: 'fre', fra: 'fre',
  es: 'spa', spanish: 'spa', pt: 'por', portuguese: 'por', it: 'ita', italian: 'ita', zh: 'chi', chinese: 'chi',
  zho: 'chi', ja: 'jpn', japanese: 'jpn', ko: 'kor', korean: 'kor', ru: 'rus', russian: 'rus', pl: 'pol', polish: 'pol',
  tr: 'tur', turkish: 'tur', fa: 'per', persian: 'per', nl: 'dut', dutch: 'dut', cs: 'cze', czech: 'cze',
}; // biome-ignore format: a table

/** Returns the language as PubMed writes it ("eng", "ger"); an unknown language is returned as written, in lower case. */
export const languageOf = (text: string): string => {
  const word = text.trim().toLowerCase();
  return languages[word] ?? languages[word.split(/[-_]/)[0] ?? ''] ?? word;
};
