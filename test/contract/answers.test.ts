/** Checks that responses of GET endpoints match their schemas in /openapi.json. */
import { strict as assert } from 'node:assert';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { createAjv } from '#core/http/validate.ts';
import { api } from '../support/client.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: object }>> }>>;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Typical requests by path; several where the response has several forms. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  // These are requested without a device; other suites cover responses with device data.
  '/api/account/export': [''],
  '/api/blood-test/status': [''],
  '/api/urine-test/status': [''],
  '/api/blood-test/supplement-log': [''],
  '/api/urine-test/supplement-log': [''],
  '/api/blood-test/intervention-insights': [''],
  '/api/urine-test/intervention-insights': [''],
  '/wearables/status': [''],
  '/api/supplements': ['', '?q=magnezium&page_size=3', '?category=mineral', '?page=99'],
  '/api/supplements/{slug}': ['/magnesium', '/curcumin', '/zinc'],
  '/api/supplements/{slug}/safety': ['/magnesium/safety', '/iron/safety', '/blue-cohosh/safety'],
  '/api/conditions': ['', '?q=insomnia'],
  '/api/conditions/{slug}': ['/insomnia'],
  '/api/findings': ['', '?supplement=creatine&page_size=3', '?condition=depression&certainty=moderate&use=main'],
  '/api/findings/{finding_id}': ['/pmid%3A27589952%231a'],
  '/api/resolve': ['?name=turmeric', '?name=ephedra', '?name=xyzzyplugh', '?name=magnezium'],
  '/api/interactions/check': [
    '',
    '?supplement=ginkgo&drug=Coumadin',
    '?supplement=hypericum&drug=statins',
    '?supplement=gingko&drug=warfrin',
    '?supplement=xyzzyplugh&drug=constructor',
    '?supplement=warfarin&drug=ginkgo',
    '?supplement=red%20yeast%20rice&drug=Lipitor',
    '?supplement=magnesium&drug=Caduet',
  ],
  '/api/interactions': ['?page_size=500', '?supplement=kava', '?drug=blood%20thinners', '?severity=major', ''],
  '/api/depletions': ['', '?drug=metformin', '?supplement=xyzzyplugh'],
  '/api/signals': ['', '?supplement=kava'],
  '/api/drugs/suggest': ['', '?q=war', '?q=zzzz'],
  '/api/drugs/{name}': ['/Coumadin', '/statins', '/Caduet'],
  '/api/products': [
    '',
    '?q=magnesium&on_market=0&page_size=200',
    '?supplement=turmeric',
    '?supplement=xyzzyplugh',
    '?page=9999',
    '?limit=3',
  ],
  '/api/products/{dsld_id}': ['/19279', '/271799', '/330088'],
  '/api/products/barcode/{barcode}': [],
  '/api/market/{supplement_slug}': ['/magnesium', '/vitamin-d', '/kava', '/creatine'],
  '/api/brands': ['', '?supplement=magnesium', '?letter=T', '?q=now', '?page=9999'],
  '/api/label-image/stats': [''],
  '/api/label-image/{dsld_id}': ['/19279'],
  '/api/suggest': ['', '?q=mag', '?q=mag&kind=drug'],
  '/search/suggest': ['', '?q=mag'],
  '/graph-data': ['', '?limit=5', '?q=magnesium', '?around=supplement:magnesium&depth=2', '?type=drug'],
  '/api/stats': [''],
  '/api/health': [''],
  '/api/pipeline/status': [''],
  '/api/methodology': [''],
  '/api/feedback/stats': [''],
  '/api/feedback/outcomes': [''],
  '/api/webhooks': [''],
  '/api/webhooks/event-types': [''],
  '/api/webhooks/{id}': [],
  '/api/webhooks/{id}/deliveries': [],
  '/developers/changelog.json': [''],
  '/api/snapshots': [''],
  // The shared service has no snapshot; another suite covers this response.
  '/api/snapshots/{snapshot_id}': [],
  '/api/outcomes': [
    '',
    '?supplement=magnesium&page_size=3',
    '?certainty=low&topic=sleep',
    '?vertical=nope',
    '?page=99',
  ],
  '/api/outcomes/{vertical}': ['/magnesium-muscle-cramps', '/caffeine-exercise-performance'],
  '/api/interventions': [
    '',
    '?supplement=vitamin%20D3',
    '?vertical=magnesium-muscle-cramps',
    '?vertical=nope',
    '?page_size=200',
  ],
  '/api/gaps': ['', '?supplement=nope', '?reason=old', '?with_trials=true', '?vertical=nope', '?page_size=200'],
  '/api/trending': ['', '?months=60&limit=3', '?months=1&min_score=0'],
  '/api/methodology/outcomes': [''],
  '/v1/evidence/search': [
    '?q=zinc',
    '?q=magnezium%20sleep&explain=true',
    '?q=blockchain',
    '?q=zinc&fields=url',
    '?q=does%20magnesium%20help%20older%20adults%20who%20cannot%20sleep%20at%20night&explain=true&top_k=50',
  ],
  '/v1/evidence/{source_id}': ['/pmid-22909270'],
  '/v1/evidence/{source_id}/similar': ['/pmid-22909270/similar', '/pmid-22909270/similar?explain=true&fields=url'],
};

describe('JSON responses', () => {
  let service: SharedService;
  let description: Description;
  let ajv: Ajv2020;
  before(async () => {
    service = await sharedService();
    description = (await api(service).get('/openapi.json').expect(200)).body;
    ajv = createAjv();
    ajv.addSchema({ ...description, $id: 'openapi' });
  });

  const validatorOf = (path: string) => {
    const content = description.paths[path]?.get?.responses['200']?.content?.['application/json'];
    assert.ok(content?.schema, `${path} says what it answers`);
    const at = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
    return ajv.compile({ $ref: `openapi#${at.replaceAll('{', '%7B').replaceAll('}', '%7D')}` });
  };

  for (const [path, requests] of Object.entries(REQUESTS)) {
    it(`match the OpenAPI schema of GET ${path}`, async () => {
      const validate = validatorOf(path);
      for (const request of requests) {
        const url = `${path.replace(/\/\{\w+\}.*$/, '')}${request}`;
        const { body } = await api(service).get(url).set('Authorization', `Bearer ${service.admin.key}`).expect(200);
        assert.ok(
          validate(body),
          `${url}: ${JSON.stringify(validate.errors?.slice(0, 3).map(({ instancePath, message }) => [instancePath, message]))}`,
        );
      }
    });
  }

  it('are checked for every JSON GET endpoint except five that other suites cover', () => {
    const untried = Object.entries(description.paths)
      .filter(([path, { get }]) => get?.responses['200']?.content?.['application/json'] && !(path in REQUESTS))
      .map(([path]) => path);
    // Other suites cover these, because they need a key, sources or a cursor.
    assert.deepEqual(untried, [
      '/api/keys/me',
      '/api/sources',
      '/api/label-image/pending',
      '/api/answers/{answer_id}',
      '/openapi.json',
    ]);
  });
});
