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

describe('the pages of supplements and conditions', () => {
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

  describe('a condition', () => {
    it('stands in the directory with its category, and the directory counts them', async () => {
      const { status, html } = await get('/conditions');
      const { conditions } = await terms();
      assert.equal(status, 200);
      assert.match(html, new RegExp(`${conditions.size} conditions`));
      for (const slug of conditions.keys()) assert.ok(html.includes(`href="/conditions/${slug}"`), slug);
    });

    it('answers first, then red flags, then groups of answers, then related research with the same marks', async () => {
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

    it('answers with results in people who have it, and says so', async () => {
      const { html } = await get('/conditions/insomnia');
      for (const group of ['helps', 'no-difference']) {
        const answers = sectionOf(html, group).split('<div class="claim">').slice(1);
        assert.ok(answers.length > 0, group);
        for (const answer of answers) assert.match(answer, /In (adults|children|pregnant women) with insomnia/);
      }
    });

    it('names in its verdict each supplement that may help, and none that was not assessed', async () => {
      const { html } = await get('/conditions/insomnia');
      const verdict = /<p class="answer">([^<]*)/.exec(html)?.[1] ?? '';
      assert.match(verdict, /May help people with insomnia: [^.]*melatonin/);
      assert.doesNotMatch(verdict, /ashwagandha/i);
    });

    it('keeps what editors wrote on its outcomes under related research, apart from the answers', async () => {
      const { html } = await get('/conditions/insomnia');
      const related = sectionOf(html, 'related');
      assert.match(related, /It is no answer for people with insomnia/);
      const named = [...related.matchAll(/href="\/evidence\/([a-z0-9-]+)-sleep"/g)].map(([, slug = '']) => slug);
      const answers = ['helps', 'no-difference', 'harms', 'uncertain'].map((group) => sectionOf(html, group)).join('');
      const apart = named.filter((slug) => !answers.includes(`/supplements/${slug}"`));
      assert.ok(apart.length > 0, named.join());
    });

    it('names what to take care with before related research, gravest first', async () => {
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

    it('takes what its text says of medicines, states of health and hidden drugs back to its sources', async () => {
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

    it('marks who should see a doctor, and when, as words that rest on no source', async () => {
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

    it('says that sources are filed under a wider outcome', async () => {
      const { html } = await get('/conditions/acid-reflux');
      assert.match(html, /which is not the same as acid reflux/);
    });

    it('says of what was never studied that this is no sign of safety', async () => {
      const { html } = await get('/conditions/insomnia');
      assert.match(sectionOf(html, 'never'), /no sign that they do nothing, and none that they are safe/);
      assert.doesNotMatch(sectionOf(html, 'never'), /"\/supplements\/magnesium"/);
    });

    it('carries structured data as a medical condition with its citations', async () => {
      const { html } = await get('/conditions/insomnia');
      const [condition, crumbs] = jsonLd(html);
      assert.equal(condition['@type'], 'MedicalCondition');
      assert.equal(condition.name, 'Insomnia');
      assert.equal(condition.url, 'http://evidence.test/conditions/insomnia');
      assert.ok(condition.mainEntityOfPage.citation.length > 3);
      assert.equal(condition.aggregateRating, undefined);
      assert.equal(crumbs['@type'], 'BreadcrumbList');
    });

    it('reads well without any assessment: a gap, not safety', async () => {
      const { status, html } = await get('/conditions/malaria');
      assert.equal(status, 200);
      assert.match(html, /No supplement has been assessed here in people with malaria\. That is a gap in this base/);
      assert.match(html, /it does not mean that nothing helps, or that anything is safe/);
    });

    it('moves on from a synonym, and answers 404 with near names for a misspelling', async () => {
      const moved = await get('/conditions/sleeplessness');
      assert.equal(moved.status, 301);
      assert.equal(moved.headers.get('location'), '/conditions/insomnia');
      const lost = await get('/conditions/insomnai');
      assert.equal(lost.status, 404);
      assert.match(lost.html, /href="\/conditions\/insomnia"/);
    });
  });

  describe('a supplement', () => {
    it('has every section in the order of the house, and links each from the contents', async () => {
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

    it('names its ids elsewhere, and its limits with the authority that set them', async () => {
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

    it('shows at most twelve interactions, the gravest first, with the way to all', async () => {
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

    it('marks reports of harm as no proof of cause', async () => {
      const { html } = await get('/supplements/5-htp');
      assert.match(sectionOf(html, 'interactions'), /Reports are not proof of cause/);
    });

    it('with nothing graded says so, and never that it is safe', async () => {
      const { html } = await get('/supplements/5-htp');
      assert.match(sectionOf(html, 'evidence'), /That says nothing about whether it works or is safe/);
      assert.equal(sectionOf(html, 'references'), '');
      assert.match(sectionOf(html, 'reading'), /<h2 id="reading">What it is<\/h2>\s*<p>/);
    });

    it('without an interaction says that this means nothing', async () => {
      const { supplements } = await terms();
      for (const slug of supplements.keys()) {
        const { status, html } = await get(`/supplements/${slug}?live=1`);
        assert.equal(status, 200, slug);
        if (!sectionOf(html, 'interactions').includes('class="lines"'))
          assert.match(sectionOf(html, 'interactions'), /This does not mean that any combination is safe/, slug);
      }
    }).timeout(180_000);

    it('has a second layout with the same data, which points to the first and stays out of search engines', async () => {
      const { status, headers, html } = await get('/v2/supplements/magnesium');
      assert.equal(status, 200);
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      assert.match(html, /<link rel="canonical" href="http:\/\/evidence\.test\/supplements\/magnesium">/);
      assert.match(sectionOf(html, 'interactions'), /Bisphosphonates/);
      const moved = await get('/v2/supplements/turmeric');
      assert.equal(moved.headers.get('location'), '/v2/supplements/curcumin');
    });
  });

  describe('the directories', () => {
    it('take the names of members of every object for categories that nobody has', async () => {
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

  describe('the products of a supplement by label', () => {
    it('stand by a rule that the page prints', async () => {
      const { status, html } = await get('/supplements/magnesium/best');
      assert.equal(status, 200);
      assert.match(sectionOf(html, 'rule'), /Nobody pays to be here/);
      assert.match(html, /nobody tested what is in them/);
    });

    it('are not ranked where the data does not allow it', async () => {
      const { supplements } = await terms();
      const herb = [...supplements.values()].find(({ entry }) => !entry.dosing.length)?.slug;
      const { html } = await get(`/supplements/${herb}/best`);
      assert.match(sectionOf(html, 'ranking'), /There is no ranking/);
    });

    it('move on from an old slug', async () => {
      const moved = await get('/supplements/turmeric/best');
      assert.equal(moved.headers.get('location'), '/supplements/curcumin/best');
    });
  });

  describe('when a product changes', () => {
    it('a new version comes for the supplements in it, and for no others', async function () {
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

  describe('listed for generation', () => {
    it('are one page per supplement and condition, with versions that do not change by themselves', async () => {
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
