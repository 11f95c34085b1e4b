import { at, childrenOf, rawText, type XmlElement } from '#core/import/xml-tree.ts';
import { cleanText, cutText, trimEnd } from './clean-text.ts';

/** Elements whose text is not prose: tables, figures, formulas and material outside the article. */
export const notProse: ReadonlySet<string> = new Set([
  'ref-list', 'table-wrap', 'table-wrap-group', 'table', 'fig', 'fig-group', 'disp-formula', 'tex-math', 'floats-group',
  'floats-wrap', 'supplementary-material', 'media', 'graphic', 'inline-graphic', 'object-id', 'sub-article', 'response',
]); // biome-ignore format: a list

// Reference marks would merge with numbers: "120 patients<sup>12</sup>".
const isMark = (element: XmlElement): boolean => {
  if (element.name === 'xref')
    return /^(?:bibr|fn|table-fn|aff|corresp)$/.test(element.attributes['ref-type'] ?? 'bibr');
  if (element.name !== 'sup') return element.name === 'fn' || element.name === 'label';
  const left = rawText(element, isMark);
  return left !== rawText(element) && /^[\s,;–—-]*$/.test(left);
};

/** Returns the prose of an element without footnotes, labels and reference marks. */
export const proseOf = (element: XmlElement | undefined): string =>
  cleanText(rawText(element, isMark))
    .replace(/\s?[[(][\s,;–—-]*[\])]/g, '')
    .replace(/ {1,9}([.,;])(?= |$)/g, '$1');

/** Returns the prose of a section without its own heading; headings of inner sections are included. */
export const withoutTitle = (section: XmlElement): string =>
  proseOf({
    ...section,
    children: section.children.filter((child) => typeof child === 'string' || child.name !== 'title'),
  });

const labelOf = (section: XmlElement): string => trimEnd(proseOf(at(section, 'title')), ' :.').toUpperCase();

const secondary =
  /^(?:toc|teaser|graphical|editor|editors-summary|executive-summary|author-highlights|highlights|short|precis|plain-language-summary|video|web-summary|translated|key-points)$/;

/**
 * Returns the article's own abstract in one line, each section as "METHODS: …". Summaries for other readers are used only when
 * there is no other abstract.
 */
export const abstractOf = (meta: XmlElement | undefined): string => {
  const all = childrenOf(meta, 'abstract').filter((abstract) => abstract.attributes['abstract-type'] !== 'graphical');
  const abstract = all.find((one) => !secondary.test(one.attributes['abstract-type'] ?? '')) ?? all[0];
  if (abstract === undefined) return '';
  const parts = abstract.children.flatMap((child) => {
    if (typeof child === 'string' || child.name === 'title') return [];
    const label = child.name === 'sec' ? labelOf(child) : '';
    const text = child.name === 'sec' ? withoutTitle(child) : proseOf(child);
    return text === '' ? [] : [label === '' || /^abstract$/i.test(label) ? text : `${label}: ${text}`];
  });
  return parts.join(' ');
};

const longestBody = 60_000;

const isWanted = (section: XmlElement): boolean => {
  const type = (section.attributes['sec-type'] ?? '').toLowerCase();
  const title = proseOf(at(section, 'title')).replace(/^[\divxIVX. ]+\s/, '');
  if (/method|material|subjects|result|patients/.test(type)) return !/supplementary/.test(type);
  if (/discussion|conclusion|intro|background/i.test(type + title.slice(0, 20))) return false;
  return /\b(?:methods?|methodology|materials?|patients|participants|subjects|procedures?|study design|design|experimental|trial|statistic\w*|results?|findings|outcomes?)\b/i.test(
    title,
  );
};

/**
 * Returns the methods and results as prose for grading, cut to 60,000 characters; an article without sections yields its whole
 * text.
 */
export const bodyTextOf = (body: XmlElement | undefined): string => {
  const sections = childrenOf(body, 'sec');
  const parts = sections.length === 0 ? childrenOf(body, 'p') : sections.filter(isWanted);
  return cutText(parts.map(proseOf).join(' '), longestBody);
};
