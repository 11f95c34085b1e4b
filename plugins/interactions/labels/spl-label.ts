/** Parses one label in Structured Product Labeling (HL7 SPL), as DailyMed publishes it. */
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

/** Maximum length of a label in characters; no genuine label is longer. */
const LONGEST_LABEL = 32 * 1024 * 1024;
/** Elements without label text: images and their descriptions, the author and the signature. */
const SKIPPED = new Set(['observationMedia', 'renderMultiMedia', 'author', 'legalAuthenticator']);

const SECTION_NAMES = new Map(SECTIONS.map(([name, loinc]) => [loinc, name]));

const attribute = (element: XmlElement | undefined, name: string): string => (element?.attributes[name] ?? '').trim();

const INLINE = new Set(['sub', 'sup', 'content']);
/** Collected separately, wherever they occur. */
const ROWS = new Set(['table', 'tr']);

const gatherPieces = (element: XmlElement, pieces: string[]): void => {
  for (const child of element.children) {
    if (typeof child === 'string') pieces.push(child);
    else if (ROWS.has(child.name)) pieces.push(' ');
    else {
      const border = INLINE.has(child.name) ? '' : ' ';
      pieces.push(border);
      gatherPieces(child, pieces);
      pieces.push(border);
    }
  }
};

/**
 * Returns the text below an element, with a space between elements so that words of two paragraphs stay apart. Tables are
 * collected as rows.
 */
const plainText = (element: XmlElement | undefined): string => {
  const pieces: string[] = [];
  if (element) gatherPieces(element, pieces);
  return pieces.join('').replace(/\s+/g, ' ').trim();
};

const rowsBelow = (section: XmlElement): string[] =>
  allBelow(section, 'tr').flatMap((row) => {
    const cells = row.children.flatMap((cell) =>
      typeof cell !== 'string' && (cell.name === 'td' || cell.name === 'th') ? plainText(cell) : [],
    );
    const text = cells.filter(Boolean).join(' | ');
    return text ? [text] : [];
  });

const codeOf = (section: XmlElement): string => attribute(at(section, 'code'), 'code');

/** Collects the title and text of a section and of the sections within it, because a warning may occur at any depth. */
const gatherText = (section: XmlElement, parts: string[]): void => {
  for (const name of ['title', 'text']) {
    const text = plainText(at(section, name));
    if (text) parts.push(text);
  }
  for (const component of childrenOf(section, 'component'))
    for (const inner of childrenOf(component, 'section')) gatherText(inner, parts);
};

interface Gathered {
  readonly parts: string[];
  readonly rows: string[];
}

/** Maximum number of nested sections of one name. SPL defines no such nesting, so no genuine label has more. */
const MOST_LEVELS = 3;

interface Outer {
  /** Names of the enclosing sections whose text already includes this one. */
  readonly within: ReadonlySet<string>;
  /** Number of enclosing sections of each name, whether or not their text includes this one. */
  readonly levels: ReadonlyMap<string, number>;
}

/**
 * Collects the sections of each name. A section whose text is already in that of an enclosing section is skipped, because it
 * would be repeated once per nesting level.
 */
const gatherSections = (parent: XmlElement, found: Map<string, Gathered>, outer: Outer): void => {
  for (const child of parent.children) {
    if (typeof child === 'string') continue;
    const isWithin =
      (parent.name === 'section' && child.name === 'component') ||
      (parent.name === 'component' && child.name === 'section');
    const around = isWithin ? outer : { ...outer, within: new Set<string>() };
    const name = child.name === 'section' ? SECTION_NAMES.get(codeOf(child)) : undefined;
    const level = (name && outer.levels.get(name)) || 0;
    if (name === undefined || around.within.has(name) || level >= MOST_LEVELS) {
      gatherSections(child, found, around);
      continue;
    }
    const one = found.get(name) ?? { parts: [], rows: [] };
    found.set(name, one);
    gatherText(child, one.parts);
    for (const row of rowsBelow(child)) one.rows.push(row);
    gatherSections(child, found, {
      within: new Set([...around.within, name]),
      levels: new Map([...outer.levels, [name, level + 1]]),
    });
  }
};

const sectionsOf = (document: XmlElement): LabelSection[] => {
  const found = new Map<string, Gathered>();
  gatherSections(document, found, { within: new Set(), levels: new Map() });
  return SECTIONS.flatMap(([name]) => {
    const one = found.get(name);
    return one && (one.parts.length || one.rows.length) ? [{ name, text: one.parts.join(' '), rows: one.rows }] : [];
  });
};

/** Returns the active ingredients. Their class codes begin with ACT (ACTIB, ACTIM, ACTIR); inactive ones are IACT. */
const substancesOf = (ingredients: readonly XmlElement[]): string[] =>
  ingredients.flatMap((ingredient) => {
    if (!attribute(ingredient, 'classCode').startsWith('ACT')) return [];
    const name = plainText(at(ingredient, 'ingredientSubstance', 'name'));
    return name ? [name] : [];
  });

const genericOf = (product: XmlElement): string =>
  plainText(at(product, 'asEntityWithGeneric', 'genericMedicine', 'name'));

/** Returns the products below an element. A kit is one product with the ingredients of all its parts. */
const productsBelow = (element: XmlElement): LabelProduct[] =>
  element.children.flatMap((child): LabelProduct[] => {
    if (typeof child === 'string') return [];
    if (childrenOf(child, 'part').length)
      return [{ generic: '', substances: substancesOf(allBelow(child, 'ingredient')) }];
    const own = { generic: genericOf(child), substances: substancesOf(childrenOf(child, 'ingredient')) };
    return [...(own.generic || own.substances.length ? [own] : []), ...productsBelow(child)];
  });

const unique = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))];

/**
 * Parses a label.
 * @throws UnusableLabel if it is not a label; an error of the parser if it is not XML.
 */
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
    productType: attribute(at(document, 'code'), 'displayName').toUpperCase().split(' LABEL', 1)[0] as string,
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
