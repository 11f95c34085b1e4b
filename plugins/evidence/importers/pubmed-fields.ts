import { allBelow, at, childrenOf, rawText, type XmlElement } from '#core/import/xml-tree.ts';
import type { RetractionStatus } from '../source-record.ts';
import { authorOf } from './authors.ts';
import { asSentence, cleanList, cleanText } from './clean-text.ts';
import { firstNctId, nctIdOf, yearIn } from './identifiers.ts';

/** Reads the fields that PubMed's journal articles and book chapters share, each from its element. */

export const textOf = (element: XmlElement | undefined): string => cleanText(rawText(element));

/** Returns the abstract in one line, each labelled section as "METHODS: …". */
export const abstractOf = (element: XmlElement | undefined): string => {
  const sections = childrenOf(element, 'AbstractText').map((section) => {
    const text = textOf(section);
    const label = cleanText(section.attributes.Label ?? '').replace(/:$/, '');
    return label === '' || label === 'UNLABELLED' || text === '' ? text : `${label}: ${text}`;
  });
  return sections.filter((section) => section !== '').join(' ');
};

/** Returns people as "Family Initials" and groups by their name; names withdrawn as wrong (ValidYN="N") are left out. */
export const authorsOf = (list: XmlElement | undefined): string[] =>
  cleanList(
    childrenOf(list, 'Author')
      .filter((author) => author.attributes.ValidYN !== 'N')
      .map((author) => {
        const family = textOf(at(author, 'LastName'));
        if (family === '') return textOf(at(author, 'CollectiveName')) || textOf(at(author, 'ForeName'));
        return authorOf(family, textOf(at(author, 'Initials')) || textOf(at(author, 'ForeName')));
      }),
  );

/** Returns the year of a date element with Year or MedlineDate. */
export const yearOf = (date: XmlElement | undefined): number | null =>
  yearIn(textOf(at(date, 'Year'))) ?? yearIn(textOf(at(date, 'MedlineDate')));

/** Returns the keywords of all lists, regardless of their source. */
export const keywordsOf = (parent: XmlElement): string[] =>
  cleanList(
    childrenOf(parent, 'KeywordList').flatMap((list) => childrenOf(list, 'Keyword').map((word) => rawText(word))),
  );

/** Returns an id from the record's own ArticleIdList (its references also have such lists). */
export const articleId = (list: XmlElement | undefined, type: string): string =>
  textOf(childrenOf(list, 'ArticleId').find((id) => id.attributes.IdType === type));

/** Returns the grant agencies and the statement of competing interests. */
export const fundingOf = (grants: XmlElement | undefined, citation: XmlElement): string => {
  const agencies = cleanList(childrenOf(grants, 'Grant').map((grant) => textOf(at(grant, 'Agency'))));
  const interests = textOf(at(citation, 'CoiStatement'));
  return [
    agencies.length === 0 ? '' : `Grants: ${agencies.join('; ')}.`,
    interests === '' ? '' : `Competing interests: ${asSentence(interests)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

/** Returns the trial that an article was registered as, else the first trial that its abstract names. */
export const trialOf = (article: XmlElement | undefined, abstract: string): string => {
  const banks = childrenOf(at(article, 'DataBankList'), 'DataBank');
  const ids = banks.flatMap((bank) => allBelow(bank, 'AccessionNumber').map((number) => nctIdOf(rawText(number))));
  return ids.find((id) => id !== '') ?? firstNctId(abstract);
};

const statusByLink: Readonly<Record<string, RetractionStatus>> = {
  RetractionIn: 'retracted',
  RetractedandRepublishedIn: 'retracted',
  PartialRetractionIn: 'concern',
  ExpressionOfConcernIn: 'concern',
  ErratumIn: 'corrected',
  CorrectedandRepublishedIn: 'corrected',
};

const severity: readonly RetractionStatus[] = ['none', 'corrected', 'concern', 'retracted'];

/** Returns the most serious of several statuses. */
export const gravest = (states: Iterable<RetractionStatus>): RetractionStatus =>
  severity[Math.max(0, ...[...states].map((state) => severity.indexOf(state)))] ?? 'none';

/** Returns the most serious status from the notices linked in this record or its publication type. */
export const statusOf = (citation: XmlElement, types: readonly string[]): RetractionStatus => {
  const links = childrenOf(at(citation, 'CommentsCorrectionsList'), 'CommentsCorrections');
  const linked = links.map((link) => statusByLink[link.attributes.RefType ?? ''] ?? 'none');
  return gravest([...linked, types.includes('Retracted Publication') ? 'retracted' : 'none']);
};

const statusByNotice: Readonly<Record<string, RetractionStatus>> = {
  RetractionOf: 'retracted',
  ExpressionOfConcernFor: 'concern',
  ErratumFor: 'corrected',
};

/** Returns the articles that this record, when it is a notice, retracts, expresses concern about or corrects. */
export const noticesOf = (citation: XmlElement): { pmid: string; status: RetractionStatus }[] =>
  childrenOf(at(citation, 'CommentsCorrectionsList'), 'CommentsCorrections').flatMap((link) => {
    const status = statusByNotice[link.attributes.RefType ?? ''];
    return status === undefined ? [] : [{ pmid: textOf(at(link, 'PMID')), status }];
  });
