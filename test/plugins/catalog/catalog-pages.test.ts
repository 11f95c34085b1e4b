import { strict as assert } from 'node:assert';
import type { Page, PageInstance } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { catalogPlugin } from '#plugins/catalog/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { sql } from '../../support/database.ts';
import { startService } from '../../support/service.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const jsonLd = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) => JSON.parse(json));
const sectionOf = (html: string, id: string): string => {
  const [, rest = ''] = html.split(` aria-labelledby="${id}">`);
  return rest.split('</section>')[0] ?? '';
};

describe('catalog pages', () => {
  let service: SharedService;
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`, { redirect: 'manual' });
    return { status: reply.status, headers: reply.headers, html: await reply.text() };
  };
  const terms = () => (service.runtime.servicesOf(vocabularyPlugin) as VocabularyServices).terms();
  const instancesOf = async (id: string): Promise<readonly PageInstance[]> => {
    const page = (catalogPlugin.pages ?? []).find((one) => one.id === id) as Page;
    const context = systemContext(service.runtime, catalogPlugin, AbortSignal.timeout(30_000));
    const all: PageInstance[] = [];
    for await (const instance of page.list?.(context) ?? []) all.push(instance);
    return all;
  };
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  describe('GET /conditions/{slug}', () => {
    it('is linked for every condition from /conditions, which shows the number of conditions', async () => {
      const { status, html } = await get('/conditions');
      const { conditions } = await terms();
      assert.equal(status, 200);
      assert.match(html, new RegExp(`${conditions.size} conditions`));
      for (const slug of conditions.keys()) assert.ok(html.includes(`href="/conditions/${slug}"`), slug);
    });

    it('shows the answer, red flags, grouped answers and related research in order, with matching marks', async () => {
      const { html } = await get('/conditions/insomnia');
      const order = [
        'class="answer"',
        'class="red-flags"',
        'id="helps"',
        'id="no-difference"',
        'id="harms"',
        'id="uncertain"',
        'id="related"',
        'id="never"',
        'id="ask"',
        'id="sources"',
      ];
      const places = order.map((mark) => html.indexOf(mark));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
      assert.ok(places.every((place) => place > 0));
      assert.match(sectionOf(html, 'helps'), /In favour/);
      assert.match(sectionOf(html, 'no-difference'), /No difference/);
    });

    it('bases its answers on results in people with the condition and names them', async () => {
      const { html } = await get('/conditions/insomnia');
      for (const group of ['helps', 'no-difference']) {
        const answers = sectionOf(html, group).split('<div class="claim">').slice(1);
        assert.ok(answers.length > 0, group);
        for (const answer of answers) assert.match(answer, /In (adults|children|pregnant women) with insomnia/);
      }
    });

    it('names supplements that may help in the verdict and omits supplements that were not assessed', async () => {
      const { html } = await get('/conditions/insomnia');
      const verdict = /<p class="answer">([^<]*)/.exec(html)?.[1] ?? '';
      assert.match(verdict, /May help people with insomnia: [^.]*melatonin/);
      assert.doesNotMatch(verdict, /ashwagandha/i);
    });

    it('lists evidence on the related outcome under related research, separately from the answers', async () => {
      const { html } = await get('/conditions/insomnia');
      const related = sectionOf(html, 'related');
      assert.match(related, /It is no answer for people with insomnia/);
      const named = [...related.matchAll(/href="\/evidence\/([a-z0-9-]+)-sleep"/g)].map(([, slug = '']) => slug);
      const answers = ['helps', 'no-difference', 'harms', 'uncertain'].map((group) => sectionOf(html, group)).join('');
      const apart = named.filter((slug) => !answers.includes(`/supplements/${slug}"`));
      assert.ok(apart.length > 0, named.join());
    });

    it('lists cautions before related research, most severe first', async () => {
      const { html } = await get('/conditions/epilepsy');
      const care = sectionOf(html, 'care');
      assert.ok(html.indexOf('id="care"') > 0 && html.indexOf('id="care"') < html.indexOf('id="related"'));
      assert.match(care, /\(seizures\)/);
      const scale = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];
      const shown = [...care.matchAll(/severity-(\w+)"/g)].map(([, code]) => scale.indexOf(code ?? ''));
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => a - b),
      );
    });

    it('links statements on medicines, health conditions and hidden drugs to their sources', async () => {
      const { html } = await get('/conditions/bipolar-disorder');
      const medicines = sectionOf(html, 'medicines');
      assert.match(
        medicines,
        /severity-[a-z]+"[\s\S]*?<a href="\/interactions\/caffeine#caffeine-lithium">Caffeine and lithium<\/a>: /,
      );
      assert.match(sectionOf(html, 'care'), /<a href="\/interactions\/s-adenosylmethionine#cautions">/);
      const hidden = sectionOf((await get('/conditions/erectile-dysfunction')).html, 'hidden');
      assert.match(hidden, /<a href="\/interactions\/sildenafil">Sildenafil [^<]*<\/a>: [A-Z]/);
      assert.match(hidden, /<a href="https:\/\/www\.fda\.gov\/[^"]+" rel="external">/);
    });

    it('lists when to see a doctor and labels the advice as general safety advice without a source', async () => {
      const { html } = await get('/conditions/asthma');
      const { entry } = (await terms()).conditions.get('asthma') ?? assert.fail();
      const signs = /<div class="red-flags">([\s\S]*?)<\/div>/.exec(html)?.[1] ?? '';
      const [, atOnce, soon] = signs.split(/<p class="label">/);
      for (const sign of entry.red_flags) assert.ok(atOnce?.includes(`<li>${sign}</li>`), sign);
      assert.match(atOnce ?? '', /Get medical help at once/);
      for (const sign of entry.see_doctor ?? assert.fail()) assert.ok(soon?.includes(`<li>${sign}</li>`), sign);
      assert.match(soon ?? '', /See a doctor[\s\S]*General words of safety, which rest on no source of this base\./);
      assert.match(html, /Nothing on this page is a reason to start, change, stop or put off a treatment/);
    });

    it('states that sources are filed under a wider outcome', async () => {
      const { html } = await get('/conditions/acid-reflux');
      assert.match(html, /which is not the same as acid reflux/);
    });

    it('states that a lack of studies is no sign of safety', async () => {
      const { html } = await get('/conditions/insomnia');
      assert.match(sectionOf(html, 'never'), /no sign that they do nothing, and none that they are safe/);
      assert.doesNotMatch(sectionOf(html, 'never'), /"\/supplements\/magnesium"/);
    });

    it('includes JSON-LD for a MedicalCondition with citations', async () => {
      const { html } = await get('/conditions/insomnia');
      const [condition, crumbs] = jsonLd(html);
      assert.equal(condition['@type'], 'MedicalCondition');
      assert.equal(condition.name, 'Insomnia');
      assert.equal(condition.url, 'http://evidence.test/conditions/insomnia');
      assert.ok(condition.mainEntityOfPage.citation.length > 3);
      assert.equal(condition.aggregateRating, undefined);
      assert.equal(crumbs['@type'], 'BreadcrumbList');
    });

    it('describes missing assessments as a gap, not as a sign of safety', async () => {
      const { status, html } = await get('/conditions/malaria');
      assert.equal(status, 200);
      assert.match(html, /No supplement has been assessed here in people with malaria\. That is a gap in this base/);
      assert.match(html, /it does not mean that nothing helps, or that anything is safe/);
    });

    it('redirects a synonym and returns 404 with similar names for a misspelling', async () => {
      const moved = await get('/conditions/sleeplessness');
      assert.equal(moved.status, 301);
      assert.equal(moved.headers.get('location'), '/conditions/insomnia');
      const lost = await get('/conditions/insomnai');
      assert.equal(lost.status, 404);
      assert.match(lost.html, /href="\/conditions\/insomnia"/);
    });
  });

  describe('GET /supplements/{slug}', () => {
    it('shows every section in the standard order and has a target for each contents link', async () => {
      const { html } = await get('/supplements/magnesium');
      const ids = [...html.matchAll(/<section[^>]* aria-labelledby="([a-z]+)"/g)].map(([, id]) => id);
      assert.deepEqual(ids, [
        'answers',
        'evidence',
        'findings',
        'reading',
        'doses',
        'intake',
        'forms',
        'safety',
        'interactions',
        'products',
        'unknown',
        'more',
        'history',
        'further',
        'references',
      ]);
      const contents = /<nav class="contents"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';
      for (const [, id] of contents.matchAll(/href="#([a-z]+)"/g)) assert.ok(html.includes(`id="${id}"`), id);
    });

    it('shows external identifiers and intake limits with the authority that set them', async () => {
      const { html } = await get('/supplements/magnesium');
      assert.match(html, /UNII I38ZP9992A/);
      assert.match(
        sectionOf(html, 'intake'),
        /href="https:\/\/ods\.od\.nih\.gov\/factsheets\/Magnesium-HealthProfessional\/"/,
      );
      assert.match(sectionOf(html, 'intake'), /350/);
      const [page] = jsonLd(html);
      assert.equal(page.about.code[0].codeValue, 'I38ZP9992A');
      assert.equal(page.about.maximumIntake[0].doseValue, 350);
    });

    it('shows at most twelve interactions, most severe first, with a link to all', async () => {
      const { html } = await get('/supplements/st-johns-wort');
      const shown = [...sectionOf(html, 'interactions').matchAll(/class="severity severity-(\w+)"/g)].map(
        ([, code]) => code ?? '',
      );
      const scale = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];
      assert.ok(shown.length > 3 && shown.length <= 12);
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => scale.indexOf(a) - scale.indexOf(b)),
      );
      assert.match(sectionOf(html, 'interactions'), /href="\/interactions\/st-johns-wort"/);
    });

    it('states that reports of harm are not proof of cause', async () => {
      const { html } = await get('/supplements/5-htp');
      assert.match(sectionOf(html, 'interactions'), /Reports are not proof of cause/);
    });

    it('states that missing grades say nothing about efficacy or safety', async () => {
      const { html } = await get('/supplements/5-htp');
      assert.match(sectionOf(html, 'evidence'), /That says nothing about whether it works or is safe/);
      assert.equal(sectionOf(html, 'references'), '');
      assert.match(sectionOf(html, 'reading'), /<h2 id="reading">What it is<\/h2>\s*<p>/);
    });

    it('states that missing interactions do not mean that combinations are safe', async () => {
      const { supplements } = await terms();
      for (const slug of supplements.keys()) {
        const { status, html } = await get(`/supplements/${slug}?live=1`);
        assert.equal(status, 200, slug);
        if (!sectionOf(html, 'interactions').includes('class="lines"'))
          assert.match(sectionOf(html, 'interactions'), /This does not mean that any combination is safe/, slug);
      }
    }).timeout(180_000);

    it('has an alternative layout with the same data, a canonical link and a noindex header', async () => {
      const { status, headers, html } = await get('/v2/supplements/magnesium');
      assert.equal(status, 200);
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      assert.match(html, /<link rel="canonical" href="http:\/\/evidence\.test\/supplements\/magnesium">/);
      assert.match(sectionOf(html, 'interactions'), /Bisphosphonates/);
      const moved = await get('/v2/supplements/turmeric');
      assert.equal(moved.headers.get('location'), '/v2/supplements/curcumin');
    });
  });

  describe('directory pages', () => {
    it('return 200 for filter values that are names of Object.prototype members', async () => {
      for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
        for (const path of [
          `/supplements?category=${name}`,
          `/supplements?tradition=${name}`,
          `/explore/sources?source_class=${name}`,
        ]) {
          const { status, html } = await get(path);
          assert.equal(status, 200, path);
          assert.ok(!html.includes('[native code]'), path);
        }
      }
    });
  });

  describe('GET /supplements/{slug}/best', () => {
    it('prints the ranking rule', async () => {
      const { status, html } = await get('/supplements/magnesium/best');
      assert.equal(status, 200);
      assert.match(sectionOf(html, 'rule'), /Nobody pays to be here/);
      assert.match(html, /nobody tested what is in them/);
    });

    it('shows no ranking for a supplement without dosing data', async () => {
      const { supplements } = await terms();
      const herb = [...supplements.values()].find(({ entry }) => !entry.dosing.length)?.slug;
      const { html } = await get(`/supplements/${herb}/best`);
      assert.match(sectionOf(html, 'ranking'), /There is no ranking/);
    });

    it('redirects a previous slug', async () => {
      const moved = await get('/supplements/turmeric/best');
      assert.equal(moved.headers.get('location'), '/supplements/curcumin/best');
    });
  });

  describe('page versions after a product change', () => {
    it('change only for the supplements in the product', async function () {
      this.timeout(180_000);
      const own = await startService();
      const page = (catalogPlugin.pages ?? []).find(({ id }) => id === 'catalog.supplement') as Page;
      const versions = async (): Promise<ReadonlyMap<string, string>> => {
        const context = systemContext(own.runtime, catalogPlugin, AbortSignal.timeout(30_000));
        const all: PageInstance[] = [];
        for await (const instance of page.list?.(context) ?? []) all.push(instance);
        return new Map(all.map(({ params, version }) => [params.slug ?? '', version]));
      };
      const earlier = await versions();
      const [changed] = await sql(
        own,
        `update product set name = name || ' 2', change_number = nextval('product_change') where dsld_id =
         (select min(dsld_id) from product where jsonb_array_length(supplements) = 2) returning supplements`,
      );
      const later = await versions();
      assert.deepEqual(
        [...later].filter(([slug, version]) => earlier.get(slug) !== version).map(([slug]) => slug),
        [...((changed?.supplements ?? []) as string[])].sort(),
      );
      await own.stop();
    });
  });

  describe('page instances for generation', () => {
    it('include one page per supplement and condition, with stable versions', async () => {
      const { supplements, conditions } = await terms();
      for (const [id, size] of [
        ['catalog.supplement', supplements.size],
        ['catalog.best', supplements.size],
        ['catalog.condition', conditions.size],
      ] as const) {
        const first = await instancesOf(id);
        assert.equal(first.length, size, id);
        assert.deepEqual(await instancesOf(id), first, id);
        assert.ok(first.every(({ changedAt }) => changedAt !== null));
      }
    });
  });
});
