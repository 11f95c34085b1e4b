/** JSON-LD that pages of every kind share, in schema.org's words; the types are schema.org's too (schema-dts). */
import type { BreadcrumbList, CollectionPage, ItemList, WebPage, WithContext } from 'schema-dts';

const CONTEXT = 'https://schema.org';
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

/** A page by its name and its address on the site. */
export interface NamedPage {
  readonly name: string;
  readonly href: string;
}

/** The site as other objects refer to it; the front page says what it is. */
export const siteReference = (baseUrl: string): { readonly '@id': string } => ({ '@id': `${baseUrl}/#site` });

export interface PageFacts {
  readonly baseUrl: string;
  readonly path: string;
  readonly name: string;
  readonly description?: string;
  /** A date or RFC 3339; "" or null when unknown. */
  readonly changed?: string | null;
  /** Who reviewed it, as the operator says; "" when nobody did. */
  readonly reviewer?: string;
}

/** What every page says of itself. A review is stated only where somebody reviewed. */
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

/** A page that is none of the kinds with words of their own. */
export const webPage = (facts: PageFacts): WithContext<WebPage> => ({
  '@context': CONTEXT,
  '@type': 'WebPage',
  ...pageFacts(facts),
});

/** The way to a page; the last of the trail is the page itself. */
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

/** A page that lists others. */
export const collectionPage = (facts: PageFacts, items: readonly NamedPage[]): WithContext<CollectionPage> => ({
  '@context': CONTEXT,
  '@type': 'CollectionPage',
  ...pageFacts(facts),
  mainEntity: itemList(facts.baseUrl, items),
});
