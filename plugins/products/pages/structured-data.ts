/** Builds the JSON-LD of products and lists. Tiers are never converted to a rating. */
import type { DietarySupplement, WithContext } from 'schema-dts';
import { collectionPage } from '#core/render/structured-data.ts';
import { breadcrumbs, type LinkView } from '#plugins/evidence/index.ts';
import type { LoadedCard } from '../catalogue.ts';
import { hidesAmounts } from './label-view.ts';
import { withUnit } from './product-figures.ts';

type Supplement = Exclude<WithContext<DietarySupplement>, string>;

/**
 * Builds the data of a product. A dietary supplement is a product by definition, but search engines require the type to be
 * explicit.
 */
export const productData = (loaded: LoadedCard, baseUrl: string): object => ({
  ...supplementData(loaded, baseUrl),
  '@type': ['Product', 'DietarySupplement'],
});

const supplementData = ({ card, row, lines }: LoadedCard, baseUrl: string): Supplement => ({
  '@context': 'https://schema.org',
  '@type': 'DietarySupplement',
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
  // The original label, as published.
  sameAs: card.source_url,
});

interface ListParts {
  readonly baseUrl: string;
  readonly name: string;
  readonly path: string;
  readonly crumbs: readonly LinkView[];
  readonly items: readonly LinkView[];
}

/** Builds the data of a page that lists others. */
export const listData = ({ baseUrl, name, path, crumbs, items }: ListParts): readonly object[] => [
  collectionPage({ baseUrl, path, name }, items),
  breadcrumbs(baseUrl, crumbs),
];
