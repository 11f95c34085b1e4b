import { allBelow, at, type XmlElement } from '#core/import/xml-tree.ts';
import { cleanList } from './clean-text.ts';
import { proseOf } from './jats-text.ts';

/** Maps the types that a JATS article states to PubMed's publication types. */

const byArticleType: Readonly<Record<string, string>> = {
  'research-article': 'Journal Article',
  'brief-report': 'Journal Article',
  'rapid-communication': 'Journal Article',
  'data-paper': 'Journal Article',
  'methods-article': 'Journal Article',
  'review-article': 'Review',
  'systematic-review': 'Systematic Review',
  'meta-analysis': 'Meta-Analysis',
  'clinical-trial': 'Clinical Trial',
  protocol: 'Clinical Trial Protocol',
  'case-report': 'Case Reports',
  'case-study': 'Case Reports',
  editorial: 'Editorial',
  letter: 'Letter',
  reply: 'Letter',
  'article-commentary': 'Comment',
  discussion: 'Comment',
  news: 'News',
  abstract: 'Meeting Abstract',
  'meeting-report': 'Congress',
  correction: 'Published Erratum',
  addendum: 'Published Erratum',
  retraction: 'Retraction Notice',
  'partial-retraction': 'Retraction Notice',
  'expression-of-concern': 'Expression of Concern',
  'retracted-article': 'Retracted Publication',
  'practice-guideline': 'Practice Guideline',
  guideline: 'Guideline',
  preprint: 'Preprint',
};

const bySubject: readonly (readonly [RegExp, string])[] = [
  [/systematic (?:literature )?reviews?/i, 'Systematic Review'],
  [/meta-?\s?analys[ie]s/i, 'Meta-Analysis'],
  [/^(?:a )?randomi[sz]ed (?:controlled |clinical )?(?:clinical )?trials?$/i, 'Randomized Controlled Trial'],
  [/^(?:phase .{1,4} )?clinical trials?$/i, 'Clinical Trial'],
  [/^(?:study )?protocols?$|^clinical trial protocol$/i, 'Clinical Trial Protocol'],
  [/^case (?:reports?|series|study|studies)$/i, 'Case Reports'],
  [/^(?:mini[- ]?|narrative |invited )?reviews?(?: articles?)?$/i, 'Review'],
  [/^(?:clinical )?(?:practice )?guidelines?$/i, 'Practice Guideline'],
  [/^letters?(?: to the editor)?$|^correspondence$/i, 'Letter'],
  [/^editorials?$/i, 'Editorial'],
  [/^(?:erratum|errata|corrections?|corrigendum)$/i, 'Published Erratum'],
  [/^retraction(?: note| notice)?$/i, 'Retraction Notice'],
  [/(?:poster|oral) presentation|(?:conference|meeting) abstracts?/i, 'Meeting Abstract'],
];

const subjects = (article: XmlElement): string[] =>
  allBelow(at(article, 'front', 'article-meta', 'article-categories'), 'subject').map(proseOf);

/**
 * Returns the publication types from `article-type`, the journal's headings and the title; an unknown article type is returned in
 * its own words.
 */
export const publicationTypesOf = (article: XmlElement, title: string): string[] => {
  const type = (article.attributes['article-type'] ?? '').toLowerCase();
  const fromType = byArticleType[type] ?? (type === 'other' ? '' : type.replaceAll('-', ' '));
  const fromSubjects = subjects(article).flatMap((subject) =>
    bySubject.filter(([pattern]) => pattern.test(subject)).map(([, name]) => name),
  );
  const protocol = /\b(?:study|trial) protocol\b|protocol (?:for|of) a\b/i.test(title)
    ? ['Clinical Trial Protocol']
    : [];
  return cleanList([fromType, ...fromSubjects, ...protocol]);
};
