import { strict as assert } from 'node:assert';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly match_type: string;
  readonly confidence: number;
  readonly url: string;
}

describe('GET /api/suggest', () => {
  let service: SharedService;
  const get = async (query: string) => {
    const reply = await fetch(`${service.url}/api/suggest?${query}`);
    return {
      status: reply.status,
      headers: reply.headers,
      body: (await reply.json()) as { query: string; items: Item[] },
    };
  };
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('returns the query and complete items', async () => {
    const { status, body } = await get('q=magnesium&kind=supplement');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      query: 'magnesium',
      items: [
        {
          kind: 'supplement',
          id: 'magnesium',
          name: 'Magnesium',
          match_type: 'exact',
          confidence: 1,
          url: '/supplements/magnesium',
        },
      ],
    });
  });

  it('ranks prefix matches before other matches, across all types', async () => {
    const { items } = (await get('q=mag&limit=20')).body;
    const begins = items.map(({ name }) => name.toLowerCase().startsWith('mag'));
    const kinds = new Set(items.filter((_, at) => begins[at]).map(({ kind }) => kind));
    assert.equal(items[0]?.id, 'magnesium');
    assert.ok(kinds.size >= 3, [...kinds].join());
  });

  it('finds a supplement by a synonym', async () => {
    const [first] = (await get('q=turm')).body.items;
    assert.deepEqual([first?.id, first?.match_type], ['curcumin', 'synonym']);
  });

  it('returns a substance that is no supplement with the URL of its interactions', async () => {
    const [first] = (await get('q=bitter%20orange')).body.items;
    assert.deepEqual(
      [first?.kind, first?.id, first?.url],
      ['substance', 'bitter-orange', '/interactions/bitter-orange'],
    );
  });

  it('returns a banned or restricted supplement once, also for its synonyms', async () => {
    for (const [q, id] of [
      ['red yeast', 'red-yeast-rice'],
      ['monacolin k', 'red-yeast-rice'],
      ['yohimbine', 'yohimbe'],
      ['CBD', 'cannabidiol'],
    ] as const) {
      const { items } = (await get(`q=${encodeURIComponent(q)}`)).body;
      const mine = items.filter((item) => item.id === id);
      assert.deepEqual(
        mine.map(({ kind, url }) => [kind, url]),
        [['supplement', `/supplements/${id}`]],
        q,
      );
    }
    const reply = await fetch(`${service.url}/search/suggest?q=kratom`);
    const { items } = (await reply.json()) as { items: { name: string; kind_name: string }[] };
    assert.deepEqual(items.find(({ name }) => name === 'Kratom')?.kind_name, 'banned supplement');
  });

  it('returns the nearest name for a misspelling, with match type typo', async () => {
    const [first] = (await get('q=magnezium')).body.items;
    assert.equal(first?.id, 'magnesium');
    assert.equal(first?.match_type, 'typo');
    assert.ok((first?.confidence ?? 1) < 0.9);
  });

  it('returns no items for an empty query, and only URLs that exist', async () => {
    assert.deepEqual((await get('q=')).body, { query: '', items: [] });
    const { items } = (await get('q=vit&limit=30')).body;
    for (const { url, name } of items) {
      if (url) assert.equal((await fetch(`${service.url}${url}`)).status, 200, `${name} ${url}`);
    }
  });

  it('rejects an unknown kind and a limit above 50 with 422', async () => {
    assert.equal((await get('q=a&kind=planet')).status, 422);
    assert.equal((await get('q=a&limit=51')).status, 422);
  });
});

describe('GET /explore/entities', () => {
  it('redirects to the directory of each type, and to the supplements by default', async function () {
    this.timeout(180_000);
    const service = await sharedService();
    const leads = async (query: string) => {
      const reply = await fetch(`${service.url}/explore/entities${query}`, { redirect: 'manual' });
      return [reply.status, reply.headers.get('location')];
    };
    assert.deepEqual(await leads(''), [302, '/supplements']);
    assert.deepEqual(await leads('?entity_type=condition'), [302, '/conditions']);
    assert.deepEqual(await leads('?entity_type=drug'), [302, '/interactions']);
    assert.deepEqual(await leads('?entity_type=brands'), [302, '/brands']);
    assert.deepEqual(await leads('?entity_type=https://elsewhere.test'), [302, '/supplements']);
  });
});
