import { at, childrenOf, rawText, type XmlElement } from '#core/import/xml-tree.ts';
import { emptyRecord, type SourceRecord } from '../source-record.ts';
import { cleanList, titleSaysRetracted } from './clean-text.ts';
import { doiOf, languageOf, pmcidOf, pmcUrl, pmidOf } from './identifiers.ts';
import {
  abstractOf,
  articleId,
  authorsOf,
  fundingOf,
  gravest,
  keywordsOf,
  statusOf,
  textOf,
  trialOf,
  yearOf,
} from './pubmed-fields.ts';

const titleOf = (article: XmlElement | undefined): string => {
  const title = textOf(at(article, 'ArticleTitle'));
  return title === '' || /^\[?not available\]?\.?$/i.test(title)
    ? textOf(at(article, 'VernacularTitle')) || title
    : title;
};

const doiOfArticle = (ids: XmlElement | undefined, article: XmlElement | undefined): string => {
  const locations = childrenOf(article, 'ELocationID').filter(
    (id) => id.attributes.EIdType === 'doi' && id.attributes.ValidYN !== 'N',
  );
  return [articleId(ids, 'doi'), ...locations.map(textOf)].map(doiOf).find((doi) => doi !== '') ?? '';
};

const pagesOf = (article: XmlElement | undefined): string => {
  const pages = at(article, 'Pagination');
  const range = [textOf(at(pages, 'StartPage')), textOf(at(pages, 'EndPage'))].filter((page) => page !== '').join('-');
  const number = childrenOf(article, 'ELocationID').find((id) => id.attributes.EIdType === 'pii');
  return textOf(at(pages, 'MedlinePgn')) || range || textOf(number);
};

/** Returns the MeSH descriptors, then the substances, which name supplements without a descriptor of their own. */
const meshOf = (citation: XmlElement): string[] =>
  cleanList([
    ...childrenOf(at(citation, 'MeshHeadingList'), 'MeshHeading').map((heading) =>
      rawText(at(heading, 'DescriptorName')),
    ),
    ...childrenOf(at(citation, 'ChemicalList'), 'Chemical').map((chemical) => rawText(at(chemical, 'NameOfSubstance'))),
  ]);

const typesOf = (parent: XmlElement | undefined): string[] =>
  cleanList(childrenOf(parent, 'PublicationType').map((type) => rawText(type)));

/** Maps a PubmedArticle. The year is that of the issue, as PubMed cites it, else that of the electronic publication. */
export const articleRecord = (root: XmlElement): SourceRecord => {
  const citation = at(root, 'MedlineCitation') ?? root;
  const article = at(citation, 'Article');
  const ids = at(root, 'PubmedData', 'ArticleIdList');
  const journal = at(article, 'Journal');
  const issue = at(journal, 'JournalIssue');
  const title = titleOf(article);
  const abstract = abstractOf(at(article, 'Abstract')) || abstractOf(at(citation, 'OtherAbstract'));
  const pmcid = pmcidOf(articleId(ids, 'pmc') || articleId(ids, 'pmcid'));
  const publicationTypes = typesOf(at(article, 'PublicationTypeList'));
  return {
    ...emptyRecord('pubmed'),
    pmid: pmidOf(textOf(at(citation, 'PMID'))) || pmidOf(articleId(ids, 'pubmed')),
    doi: doiOfArticle(ids, article),
    pmcid,
    nctId: trialOf(article, abstract),
    title,
    abstract,
    authors: authorsOf(at(article, 'AuthorList')),
    journal: textOf(at(journal, 'Title')) || textOf(at(citation, 'MedlineJournalInfo', 'MedlineTA')),
    year: yearOf(at(issue, 'PubDate')) ?? yearOf(at(article, 'ArticleDate')),
    volume: textOf(at(issue, 'Volume')),
    issue: textOf(at(issue, 'Issue')),
    pages: pagesOf(article),
    language: languageOf(textOf(at(article, 'Language'))),
    publicationTypes,
    meshTerms: meshOf(citation),
    keywords: keywordsOf(citation),
    fundingText: fundingOf(at(article, 'GrantList'), citation),
    openAccessUrl: pmcUrl(pmcid),
    retractionStatus: gravest([statusOf(citation, publicationTypes), titleSaysRetracted(title) ? 'retracted' : 'none']),
  };
};

/** Maps a PubmedBookArticle: a chapter or a whole book, with the book's title as journal. */
export const bookRecord = (root: XmlElement): SourceRecord => {
  const document = at(root, 'BookDocument') ?? root;
  const book = at(document, 'Book');
  const ids = at(document, 'ArticleIdList');
  const abstract = abstractOf(at(document, 'Abstract'));
  const authors = childrenOf(document, 'AuthorList').find((list) => list.attributes.Type !== 'editors');
  const bookTitle = textOf(at(book, 'BookTitle'));
  return {
    ...emptyRecord('pubmed'),
    pmid: pmidOf(textOf(at(document, 'PMID'))),
    doi: doiOf(articleId(ids, 'doi')) || doiOfArticle(undefined, book),
    pmcid: pmcidOf(articleId(ids, 'pmc')),
    title: textOf(at(document, 'ArticleTitle')) || bookTitle,
    abstract,
    authors: authorsOf(authors ?? at(book, 'AuthorList')),
    journal: bookTitle,
    year: yearOf(at(book, 'PubDate')) ?? yearOf(at(document, 'ContributionDate')) ?? yearOf(at(book, 'BeginningDate')),
    volume: textOf(at(book, 'Volume')),
    pages: pagesOf(document),
    language: languageOf(textOf(at(document, 'Language'))),
    publicationTypes: typesOf(document),
    keywords: keywordsOf(document),
    fundingText: fundingOf(at(document, 'GrantList'), document),
    nctId: trialOf(undefined, abstract),
  };
};
