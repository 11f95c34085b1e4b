import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFrontMatter } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { articleView } from '#plugins/articles/article-view.ts';
import { articleContent } from '#plugins/articles/content.ts';
import { type ArticleServices, articlesPlugin } from '#plugins/articles/index.ts';
import { ARTICLE_CITATIONS, ArticleEntry } from '#plugins/articles/schemas.ts';
import { readCited } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const folder = join(import.meta.dirname, '../../../content/articles');
const MAGNESIUM = 'articles/magnesium-for-sleep-and-cramps.md';
const PROMISES = /\b(cures?|miracle|guaranteed?|clinically proven|proven to)\b/i;
const ORDERS = /(^|[.!?]\s+)(take|try|use|avoid) (your|a|it|this|the|one|\d)/i;

const read = async (path: string) => {
  const text = await readFile(join(folder, '..', path), 'utf8');
  return { path, text, digest: 'x' };
};

describe('articles', () => {
  let service: SharedService;
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`);
    return { status: reply.status, html: await reply.text() };
  };
  before(async () => {
    service = await sharedService();
  });

  it('are listed, counted, and in their own sitemap section', async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
    assert.ok(names.length >= 8);
    const { html } = await get('/articles');
    for (const name of names) assert.ok(html.includes(`href="/articles/${name.slice(0, -3)}"`), name);
    const stats = (await (await fetch(`${service.url}/api/stats`)).json()) as { articles: number };
    assert.equal(stats.articles, names.length);
    assert.equal(articlesPlugin.pages?.find(({ id }) => id === 'articles.article')?.sitemap, 'articles');
  });

  it('have 500 to 900 words, promise nothing and give no orders', async () => {
    for (const name of await readdir(folder)) {
      const { data, body } = readFrontMatter(await read(`articles/${name}`), ArticleEntry);
      const n = body.replace(/\[@[^\]]*\]/g, '').split(/\s+/).length;
      assert.ok(n >= 500 && n <= 900, `${name}: ${n} words`);
      for (const text of [body, data.answer, ...data.unknown]) {
        assert.doesNotMatch(text, PROMISES, name);
        assert.doesNotMatch(text, ORDERS, name);
      }
    }
  });

  it('list warning signs, marked as general safety advice without a source', async () => {
    const { html } = await get('/articles/st-johns-wort-and-medicines');
    const signs = /<div class="red-flags">([\s\S]*?)<\/div>/.exec(html)?.[1] ?? '';
    assert.match(
      signs,
      /Get medical help at once[\s\S]*<li>a seizure<\/li>[\s\S]*See a doctor[\s\S]*<li>low mood that lasts<\/li>/,
    );
    assert.match(signs, /General words of safety, which rest on no source of this base\./);
    assert.match(html, /no reason to start, change, stop or put off a treatment/);
  });

  it('show tier, design and participants of the cited sources below each paragraph', async () => {
    const { html } = await get('/articles/magnesium-for-sleep-and-cramps');
    const [, after = ''] = html.split('The frequency of cramps halved');
    const weights = (after.split('</ul>')[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    assert.match(weights, /Tier B Moderate|Tier C Limited/);
    assert.match(weights, /Randomised controlled trial 86 people/);
  });

  it('number every citation, and link it to an existing reference', async () => {
    for (const name of await readdir(folder)) {
      const { html } = await get(`/articles/${name.slice(0, -3)}`);
      const links = new Set([...html.matchAll(/href="#ref-(\d+)"/g)].map(([, n]) => n));
      const references = new Set([...html.matchAll(/<li id="ref-(\d+)"/g)].map(([, n]) => n));
      assert.deepEqual([...links].sort(), [...references].sort(), name);
      assert.doesNotMatch(html, /no longer in the base/, name);
    }
  });

  it('cite interaction rules with their severity, substances and source', async () => {
    const { html } = await get('/articles/st-johns-wort-and-medicines');
    const list = html.slice(html.indexOf('<ol class="references"'));
    assert.match(list, /href="\/interactions\/st-johns-wort-warfarin">St John's wort and warfarin<\/a>/);
    assert.match(list, /Do not combine/);
    assert.match(list, /rel="external">NIH NCCIH<\/a>/);
  });

  it('return 404 with similar articles for an unknown address', async () => {
    const { status, html } = await get('/articles/magnesium-for-sleep');
    assert.equal(status, 404);
    assert.match(html, /href="\/articles\/magnesium-for-sleep-and-cramps"/);
  });

  it('are found by /search with the type filter article', async () => {
    const { html } = await get('/search?q=retracted+studies&type_filter=article');
    assert.match(html, /href="\/articles\/how-we-handle-retractions"/);
  });

  it('mark a source that was retracted since: in the text, in the references and at the top', async () => {
    const { db } = service.runtime;
    const [file, context] = [
      await read(MAGNESIUM),
      systemContext(service.runtime, articlesPlugin, AbortSignal.timeout(5_000)),
    ];
    const { data, body } = readFrontMatter(file, ArticleEntry);
    const refs = ARTICLE_CITATIONS.refsInText(body).flatMap(({ ref }) => (ref.startsWith('rule:') ? [] : [ref]));
    const cited = (await db.read((em) => readCited(em, refs))).map((row) =>
      row.pmid === '22909270' ? { ...row, retractionStatus: 'retracted' as const } : row,
    );
    const article = { slug: 'magnesium-for-sleep-and-cramps', title: data.title, entry: data, body, digest: 'x' };
    const [book, terms] = [await context.use(interactionsPlugin).book(), await context.use(vocabularyPlugin).terms()];
    const view = articleView({ article, cited, book, terms }, (href) => href);
    const { n } = view.references.find(({ source }) => source?.id === 'pmid-22909270') ?? { n: 0 };
    assert.deepEqual(view.retractedRefs, [n]);
    const page = articlesPlugin.pages?.find(({ id }) => id === 'articles.article');
    assert.ok(page);
    const html = service.runtime.pages.render(
      page as never,
      '/articles/x',
      { title: 'A title', description: 'x' },
      view,
    );
    assert.ok(html.includes(`<a href="#ref-${n}">${n} retracted</a>`));
    assert.match(html, /1 source of this article was retracted since it was written/);
    assert.match(html, new RegExp(`<li class="struck" id="ref-${n}"|<li id="ref-${n}" class="struck"`));
  });

  it('have a version that changes with the text, and the date of the last update', async () => {
    const page = articlesPlugin.pages?.find(({ id }) => id === 'articles.article');
    const context = systemContext(service.runtime, articlesPlugin, AbortSignal.timeout(10_000));
    const listed = async () => {
      const instances = new Map<string, { version: string; changedAt: string | null }>();
      for await (const { params, ...rest } of page?.list?.(context as never) ?? [])
        instances.set(params.slug ?? '', rest);
      return instances;
    };
    const before = await listed();
    assert.equal(before.size, (await readdir(folder)).length);
    const { data } = readFrontMatter(await read('articles/what-a-tier-says.md'), ArticleEntry);
    assert.equal(before.get('what-a-tier-says')?.changedAt, `${data.updated}T00:00:00Z`);
    const { db } = service.runtime;
    await db.write((em) =>
      em.execute("update article set body = body || ' More.', digest = 'y' where slug = 'what-a-tier-says'"),
    );
    try {
      const after = await listed();
      const changed = [...after].filter(([slug, { version }]) => version !== before.get(slug)?.version);
      assert.deepEqual(
        changed.map(([slug]) => slug),
        ['what-a-tier-says'],
      );
    } finally {
      await db.write((em) =>
        em.execute(
          "update article set body = left(body, length(body) - 6), digest = 'x' where slug = 'what-a-tier-says'",
        ),
      );
    }
  });

  describe('with invalid content', () => {
    const sync = async (change: (text: string) => string) => {
      const file = await read(MAGNESIUM);
      const text = change(file.text);
      assert.notEqual(text, file.text);
      const context = systemContext(
        service.runtime,
        articlesPlugin,
        AbortSignal.timeout(5_000),
      ) as Context<ArticleServices>;
      return service.runtime.db.write((em) => articleContent.sync(context, [{ ...file, text }], [], em));
    };
    const refused = async (change: (text: string) => string, part: string, words: RegExp) => {
      const changed = change((await read(MAGNESIUM)).text);
      const line = changed.slice(0, changed.indexOf(part)).split('\n').length;
      await assert.rejects(sync(change), (error: ContentError) => {
        assert.ok(error instanceof ContentError, String(error));
        assert.match(error.message, words);
        assert.match(error.message, new RegExp(`${MAGNESIUM}:${line}:`));
        return true;
      });
    };

    it('are rejected for an unknown source or rule, naming the line', async () => {
      await refused(
        (text) => text.replace('@pmid:38257144', '@pmid:1'),
        '[@pmid:1]',
        /no source of the base is pmid:1/,
      );
      const unknown = (text: string) => text.replace('@rule:magnesium-levothyroxine', '@rule:magnesium-nothing');
      await refused(unknown, '[@rule:magnesium-nothing]', /no rule of the base is rule:magnesium-nothing/);
    });

    it('are rejected for a page that does not exist, naming the field', async () => {
      const change = (text: string) => text.replace('conditions: [insomnia', 'conditions: [insomina');
      await refused(change, '  conditions:', /field about\.conditions: there is no "insomina"/);
    });

    it('are rejected for a missing field, an invalid value, or an update before publication', async () => {
      await assert.rejects(
        sync((text) => text.replace(/^published:.*\n/m, '')),
        /published/,
      );
      await assert.rejects(
        sync((text) => text.replace('author: The', 'author: Some')),
        /author/,
      );
      const early = (text: string) => text.replace(/^updated:.*$/m, 'updated: 2020-01-01');
      await refused(early, 'updated:', /before it was published/);
    });
  });
});
