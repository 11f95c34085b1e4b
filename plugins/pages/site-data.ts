/** Builds the JSON-LD of the front page: the site with its search, and the base as a data set. */
import type { Dataset, SearchAction, WebSite, WithActionConstraints, WithContext } from 'schema-dts';
import type { Config } from '#core/config.ts';
import { siteReference } from '#core/render/structured-data.ts';

const NAME = 'Supplement Evidence Base';
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

interface Figures {
  readonly stats: { readonly total: number };
  /** Time of the last change, as RFC 3339; null in an empty base. */
  readonly changedAt: string | null;
}

const search = (baseUrl: string): WithActionConstraints<SearchAction> => ({
  '@type': 'SearchAction',
  target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search?q={search_term_string}` },
  'query-input': 'required name=search_term_string',
});

/** Returns the publisher, or null when the operator has not set OPERATOR_NAME. */
const publisherOf = (config: Config) => {
  const name = config.text('OPERATOR_NAME');
  return name ? { '@type': 'Organization' as const, name } : null;
};

export const siteData = (config: Config, { stats, changedAt }: Figures): readonly object[] => {
  const baseUrl = config.text('BASE_URL');
  const publisher = publisherOf(config);
  const site: WithContext<WebSite> = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    ...siteReference(baseUrl),
    name: NAME,
    url: `${baseUrl}/`,
    inLanguage: 'en',
    license: LICENSE,
    ...(publisher && { publisher }),
    potentialAction: search(baseUrl),
  };
  const base: WithContext<Dataset> = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${baseUrl}/#base`,
    name: NAME,
    description: `${stats.total.toLocaleString('en-GB')} sources on natural supplements, each graded by design, size, safeguards against bias and directness, with the questions they answer, doses as studied, safety and interactions with medicines.`,
    url: `${baseUrl}/`,
    license: LICENSE,
    isAccessibleForFree: true,
    inLanguage: 'en',
    measurementTechnique: `${baseUrl}/methodology`,
    keywords: ['dietary supplements', 'evidence grading', 'drug interactions', 'clinical trials'],
    ...(changedAt && { dateModified: changedAt }),
    ...(publisher && { creator: publisher }),
    distribution: [
      {
        '@type': 'DataDownload',
        name: 'Every page as text',
        contentUrl: `${baseUrl}/llms-full.txt`,
        encodingFormat: 'text/markdown',
      },
      {
        '@type': 'DataDownload',
        name: 'The API',
        contentUrl: `${baseUrl}/openapi.json`,
        encodingFormat: 'application/json',
      },
    ],
  };
  return [site, base];
};
