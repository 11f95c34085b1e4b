import { allBelow, at, childrenOf, type XmlElement } from '#core/import/xml-tree.ts';
import { asSentence, cleanList } from './clean-text.ts';
import { proseOf, withoutTitle } from './jats-text.ts';

const paysType = /financial|supported-by|fund/i;
const interestType = /conflict|coi|compet|disclos|interest/i;
const paysTitle =
  /^\W*(?:\d+\.?\s*)?(?:source[s]? of )?(?:fund|financ|grant|sponsor|(?:financial )?support|role of the (?:funding|sponsor))/i;
const interestTitle =
  /\b(?:compet\w+|conflicts?|declarations?|disclosures?)\b.*\binterests?\b|^\W*(?:conflicts?|disclosures?)\b/i;
const paysSentence =
  /\b(?:fund(?:ed|ing|s)?|support(?:ed)? (?:by|from|of)|supported|grants?|sponsor\w*|financ\w*|fellowship|donated)\b/i;

// A full stop after capitals, an initial or a single digit does not end a sentence ("R01 DK. 5", "J. Smith").
const sentencesOf = (text: string): string[] => text.split(/(?<=[a-z0-9)\]]{2}[.!?])\s+(?=[A-Z])/);

const kindOf = (element: XmlElement): 'funding' | 'interests' | '' => {
  const type =
    element.attributes['fn-type'] ?? element.attributes['notes-type'] ?? element.attributes['sec-type'] ?? '';
  const title =
    proseOf(at(element, 'title')) || proseOf(at(element, 'p', 'bold')) || proseOf(at(element, 'p')).slice(0, 60);
  if (interestType.test(type) || interestTitle.test(title)) return 'interests';
  return paysType.test(type) || paysTitle.test(title) ? 'funding' : '';
};

const heading =
  /^\W*(?:(?:sources? of )?(?:funding(?:\/support)?|financial (?:support|disclosure)|grant support|support)|(?:declaration of |statement of )?(?:potential )?(?:conflicts?|competing|financial)(?: of)? interests?(?: statement)?)s?\b\s*([:.]?)\s*/i;

/** Removes the heading of a statement, which is often bold text at its start, with or without a colon. */
const withoutHeading = (text: string): string => {
  const found = heading.exec(text);
  const rest = text.slice(found?.[0].length ?? 0);
  return found !== null && (found[1] !== '' || /^\p{Lu}/u.test(rest)) ? rest : text;
};

/** Returns the statements without those that a longer statement contains. */
const distinct = (texts: readonly string[]): string[] => {
  const list = cleanList(texts);
  return list.filter((text) => !list.some((other) => other.length > text.length && other.includes(text)));
};

const thanksOf = (ack: XmlElement): string[] => {
  const parts = ack.children.filter((child) => typeof child !== 'string' && kindOf(child) === '') as XmlElement[];
  const sentences = parts.filter((part) => part.name !== 'title').flatMap((part) => sentencesOf(withoutTitle(part)));
  return sentences.filter((sentence) => paysSentence.test(sentence));
};

const awards = (group: XmlElement | undefined): string[] => [
  ...allBelow(group, 'funding-source').map((source) =>
    proseOf(at(source, 'institution-wrap', 'institution') ?? source),
  ),
  ...allBelow(group, 'contract-sponsor').map(proseOf),
];

/**
 * Returns the funders and the authors' declarations: from the funding group, footnotes, notes and sections, and from the
 * acknowledgements that mention money.
 */
export const fundingTextOf = (article: XmlElement): string => {
  const meta = at(article, 'front', 'article-meta');
  const back = at(article, 'back');
  const statements = { funding: [] as string[], interests: [] as string[] };
  const sections = [at(article, 'body'), back].flatMap((part) => allBelow(part, 'sec'));
  const notes = [meta, back].flatMap((part) => [...allBelow(part, 'fn'), ...allBelow(part, 'notes')]);
  for (const element of [...notes, ...sections]) {
    const kind = kindOf(element);
    if (kind !== '' && childrenOf(element, 'sec').length < 2)
      statements[kind].push(withoutHeading(withoutTitle(element)));
  }
  const group = at(meta, 'funding-group');
  const thanks = allBelow(back, 'ack').flatMap(thanksOf);
  const funding = distinct([
    ...allBelow(group, 'funding-statement').map((one) => withoutHeading(proseOf(one))),
    ...statements.funding,
    ...thanks,
  ]);
  const sources = cleanList([...awards(group), ...childrenOf(meta, 'contract-sponsor').map(proseOf)]);
  const interests = distinct(statements.interests);
  return [
    funding.length === 0 ? '' : `Funding: ${funding.map(asSentence).join(' ')}`,
    sources.length === 0 ? '' : `Grants: ${asSentence(sources.join('; '))}`,
    interests.length === 0 ? '' : `Competing interests: ${interests.map(asSentence).join(' ')}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};
