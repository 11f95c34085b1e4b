/** Checks that facts are plain sentences: the origin of a fact is a field and a mark, never part of the sentence. */
import { strict as assert } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ORIGINS } from '#plugins/vocabulary/index.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

const root = join(import.meta.dirname, '../..');

/** Phrases that describe how a statement was found instead of stating it. */
const HEDGES =
  /public data\b|public (rule|interaction) (data|collection|rules)|could not (be )?(check|open|verif)|source has been opened|warnings? seen|findings? of ours|unread at (its|their)|passed on unread|pass(es)? (the|this) warning on|(warning|this) is passed on|names? no (page|paper)|not checked further|interaction rules (ask|call|advise|warn|name|say)\b|title is not at hand|has read (the|its|that) page/i;
/** Files for editors and developers, which are not checked. */
const FOR_EDITORS = /^(docs|drugs|findings|evidence|sources|references)\/|README|benchmark\.yaml$/;

const linesOf = async (folder: string, name: string): Promise<string[]> =>
  // Join continuation lines, because sentences are wrapped.
  (await readFile(join(root, folder, name), 'utf8')).replace(/\n +(?![-#])/g, ' ').split('\n');

describe('statements about harms', () => {
  for (const folder of ['content', 'templates'])
    it(`contain no remarks on their origin in ${folder}/`, async () => {
      const files = (await readdir(join(root, folder), { recursive: true })).filter(
        (name) => /\.(md|ya?ml|tsv|pug)$/.test(name) && !FOR_EDITORS.test(name),
      );
      assert.ok(files.length > 50);
      const bad: string[] = [];
      for (const name of files)
        for (const line of await linesOf(folder, name)) {
          const [found] = HEDGES.exec(line) ?? [];
          // The benchmark page names the data that its commands need.
          if (found && name !== 'pages/benchmark.pug') bad.push(`${folder}/${name}: ${found}`);
        }
      assert.deepEqual(bad, []);
    });

  describe('on pages and in the API', () => {
    let service: SharedService;
    before(async function () {
      this.timeout(180_000);
      service = await sharedService();
    });
    const page = async (path: string): Promise<string> => {
      const reply = await fetch(`${service.url}${path}`);
      assert.equal(reply.status, 200, path);
      return reply.text();
    };

    it('contain no remarks on their origin, and have an origin mark with a legend', async function () {
      this.timeout(60_000);
      for (const path of [
        '/supplements/iron',
        '/supplements/ashwagandha',
        '/supplements/rue',
        '/interactions/yohimbe',
        '/interactions/st-johns-wort',
        '/interactions/st-johns-wort-sertraline',
        '/conditions/adhd',
        '/articles/how-an-interaction-is-graded',
      ]) {
        const html = await page(path);
        assert.equal(HEDGES.exec(html.replace(/<[^>]+>/g, ' '))?.[0], undefined, path);
        if (/^\/(supplements|interactions)/.test(path)) {
          assert.match(html, /class="origin" title="/, path);
          assert.match(html, /origin-legend/, path);
        }
      }
    });

    it('have an origin field for interaction rules and safety notes', async () => {
      const rule = JSON.parse(await page('/api/interactions/check?supplement=st-johns-wort&drug=sertraline'));
      assert.ok(ORIGINS.includes(rule.origin), rule.origin);
      const { safety } = JSON.parse(await page('/api/supplements/iron')) as { safety: { origin: string }[] };
      assert.deepEqual(
        safety.filter(({ origin }) => !ORIGINS.some((known) => known === origin)),
        [],
      );
      assert.ok(safety.length > 0);
    });
  });
});
