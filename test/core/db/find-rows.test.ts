import assert from 'node:assert/strict';
import { findRows } from '#core/db/find-rows.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

type Values = Record<string, unknown>;

describe('findRows', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  it('returns the same values as the ORM for every table', async () => {
    const { orm } = service.runtime.db;
    const read: string[] = [];
    for (const { className, class: entity, primaryKeys, props } of orm.getMetadata().getAll().values()) {
      const orderBy = Object.fromEntries(primaryKeys.map((key) => [key, 'asc'] as const));
      const em = orm.em.fork();
      const options = { orderBy, limit: 200 };
      const plain = await findRows<Values>(em, entity, {}, options);
      const found = (await em.find(entity, {}, { ...options, disableIdentityMap: true })) as unknown as Values[];
      const names = props.map(({ name }) => name);
      const valuesOf = (row: Values) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
      assert.deepEqual(plain.map(valuesOf), found.map(valuesOf), className);
      if (plain.length) read.push(className);
    }
    assert.ok(read.length > 20, `${read.length} tables had rows: ${read.join()}`);
  });

  it('returns only the requested fields, in the requested order and range', async () => {
    const em = service.runtime.db.orm.em.fork();
    const supplement = [...em.getMetadata().getAll().values()].find(({ className }) => className === 'Supplement');
    assert.ok(supplement);
    const slugs = (options: object) =>
      findRows<{ slug: string }>(em, supplement.class, {}, { fields: ['slug'], orderBy: { slug: 'desc' }, ...options });
    const all = await slugs({});
    assert.deepEqual(Object.keys(all[0] ?? {}), ['slug']);
    assert.deepEqual(await slugs({ limit: 3, offset: 2 }), all.slice(2, 5));
    assert.deepEqual(
      all.map(({ slug }) => slug),
      all.map(({ slug }) => slug).sort((a, b) => (a < b ? 1 : -1)),
    );
  });
});
