/** Reads one label in Structured Product Labeling (HL7 SPL), as DailyMed publishes it. */
import { allBelow, at, childrenOf, parseElement, type XmlElement } from '#core/import/xml-tree.ts';
import {
  type DrugLabel,
  dayOf,
  type LabelProduct,
  type LabelSection,
  SECTIONS,
  SET_ID,
  UnusableLabel,
} from './label.ts';

/** More is no honest label. */
const LONGEST_LABEL = 32 * 1024 * 1024;
/** Pictures and what they show. */
const SKIPPED = new Set(['observationMedia', 'renderMultiMedia', 'author', 'legalAuthenticator']);

const SECTION_NAMES = new Map(SECTIONS.map(([name, loinc]) => [loinc, name]));

const attribute = (element: XmlElement | undefined, name: string): string => (element?.attributes[name] ?? '').trim();

/** The text below an element with a blank between elements: words of two paragraphs never grow together. Tables are rows. */
const textBelow = (element: XmlElement | undefined): string =>
  (element?.children ?? [])
    .map((child) => {
      if (typeof child === 'string') return child;
      if (child.name === 'table') return ' ';
      return child.name === 'sub' || child.name === 'sup' || child.name === 'content'
        ? textBelow(child)
        : ` ${textBelow(child)} `;
    })
    .join('');

const plainText = (element: XmlElement | undefined): string => textBelow(element).replace(/\s+/g, ' ').trim();

const rowsBelow = (section: XmlElement): string[] =>
  allBelow(section, 'tr').flatMap((row) => {
    const cells = row.children.flatMap((cell) =>
      typeof cell !== 'string' && (cell.name === 'td' || cell.name === 'th') ? plainText(cell) : [],
    );
    const text = cells.filter(Boolean).join(' | ');
    return text ? [text] : [];
  });

const codeOf = (section: XmlElement): string => attribute(at(section, 'code'), 'code');

/** Its own title and text, and those of the sections within it: a warning may stand at any depth. */
const sectionText = (section: XmlElement): string =>
  [
    plainText(at(section, 'title')),
    plainText(at(section, 'text')),
    ...childrenOf(section, 'component').flatMap((component) => childrenOf(component, 'section').map(sectionText)),
  ]
    .filter(Boolean)
    .join(' ');

const sectionsOf = (document: XmlElement): LabelSection[] => {
  const found = new Map<string, { text: string; rows: string[] }>();
  for (const section of allBelow(document, 'section')) {
    const name = SECTION_NAMES.get(codeOf(section));
    if (!name) continue;
    const one = found.get(name) ?? { text: '', rows: [] };
    one.text = [one.text, sectionText(section)].filter(Boolean).join(' ');
    one.rows.push(...rowsBelow(section));
    found.set(name, one);
  }
  return SECTIONS.flatMap(([name]) => {
    const one = found.get(name);
    return one && (one.text || one.rows.length) ? [{ name, ...one }] : [];
  });
};

/** Active ingredients have class codes that begin with ACT (ACTIB, ACTIM, ACTIR); inactive ones are IACT. */
const substancesOf = (ingredients: readonly XmlElement[]): string[] =>
  ingredients.flatMap((ingredient) => {
    if (!attribute(ingredient, 'classCode').startsWith('ACT')) return [];
    const name = plainText(at(ingredient, 'ingredientSubstance', 'name'));
    return name ? [name] : [];
  });

const genericOf = (product: XmlElement): string =>
  plainText(at(product, 'asEntityWithGeneric', 'genericMedicine', 'name'));

/** The products below an element. A kit is one product with the ingredients of all its parts. */
const productsBelow = (element: XmlElement): LabelProduct[] =>
  element.children.flatMap((child): LabelProduct[] => {
    if (typeof child === 'string') return [];
    if (childrenOf(child, 'part').length)
      return [{ generic: '', substances: substancesOf(allBelow(child, 'ingredient')) }];
    const own = { generic: genericOf(child), substances: substancesOf(childrenOf(child, 'ingredient')) };
    return [...(own.generic || own.substances.length ? [own] : []), ...productsBelow(child)];
  });

const unique = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))];

/** @throws UnusableLabel for what is no label; an error of the parser for what is no XML. */
export const parseSplLabel = (xml: string): DrugLabel => {
  if (xml.length > LONGEST_LABEL) throw new UnusableLabel('is longer than 32 million characters');
  const document = parseElement(xml, SKIPPED);
  const setId = attribute(at(document, 'setId'), 'root').toLowerCase();
  if (document.name !== 'document' || !SET_ID.test(setId)) throw new UnusableLabel('is no drug label: it has no setId');
  const subjects = allBelow(document, 'subject');
  return {
    setId,
    version: Number(attribute(at(document, 'versionNumber'), 'value')) || 0,
    effective: dayOf(attribute(at(document, 'effectiveTime'), 'value')),
    productType: attribute(at(document, 'code'), 'displayName')
      .toUpperCase()
      .replace(/ LABEL.*$/, ''),
    products: subjects.flatMap(productsBelow),
    elements: '',
    brands: unique(
      subjects.map((subject) => plainText(at(subject, 'manufacturedProduct', 'manufacturedProduct', 'name'))),
    ),
    routes: unique(allBelow(document, 'routeCode').map((route) => attribute(route, 'displayName'))),
    classes: [],
    sections: sectionsOf(document),
  };
};

export { LONGEST_LABEL };
