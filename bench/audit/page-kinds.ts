/**
 * Lists example addresses of every kind of page, on the starter content with `STARTER_PRODUCTS=core`; the audits of the suite and
 * Lighthouse check them. A test verifies that every public page of every plugin has one. The first of a kind is the usual case;
 * the others are cases that tend to break: much or little content, long names, retracted sources, no results.
 */

export const pageKinds: Readonly<Record<string, readonly string[]>> = {
  'pages.home': ['/'],
  'pages.methodology': ['/methodology'],
  'pages.benchmark': ['/benchmark'],
  'pages.disclaimer': ['/disclaimer'],
  'pages.about': ['/about'],
  'pages.editorial-policy': ['/editorial-policy'],
  'pages.privacy': ['/privacy'],
  'pages.cookies': ['/cookies'],
  'pages.terms': ['/terms'],
  'pages.accessibility': ['/accessibility'],
  'pages.sources-and-licenses': ['/sources-and-licenses'],
  'pages.contact': ['/contact'],
  'pages.documents': ['/page'],
  'pages.document': ['/page/glossary', '/page/decisions/0012-qdrant-backend'],
  'pages.changes': ['/changes'],
  'pages.retailer': ['/retailer'],
  'articles.list': ['/articles'],
  'articles.article': ['/articles/magnesium-for-sleep-and-cramps', '/articles/how-we-handle-retractions'],
  'catalog.supplements': ['/supplements', '/supplements?category=mineral', '/supplements?category=nosuch'],
  'catalog.supplement': [
    '/supplements/magnesium',
    '/supplements/probiotics',
    '/supplements/blue-cohosh',
    '/supplements/branched-chain-amino-acids',
    '/supplements/5-htp',
  ],
  'catalog.supplement-v2': ['/v2/supplements/magnesium'],
  'catalog.best': ['/supplements/magnesium/best', '/supplements/rue/best'],
  'catalog.conditions': ['/conditions'],
  'catalog.condition': ['/conditions/insomnia', '/conditions/gout', '/conditions/sarcopenia'],
  'biomarkers.list': ['/biomarkers', '/biomarkers?category=lipids', '/biomarkers?category=nosuch'],
  'biomarkers.biomarker': [
    '/biomarkers/ferritin',
    '/biomarkers/hba1c-ifcc',
    '/biomarkers/dhea-s',
    '/biomarkers/urine-protein',
  ],
  'labs.blood.form': ['/blood-test'],
  'labs.urine.form': ['/urine-test'],
  'labs.lab.form': ['/lab-test'],
  'wearables.landing': ['/wearables'],
  'wearables.phone_health.form': ['/wearables/phone-health'],
  'wearables.apple_health.form': ['/wearables/apple-health'],
  'evidence.vertical': [
    '/evidence/magnesium-sleep',
    '/evidence/collagen-pain',
    '/evidence/branched-chain-amino-acids-critical-illness',
  ],
  'evidence.search': [
    '/search/evidence?q=magnezium+cramps',
    '/search/evidence',
    '/search/evidence?q=sleep&min_quality_tier=B&species=human',
    '/search/evidence?q=xyzzyplughquux',
  ],
  'evidence.sources': ['/explore/sources', '/explore/sources?source_class=clinical_trial&year=2020'],
  'interactions.interactions': [
    '/interactions',
    '/interactions?supplement=ginko&drug=coumadin',
    '/interactions?supplement=magnesium&drug=xyzzyplughquux',
  ],
  'interactions.interaction': [
    '/interactions/st-johns-wort-warfarin',
    '/interactions/vitamin-a',
    '/interactions/cyamemazine',
    '/interactions/citalopram',
    '/interactions/oral-contraceptives',
  ],
  'products.supplement': ['/supplements/magnesium/products', '/supplements/kava/products'],
  'products.brands': ['/brands'],
  'products.brand': ['/brands/now', '/brands/garden-of-life-dr-formulated-probiotics', '/brands/nze'],
  'products.search': ['/products', '/products?q=zinc', '/products?q=xyzzyplughquux'],
  'products.product': ['/product/209214', '/product/332333', '/product/333041'],
  'products.product-mockup': ['/v2/mockup/product/209214'],
  'explore.search': [
    '/search?q=ginkgo+and+warfrin',
    '/search',
    '/search?q=insomnia',
    '/search?q=ephedra&type_filter=interaction',
    '/search?q=xyzzyplughquux',
  ],
  'explore.search-mockup': ['/v2/mockup/search?q=insomnia', '/v2/mockup/search'],
  'explore.graph': ['/graph', '/graph?around=supplement:magnesium'],
  'answers.chat': ['/chat', '/chat?about=magnesium&seed=Does%20it%20help%3F'],
  'answers.chat-mockup': ['/v2/mockup/chat'],
  'developers.overview': ['/developers'],
  'developers.docs': ['/developers/docs'],
  'developers.reference': ['/developers/reference'],
  'developers.reference-tag': ['/developers/reference/evidence', '/developers/reference/labs'],
  'developers.errors': ['/developers/errors'],
  'developers.changelog': ['/developers/changelog'],
  'developers.health-ai': ['/developers/health-ai'],
  'developers.labs': ['/developers/labs'],
  'developers.supplement-retail': ['/developers/supplement-retail'],
  'developers.sandbox': ['/developers/sandbox'],
  'developers.playground': ['/developers/playground', '/developers/playground?operation=interactions.check-stack'],
  'snapshots.list': ['/snapshots'],
  'feedback.form': ['/feedback?page=/supplements/magnesium'],
};

/** Pages that redirect; the responses to their examples are redirects. */
export const redirectKinds: Readonly<Record<string, readonly string[]>> = {
  'interactions.pair': ['/interactions/warfarin/ginkgo'],
  'explore.entities': ['/explore/entities?entity_type=condition', '/explore/entities'],
};

/** Addresses that return an error page, with its status. */
export const errorPages: readonly { readonly path: string; readonly status: number }[] = [
  { path: '/nowhere', status: 404 },
  { path: '/supplements/magnesum', status: 404 },
  { path: '/product/abc', status: 422 },
];

export const allExamples: readonly string[] = Object.values(pageKinds).flat();
