/** Builds the JSON-LD that pages of every kind share, with the vocabulary and types of schema.org (schema-dts). */
import type { BreadcrumbList, CollectionPage, ItemList, WebPage, WithContext } from 'schema-dts';

const CONTEXT = 'https://schema.org';
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

/** A page with its name and its path on the site. */
export interface NamedPage {
  readonly name: string;
  readonly href: string;
}

/** Returns a reference to the site, which the front page describes. */
export const siteReference = (baseUrl: string): { readonly '@id': string } => ({ '@id': `${baseUrl}/#site` });

export interface PageFacts {
  readonly baseUrl: string;
  readonly path: string;
  readonly name: string;
  readonly description?: string;
  /** A date or RFC 3339 timestamp; "" or null when unknown. */
  readonly changed?: string | null;
  /** The reviewer that the operator named; "" when there is none. */
  readonly reviewer?: string;
}

/** Returns the properties that every page has. A review is stated only when there is a reviewer. */
export const pageFacts = ({ baseUrl, path, name, description, changed, reviewer }: PageFacts) => ({
  '@id': `${baseUrl}${path}`,
  url: `${baseUrl}${path}`,
  name,
  ...(description && { description }),
  inLanguage: 'en',
  isPartOf: siteReference(baseUrl),
  license: LICENSE,
  ...(changed && { dateModified: changed }),
  ...(changed &&
    reviewer && { lastReviewed: changed.slice(0, 10), reviewedBy: { '@type': 'Person' as const, name: reviewer } }),
});

/** Builds the data of a page without a more specific type. */
export const webPage = (facts: PageFacts): WithContext<WebPage> => ({
  '@context': CONTEXT,
  '@type': 'WebPage',
  ...pageFacts(facts),
});

/** Builds the breadcrumbs of a page; the last item is the page itself. */
export const breadcrumbs = (baseUrl: string, trail: readonly NamedPage[]): WithContext<BreadcrumbList> => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, href }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: `${baseUrl}${href}`,
  })),
});

const itemList = (baseUrl: string, items: readonly NamedPage[]): ItemList => ({
  '@type': 'ItemList',
  numberOfItems: items.length,
  itemListElement: items.map(({ name, href }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    url: `${baseUrl}${href}`,
  })),
});

/** Builds the data of a page that lists other pages. */
export const collectionPage = (facts: PageFacts, items: readonly NamedPage[]): WithContext<CollectionPage> => ({
  '@context': CONTEXT,
  '@type': 'CollectionPage',
  ...pageFacts(facts),
  mainEntity: itemList(facts.baseUrl, items),
});
