import { strict as assert } from 'node:assert';
import { describeApi } from '#core/http/openapi.ts';
import { type AnyPlugin, definePlugin, defineRoute, type RouteLinks } from '#core/plugin.ts';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
interface Schema {
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}
interface Response {
  readonly links?: Readonly<Record<string, Link>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Place extends Operation {
  readonly method: string;
  readonly path: string;
}

const FROM_ANSWER = '$response.body#/';
const FROM_REQUEST = '$request.path.';

const stepsOf = (value: string): readonly string[] => value.slice(FROM_ANSWER.length).split('/');

/** Returns the schema at the path, or null if the schema has no such property. */
const schemaAt = (schema: Schema | undefined, [step, ...rest]: readonly string[]): Schema | null => {
  if (!schema) return null;
  if (step === undefined) return schema;
  return schemaAt(/^\d+$/.test(step) ? schema.items : schema.properties?.[step], rest);
};

const valueAt = (body: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], body);

describe('links of /openapi.json', () => {
  let service: SharedService;
  let operations: ReadonlyMap<string, Place>;
  before(async () => {
    service = await sharedService();
    const { body } = await api(service).get('/openapi.json').expect(200);
    const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>);
    const all = paths.flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
    operations = new Map(all.map((place) => [place.operationId, place]));
  });

  const placeOf = (id: string): Place => {
    const place = operations.get(id);
    assert.ok(place, id);
    return place;
  };

  const linksOf = ({ responses }: Place): readonly Link[] =>
    Object.values(responses).flatMap(({ links = {} }) => Object.values(links));

  it('refer to existing operations and parameters, with values that the response contains', () => {
    let seen = 0;
    for (const place of operations.values()) {
      const schema = Object.values(place.responses).find(({ links }) => links)?.content?.['application/json']?.schema;
      for (const { operationId, parameters } of linksOf(place)) {
        const taken = new Set(placeOf(operationId).parameters.map(({ name }) => name));
        for (const [name, value] of Object.entries(parameters)) {
          const told = `${place.operationId} to ${operationId}: ${name}`;
          assert.ok(taken.has(name), told);
          if (value.startsWith(FROM_REQUEST)) assert.ok(place.path.includes(`{${value.slice(FROM_REQUEST.length)}}`));
          else assert.ok(schemaAt(schema, stepsOf(value)), `${told} at ${value}`);
          seen += 1;
        }
      }
    }
    assert.ok(seen > 50, String(seen));
  });

  /** Sends the request that a link describes if it is a GET, and returns the number of requests sent. */
  const follow = async ({ operationId, parameters }: Link, body: unknown, sent: Readonly<Record<string, string>>) => {
    const { method, path } = placeOf(operationId);
    if (method !== 'GET') return 0;
    const query = new URLSearchParams();
    let address = path;
    for (const [name, value] of Object.entries(parameters)) {
      const found = value.startsWith(FROM_REQUEST)
        ? sent[value.slice(FROM_REQUEST.length)]
        : valueAt(body, stepsOf(value));
      assert.ok(typeof found === 'string' || typeof found === 'number', `${operationId} ${value}`);
      if (path.includes(`{${name}}`)) address = address.replace(`{${name}}`, encodeURIComponent(found));
      else query.set(name, String(found));
    }
    const reply = await api(service)
      .get(`${address}?${query}`)
      .set(...bearer(service.admin.key));
    assert.equal(reply.status, 200, `${operationId}: ${JSON.stringify(reply.body)}`);
    return 1;
  };

  const READS: readonly [id: string, address: string, sent?: Readonly<Record<string, string>>][] = [
    ['evidence.search', '/v1/evidence/search?q=magnesium'],
    ['sources.list', '/api/sources'],
    ['supplements.list', '/api/supplements'],
    ['supplements.read', '/api/supplements/magnesium', { slug: 'magnesium' }],
    ['conditions.list', '/api/conditions'],
    ['outcomes.list', '/api/outcomes'],
    ['interventions.list', '/api/interventions'],
    ['drugs.suggest', '/api/drugs/suggest?q=warfarin'],
    ['drugs.show', '/api/drugs/warfarin', { name: 'warfarin' }],
    ['interactions.list', '/api/interactions?supplement=magnesium'],
  ];
  for (const [id, address, sent = {}] of READS) {
    it(`can be followed from ${id}`, async () => {
      const { body } = await api(service)
        .get(address)
        .set(...bearer(service.admin.key))
        .expect(200);
      let followed = 0;
      for (const link of linksOf(placeOf(id))) followed += await follow(link, body, sent);
      assert.ok(followed > 0);
    });
  }

  it('can be followed from a registered webhook', async () => {
    const { body } = await api(service)
      .post('/api/webhooks')
      .set(...bearer(service.admin.key))
      .send({ url: 'https://receiver.example/links', active: false })
      .expect(200);
    const links = linksOf(placeOf('webhooks.create'));
    assert.ok(links.some(({ operationId }) => operationId === 'webhooks.delete'));
    let followed = 0;
    for (const link of links) followed += await follow(link, body, {});
    assert.equal(followed, 2);
    await api(service)
      .delete(`/api/webhooks/${body.id}`)
      .set(...bearer(service.admin.key))
      .expect(200);
  });

  it('throw an error when they refer to an unknown route or parameter', () => {
    const plugin = (links: RouteLinks): AnyPlugin =>
      definePlugin({
        name: 'linked',
        summary: 'One route',
        dependencies: [],
        start: async () => ({}),
        routes: [
          defineRoute({
            id: 'one',
            method: 'GET',
            path: '/api/one',
            summary: 'One',
            tag: 'Test',
            access: 'public',
            request: {},
            replies: [{ status: 200, mediaType: 'application/json', description: 'One' }],
            links,
            raises: [],
            handle: async () => ({ body: {} }),
          }),
        ],
      }) as AnyPlugin;
    const describeWith = (links: RouteLinks) => describeApi([plugin(links)], 'http://evidence.test');
    assert.throws(() => describeWith({ other: { id: '/id' } }), /Route one links to other, which is no route/);
    assert.throws(() => describeWith({ one: { id: '/id' } }), /Route one links to one with id, which it does not take/);
  });
});
