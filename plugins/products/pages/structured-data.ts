/** JSON-LD of products and lists; no rating is ever made of tiers. */
import { breadcrumbs, type LinkView } from '#plugins/evidence/index.ts';
import type { LoadedCard } from '../catalogue.ts';
import { hidesAmounts } from './label-view.ts';
import { withUnit } from './words.ts';

export const productData = ({ card, row, lines }: LoadedCard, baseUrl: string): object => ({
  '@context': 'https://schema.org',
  '@type': ['Product', 'DietarySupplement'],
  '@id': `${baseUrl}/product/${row.dsldId}`,
  url: `${baseUrl}/product/${row.dsldId}`,
  name: row.name,
  ...(row.brand && { brand: { '@type': 'Brand', name: row.brand } }),
  ...(row.upc && { gtin: row.upc }),
  identifier: { '@type': 'PropertyValue', propertyID: 'DSLD', value: String(row.dsldId) },
  ...(row.form && { additionalProperty: { '@type': 'PropertyValue', name: 'Form', value: row.form } }),
  ...(lines.length && {
    activeIngredient: lines
      .slice(0, 20)
      .map(({ facts, stated }) =>
        stated?.source === 'label' ? `${facts.name} ${withUnit(stated.amount, stated.unit)}` : facts.name,
      ),
  }),
  ...(hidesAmounts(row.ingredients) && { isProprietary: true }),
  isBasedOn: card.source_url,
});

interface ListParts {
  readonly baseUrl: string;
  readonly name: string;
  readonly path: string;
  readonly crumbs: readonly LinkView[];
  readonly items: readonly LinkView[];
}

/** A page that lists others. */
export const listData = ({ baseUrl, name, path, crumbs, items }: ListParts): object[] => [
  {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name,
    url: `${baseUrl}${path}`,
    inLanguage: 'en',
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: items.length,
      itemListElement: items.map((item, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: item.name,
        url: `${baseUrl}${item.href}`,
      })),
    },
  },
  breadcrumbs(baseUrl, crumbs),
];
