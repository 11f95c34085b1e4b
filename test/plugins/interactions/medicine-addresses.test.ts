/** Tests that the name of a medicine is the address of the medicine, even if it was found hidden in products. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const medicinesIn = (file: string): string[] => {
  const text = readFileSync(new URL(`../../../content/interactions/${file}`, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const at = head.split('\t').indexOf('medicine');
  return lines.map((line) => line.split('\t')[at] ?? '');
};

describe('addresses of medicines', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const book = () => (service.runtime.servicesOf(interactionsPlugin) as InteractionServices).book();
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`, { redirect: 'manual' });
    return { status: reply.status, to: reply.headers.get('Location'), html: await reply.text() };
  };

  it('lead to every medicine and class; only a supplement can share the name of a medicine', async () => {
    const { address, drugs, hubOf, subjects } = await book();
    const named = [...medicinesIn('labels.tsv'), ...medicinesIn('practice.tsv')].map(
      (name) => drugs.resolve(name)?.drug,
    );
    const wrong: string[] = [];
    for (const drug of new Set([...drugs.all(), ...named])) {
      if (!drug) continue;
      const hub = hubOf('drug', drug.slug);
      const page = address(hub);
      if (page?.kind !== 'drug' || page.slug !== drug.slug) wrong.push(`${hub}: ${JSON.stringify(page)}`);
      const isShared = subjects.get(drug.slug)?.kind === 'supplement';
      if (hub !== drug.slug && !isShared) wrong.push(`${drug.slug} is at ${hub}`);
    }
    for (const { slug } of drugs.classes.values()) {
      const page = address(hubOf('class', slug));
      if (page?.kind !== 'class' && page?.kind !== 'drug') wrong.push(`class ${slug}: ${JSON.stringify(page)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('replace those of a substance under any exact name of the medicine', async () => {
    const { address, drugs, medicineOf, subjects } = await book();
    const medicines = [...subjects.keys()].filter((slug) => medicineOf(slug));
    for (const slug of ['metformin', 'sildenafil', 'testosterone-propionate', 'dmsa', 'talc'])
      assert.ok(medicines.includes(slug), slug);
    for (const slug of medicines) {
      const page = address(slug);
      assert.ok(page?.kind === 'drug' || page?.kind === 'moved', `${slug}: ${JSON.stringify(page)}`);
    }
    // Foods and supplements are not hidden medicines.
    for (const slug of ['grapefruit', 'niacin', 'cannabidiol']) assert.equal(medicineOf(slug), null, slug);
    assert.ok(drugs.drug('niacin'));
  });

  it('show metformin as a medicine, with the adulterated products in a section', async () => {
    const { status, html } = await get('/interactions/metformin');
    assert.equal(status, 200);
    assert.match(html, /<h1>Metformin: interactions with supplements<\/h1>/);
    assert.match(html, /href="\/interactions\/berberine-metformin"/);
    assert.match(html, /id="in-products"[\s\S]*Metformin \(hidden in supplements\)[\s\S]*slimming products/);
  });

  it('redirect from previous addresses, other names and salts to the medicine', async () => {
    for (const [from, to] of [
      ['metformin-medicine', 'metformin'],
      ['coumadin', 'warfarin'],
      ['testosterone-propionate', 'testosterone'],
      ['dmsa', 'succimer'],
    ])
      assert.deepEqual(
        [(await get(`/interactions/${from}`)).status, (await get(`/interactions/${from}`)).to],
        [301, `/interactions/${to}`],
        from,
      );
  });

  it('state that a medicine without a rule has no record, without calling it safe', async () => {
    const { status, html } = await get('/interactions/testosterone');
    assert.equal(status, 200);
    assert.match(html, /No record of a supplement with testosterone[^<]*does not mean that any is safe/);
  });

  it('redirect from two names in either order to the page of the pair', async () => {
    const place = async (path: string): Promise<string> => (await get(`/interactions/${path}`)).to ?? '';
    for (const path of [
      'warfarin-ginkgo',
      'ginkgo-and-warfarin',
      'warfarin/ginkgo',
      'ginkgo/warfarin',
      'Coumadin/Ginkgo',
    ])
      assert.equal(await place(path), '/interactions/ginkgo-warfarin', path);
    for (const path of ['warfarin/sertraline', 'sertraline/warfarin'])
      assert.equal(await place(path), '/interactions?supplement=sertraline&drug=warfarin');
    const unknown = await get('/interactions/dmae/warfarin');
    assert.equal(unknown.status, 404);
  });

  it('match the medicine that the checker and the search resolve', async () => {
    const check = async (supplement: string, drug: string) => {
      const query = new URLSearchParams({ supplement, drug });
      const headers = { Authorization: `Bearer ${service.admin.key}` };
      return (await (await fetch(`${service.url}/api/interactions/check?${query}`, { headers })).json()) as {
        found: boolean;
        resolved: Record<string, { kind: string } | null>;
      };
    };
    const one = await check('berberine', 'metformin');
    assert.deepEqual([one.found, one.resolved.drug?.kind], [true, 'drug']);
    const { html } = await get('/search?q=metformin');
    assert.match(html, /href="\/interactions\/metformin"/);
    assert.doesNotMatch(html, /adulterant substance/);
  });
});
