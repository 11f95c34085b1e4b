/** Checks how the starter content presents banned and restricted supplements on pages and in the API. */
import { strict as assert } from 'node:assert';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const SLUGS = ['red-yeast-rice', 'garcinia', 'yohimbe', 'kratom', 'cannabidiol'];

describe('banned or restricted supplement', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const get = async (path: string, query: Record<string, string> = {}) =>
    (
      await api(service)
        .get(path)
        .query(query)
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body;
  const html = async (path: string): Promise<string> => (await api(service).get(path).expect(200)).text;

  it('shows its status, authority and date on its page and in the API', async () => {
    for (const slug of SLUGS) {
      const { legal_status: status } = await get(`/api/supplements/${slug}`);
      assert.equal(status.slug, slug);
      assert.match(status.kind, /^(?:banned|restricted)$/);
      assert.match(status.status_as_of, /^2026-\d\d$/);
      const page = (await html(`/supplements/${slug}`)).replace(/\s+/g, ' ').split('id="legal-status"')[1] ?? '';
      const notice = page.slice(0, page.indexOf('</li>'));
      assert.match(notice, /Banned|Restricted/);
      assert.ok(notice.includes(status.authority.address.replaceAll('&', '&amp;')), slug);
      assert.ok(notice.includes(status.statement.slice(0, 40)), slug);
      assert.match(notice, /as of \w+ 2026/);
    }
    assert.equal((await get('/api/supplements/magnesium')).legal_status, null);
    assert.ok(!(await html('/supplements/magnesium')).includes('id="legal-status"'));
  });

  it('shows the harms of kratom: the FDA’s position, dependence, liver injury and deaths', async () => {
    const page = (await html('/supplements/kratom')).replace(/\s+/g, ' ');
    assert.match(page, /The FDA does not accept it in supplements\./);
    for (const harm of [/dependence/, /liver injury/i, /deaths/, /withdrawal/, /pregnancy/]) assert.match(page, harm);
  });

  it('is resolved from its other names without alternatives', async () => {
    for (const [name, slug] of [
      ['yohimbine', 'yohimbe'],
      ['rauwolscine', 'yohimbe'],
      ['monacolin K', 'red-yeast-rice'],
      ['Monascus purpureus', 'red-yeast-rice'],
      ['CBD', 'cannabidiol'],
      ['hemp extract', 'cannabidiol'],
      ['HCA', 'garcinia'],
      ['garcinia-cambogia', 'garcinia'],
      ['mitragynine', 'kratom'],
    ] as const) {
      const { resolved, near, warning } = await get('/api/resolve', { name });
      assert.deepEqual(
        [name, resolved?.kind, resolved?.slug, near, warning?.slug],
        [name, 'supplement', slug, [], slug],
      );
    }
  });

  it('is returned with its legal status by the interaction checker', async () => {
    for (const [supplement, drug, slug, kind] of [
      ['red yeast rice', 'atorvastatin', 'red-yeast-rice', 'restricted'],
      ['CBD', 'valproate', 'cannabidiol', 'banned'],
      ['yohimbine', 'phenelzine', 'yohimbe', 'restricted'],
    ] as const) {
      const body = await get('/api/interactions/check', { supplement, drug });
      assert.equal(body.found, true, supplement);
      const { slug: read, kind: type, substance_kind: status, statement, authority, status_as_of } = body.supplement;
      assert.deepEqual([read, type, status], [slug, 'supplement', kind]);
      assert.ok(statement.length > 40 && authority.address && status_as_of);
    }
    const page = await html('/interactions?supplement=CBD&drug=valproate');
    assert.match(
      page.replace(/\s+/g, ' '),
      /banned supplement.{0,20} ?.*does not accept it as a supplement ingredient/,
    );
  });

  it('has an interactions page with the legal warning, and redirects a renamed slug', async () => {
    for (const slug of ['red-yeast-rice', 'yohimbe', 'cannabidiol', 'garcinia', 'kratom']) {
      const [{ legal_status: status }, page] = [
        await get(`/api/supplements/${slug}`),
        await html(`/interactions/${slug}`),
      ];
      assert.ok(page.replace(/\s+/g, ' ').includes(status.statement.slice(0, 40)), slug);
      assert.ok(page.includes(`/supplements/${slug}`), slug);
    }
    for (const path of ['/interactions/', '/supplements/']) {
      const { headers } = await api(service).get(`${path}garcinia-cambogia`).expect(301);
      assert.equal(headers.location, `${path}garcinia`);
    }
  });

  it('is shown with a warning on condition pages and in search results', async () => {
    assert.match(
      (await html('/conditions/obesity')).replace(/\s+/g, ' '),
      /French authority advises against all of them/,
    );
    const found = (await html('/search?q=kratom')).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    assert.match(found, /Banned substance .*The FDA does not accept it in supplements/);
  });
});
