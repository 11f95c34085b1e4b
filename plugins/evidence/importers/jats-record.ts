import { allBelow, at, childrenOf, rawText, type XmlElement } from '#core/import/xml-tree.ts';
import { emptyRecord, type RetractionStatus, type SourceRecord } from '../source-record.ts';
import { authorFromField, authorOf } from './authors.ts';
import { cleanList, titleSaysRetracted } from './clean-text.ts';
import { doiOf, firstNctId, languageOf, pmcidOf, pmcUrl, pmidOf, yearIn } from './identifiers.ts';
import { fundingTextOf } from './jats-funding.ts';
import { abstractOf, bodyTextOf, proseOf } from './jats-text.ts';
import { publicationTypesOf } from './jats-types.ts';
import { licenseOf } from './license.ts';
import { gravest } from './pubmed-fields.ts';

const idOf = (meta: XmlElement | undefined, ...types: readonly string[]): string =>
  rawText(childrenOf(meta, 'article-id').find((id) => types.includes(id.attributes['pub-id-type'] ?? '')));

const titleOf = (meta: XmlElement | undefined): string => {
  const group = at(meta, 'title-group');
  const title = proseOf(at(group, 'article-title'));
  const subtitle = proseOf(at(group, 'subtitle'));
  return subtitle === '' ? title : `${title.replace(/[:.]$/, '')}: ${subtitle}`;
};

const nameOf = (contrib: XmlElement): string => {
  const names = at(contrib, 'name-alternatives') ?? contrib;
  const name = childrenOf(names, 'name').find((one) => one.attributes['name-style'] !== 'eastern') ?? at(names, 'name');
  const parts = name ?? at(names, 'string-name');
  const family = proseOf(at(parts, 'surname'));
  if (family !== '') return authorOf(family, proseOf(at(parts, 'given-names')));
  if (parts !== undefined) return authorFromField(proseOf(parts));
  const group = at(contrib, 'collab');
  // A group may list its members inside its name.
  return group === undefined
    ? ''
    : proseOf({
        ...group,
        children: group.children.filter(
          (child) => typeof child === 'string' || !/^(?:contrib-group|aff|xref)$/.test(child.name),
        ),
      });
};

const authorsOf = (meta: XmlElement | undefined): string[] =>
  cleanList(
    childrenOf(meta, 'contrib-group')
      .flatMap((group) => childrenOf(group, 'contrib'))
      .filter((contrib) => /^(?:author|collab)?$/.test(contrib.attributes['contrib-type'] ?? ''))
      .map(nameOf),
  );

/**
 * Returns the year in which an article first appeared. The dates of `pmc-release`, manuscript submission (nihms), retraction and
 * correction are ignored.
 */
const yearOf = (meta: XmlElement | undefined): number | null => {
  const years = childrenOf(meta, 'pub-date')
    .filter((date) => !/pmc-release|nihms|retraction|correct/.test(date.attributes['pub-type'] ?? ''))
    .map((date) => yearIn(rawText(at(date, 'year'))) ?? yearIn(date.attributes['iso-8601-date'] ?? ''))
    .filter((year) => year !== null);
  return years.length === 0 ? null : Math.min(...years);
};

const pagesOf = (meta: XmlElement | undefined): string => {
  const [first, last] = [proseOf(at(meta, 'fpage')), proseOf(at(meta, 'lpage'))];
  const range = last === '' || last === first ? first : `${first}-${last}`;
  return range || proseOf(at(meta, 'elocation-id')) || proseOf(at(meta, 'page-range'));
};

const licenseOfArticle = (meta: XmlElement | undefined): string => {
  const permissions = at(meta, 'permissions') ?? meta;
  const license = at(permissions, 'license');
  const texts = [license, at(permissions, 'copyright-statement'), at(meta, 'copyright-statement')].map((one) =>
    rawText(one),
  );
  const addresses = [license, ...allBelow(license, 'ext-link'), ...allBelow(license, 'license')].map(
    (one) => one?.attributes.href ?? one?.attributes.resource ?? '',
  );
  const references = [...allBelow(permissions, 'license_ref')].map((one) => rawText(one));
  return licenseOf([...addresses, ...references], license?.attributes['license-type'] ?? '', texts.join(' '));
};

const keywordsOf = (meta: XmlElement | undefined): string[] =>
  cleanList(
    childrenOf(meta, 'kwd-group')
      .filter((group) => !/abbreviation/.test(group.attributes['kwd-group-type'] ?? ''))
      .flatMap((group) => [...allBelow(group, 'kwd'), ...allBelow(group, 'compound-kwd')].map(proseOf)),
  );

const statusByLink: readonly (readonly [RegExp, RetractionStatus])[] = [
  [/^(?:retraction-forward|retracted-forward|partial-retraction-forward)$/, 'retracted'],
  [/concern-forward$/, 'concern'],
  [/^(?:correction-forward|corrected-forward|addendum-forward)$/, 'corrected'],
];

const statusOf = (article: XmlElement, title: string): RetractionStatus => {
  const links = childrenOf(at(article, 'front', 'article-meta'), 'related-article');
  const linked = links.map(
    (link) => statusByLink.find(([type]) => type.test(link.attributes['related-article-type'] ?? ''))?.[1] ?? 'none',
  );
  const marked = titleSaysRetracted(title) || article.attributes['article-type'] === 'retracted-article';
  return gravest([...linked, marked ? 'retracted' : 'none']);
};

// The methods of a review name the trials of other authors.
const trialOf = (meta: XmlElement | undefined, abstract: string, body: string, types: readonly string[]): string => {
  const registered = allBelow(meta, 'related-object').map((object) => object.attributes['document-id'] ?? '');
  const front = firstNctId([...registered, abstract, rawText(at(meta, 'trial-registration'))].join(' '));
  return front !== '' || types.some((type) => /review|meta-analysis/i.test(type)) ? front : firstNctId(body);
};

/** Maps one JATS or NLM article. */
export const articleRecord = (article: XmlElement): SourceRecord => {
  const front = at(article, 'front');
  const meta = at(front, 'article-meta');
  const journal = at(front, 'journal-meta');
  const title = titleOf(meta);
  const abstract = abstractOf(meta);
  const bodyText = bodyTextOf(at(article, 'body'));
  const publicationTypes = publicationTypesOf(article, title);
  const pmcid = pmcidOf(idOf(meta, 'pmc', 'pmcid'));
  return {
    ...emptyRecord('jats'),
    pmid: pmidOf(idOf(meta, 'pmid')),
    doi: doiOf(idOf(meta, 'doi')),
    pmcid,
    nctId: trialOf(meta, abstract, bodyText, publicationTypes),
    title,
    abstract,
    authors: authorsOf(meta),
    journal: proseOf(
      at(journal, 'journal-title-group', 'journal-title') ?? at(journal, 'journal-title') ?? at(journal, 'journal-id'),
    ),
    year: yearOf(meta),
    volume: proseOf(at(meta, 'volume')),
    issue: proseOf(at(meta, 'issue')),
    pages: pagesOf(meta),
    language: languageOf(article.attributes.lang ?? ''),
    publicationTypes,
    keywords: keywordsOf(meta),
    bodyText,
    fundingText: fundingTextOf(article),
    license: licenseOfArticle(meta),
    openAccessUrl: pmcUrl(pmcid),
    retractionStatus: statusOf(article, title),
  };
};
