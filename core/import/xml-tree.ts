/** Parses XML elements into trees and queries them. */
import { SaxesParser } from 'saxes';

/** An element with its children in order; names of elements and attributes carry no namespace prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

const deepest = 200;

// An undefined entity or an impossible character reference damages one character, not the record. Entities of a DTD are never
// defined here, so nothing is expanded and nothing external is fetched.
const isHarmless = (message: string): boolean =>
  /undefined entity|malformed character entity|entity name/.test(message);

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const localAttributes = (attributes: Readonly<Record<string, string>>): Record<string, string> => {
  const local: Record<string, string> = Object.create(null);
  for (const name in attributes) local[localName(name)] = attributes[name] ?? '';
  return local;
};

// Characters that XML forbids but files contain nevertheless.
const forbidden = /[\ufffe\uffff]|(?![\t-\r])\p{Cc}/gu;

/** Parses one element and skips the elements named in `skip` with their content. Throws when the XML is not well-formed. */
export const parseElement = (xml: string, skip: ReadonlySet<string>): XmlElement => {
  const root: OpenElement = { name: '', attributes: {}, children: [] };
  const open: OpenElement[] = [root];
  let skipping = 0;
  const parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    if (!isHarmless(error.message)) throw error;
  });
  parser.on('opentag', (tag) => {
    const name = localName(tag.name);
    if (skipping > 0 || skip.has(name)) {
      skipping += 1;
      return;
    }
    if (open.length > deepest) throw new Error(`elements are nested more than ${deepest} deep`);
    const element: OpenElement = {
      name,
      attributes: localAttributes(tag.attributes as Record<string, string>),
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    if (skipping > 0) skipping -= 1;
    else open.pop();
  });
  const addText = (text: string): void => {
    if (skipping === 0) open.at(-1)?.children.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(xml.replace(forbidden, '')).close();
  const element = root.children.find((child) => typeof child !== 'string');
  if (element === undefined) throw new Error('it holds no element');
  return element;
};

/** Returns the direct children with a name. */
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  (element?.children.filter((child) => typeof child !== 'string' && child.name === name) ?? []) as XmlElement[];

/** Returns the first element at the end of a path of names. */
export const at = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined => {
  let found = element;
  for (const name of path) {
    found = found?.children.find((child): child is XmlElement => typeof child !== 'string' && child.name === name);
  }
  return found;
};

/** Returns all descendants with a name, in document order. */
export const allBelow = (element: XmlElement | undefined, name: string): XmlElement[] => {
  const found: XmlElement[] = [];
  const look = (parent: XmlElement): void => {
    for (const child of parent.children) {
      if (typeof child === 'string') continue;
      if (child.name === name) found.push(child);
      look(child);
    }
  };
  if (element) look(element);
  return found;
};

const blocks = new Set([
  'p',
  'title',
  'sec',
  'list',
  'list-item',
  'label',
  'td',
  'th',
  'tr',
  'break',
  'br',
  'disp-quote',
  'def',
]);

const isDigit = (character: string): boolean => character >= '0' && character <= '9' && character.length === 1;
/** Maximum length of an exponent, in characters. */
const longestExponent = 20;
const isExponent = (text: string): boolean => text.length <= longestExponent && /^\s*[−–-]?\d+\s*$/.test(text);

interface Gathered {
  readonly text: string;
  /**
   * The last character. Reading it from the text would flatten and copy the accumulated string again for each element and level.
   */
  readonly last: string;
}

const gather = (element: XmlElement, drop: ((element: XmlElement) => boolean) | undefined): Gathered => {
  let [text, last] = ['', ''];
  for (const child of element.children) {
    let piece = { text: '', last: '' };
    if (typeof child === 'string') piece = { text: child, last: child.at(-1) ?? '' };
    else if (drop?.(child) !== true) {
      piece = gather(child, drop);
      if (blocks.has(child.name)) piece = { text: ` ${piece.text} `, last: ' ' };
      // Without the caret, 10<sup>6</sup> would become 106.
      else if (child.name === 'sup' && isDigit(last) && isExponent(piece.text))
        piece = { text: `^${piece.text.trim()}`, last: piece.text.trim().at(-1) ?? '' };
    }
    text += piece.text;
    last = piece.last || last;
  }
  return { text, last };
};

/** Returns the raw text of an element, without normalization; elements for which `drop` returns true are left out. */
export const rawText = (element: XmlElement | undefined, drop?: (element: XmlElement) => boolean): string =>
  element ? gather(element, drop).text : '';
