import { strict as assert } from 'node:assert';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncContent } from '#core/content-sync.ts';
import { type AnyPlugin, definePlugin } from '#core/plugin.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { api } from '../support/client.ts';
import { sql } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';

/** The longest time for which the term cache may miss a change by another process. */
const WORDS_KEPT_MS = 2_100;

describe('content sync', () => {
  let contentDir: string;
  let service: TestService;
  before(async () => {
    contentDir = await mkdtemp(join(tmpdir(), 'ekb-content-'));
    await cp(join(import.meta.dirname, '../../content'), contentDir, { recursive: true });
    service = await startService({ contentDir });
  });
  after(async () => {
    await service?.stop();
    await rm(contentDir, { recursive: true });
  });

  const sync = () => syncContent(service.runtime, contentDir);
  const write = (path: string, text: string) => writeFile(join(contentDir, path), text);
  const edit = async (path: string, change: (text: string) => string): Promise<() => Promise<void>> => {
    const before = await readFile(join(contentDir, path), 'utf8');
    const after = change(before);
    assert.notEqual(after, before, `${path} has changed: adapt the test`);
    await write(path, after);
    return () => write(path, before);
  };
  const state = async () => ({
    files: await sql(service, 'select path, digest from content_file order by path'),
    supplements: await sql(service, 'select slug, digest from supplement order by slug'),
    topics: await sql(service, 'select slug, terms from topic order by slug'),
    sources: await sql(service, 'select source_id, digest, removed_at from evidence_source order by source_id'),
    log: await sql(service, 'select count(*)::int as count from change_log'),
  });
  const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;

  it('does not read unchanged content again', async () => {
    const before = await state();
    assert.deepEqual(await sync(), { changed: 0, gone: 0 });
    assert.deepEqual(await state(), before);
  });

  it('writes one change log row for each changed file', async () => {
    const last = (await sql(service, 'select max(id) as id from change_log'))[0]?.id;
    const undo = await edit('supplements/zinc.md', (text) => text.replace('name: Zinc\n', 'name: Zinc (edited)\n'));
    assert.deepEqual(await sync(), { changed: 1, gone: 0 });
    assert.deepEqual(await sql(service, 'select kind, subject_type, subject_id from change_log where id > ?', [last]), [
      { kind: 'content.changed', subject_type: 'content', subject_id: 'supplements/zinc.md' },
    ]);
    assert.deepEqual(await sql(service, "select name from supplement where slug = 'zinc'"), [
      { name: 'Zinc (edited)' },
    ]);
    await undo();
    assert.deepEqual(await sync(), { changed: 1, gone: 0 });
  });

  it('serves current terms even when the old ones were read during the sync', async () => {
    const { runtime } = service;
    const asked: Promise<unknown>[] = [];
    const terms = () => (runtime.servicesOf(vocabularyPlugin) as VocabularyServices).terms();
    const name = async () => (await terms()).supplements.get('zinc')?.name;
    const asking: AnyPlugin = definePlugin({
      name: 'asking',
      summary: 'Reads words while they change',
      dependencies: [vocabularyPlugin],
      content: [
        {
          id: 'asking',
          matches: (path) => path === 'asking.txt',
          sync: async () => {
            asked.push(terms());
            await sleep(200);
          },
        },
      ],
      start: async () => ({}),
    });
    const undo = await edit('supplements/zinc.md', (text) => text.replace('name: Zinc\n', 'name: Zinc (edited)\n'));
    const syncBoth = () => syncContent({ ...runtime, plugins: [...runtime.plugins, asking] }, contentDir);
    await write('asking.txt', 'anything');
    await sleep(WORDS_KEPT_MS);
    assert.deepEqual(await syncBoth(), { changed: 2, gone: 0 });
    assert.equal(asked.length, 1);
    await Promise.all(asked);
    assert.equal(await name(), 'Zinc (edited)');
    await undo();
    await rm(join(contentDir, 'asking.txt'));
    assert.deepEqual(await syncBoth(), { changed: 1, gone: 1 });
    assert.equal(await name(), 'Zinc');
  });

  it('removes an entry with its file', async () => {
    const paths = ['supplements/propolis.md', 'sources/propolis.yaml', 'interactions/propolis.yaml'];
    const texts = await Promise.all(paths.map((path) => readFile(join(contentDir, path), 'utf8')));
    await Promise.all(paths.map((path) => rm(join(contentDir, path))));
    assert.deepEqual(await sync(), { changed: 0, gone: 3 });
    await api(service).get('/supplements/propolis').expect(404);
    const left = await sql(service, 'select 1 from content_file where path like ?', ['%propolis%']);
    assert.deepEqual(left, []);
    for (const [nth, path] of paths.entries()) await write(path, texts[nth] ?? '');
    assert.deepEqual(await sync(), { changed: 3, gone: 0 });
    await api(service).get('/supplements/propolis').expect(200);
  });

  const mistakes: readonly {
    readonly name: string;
    readonly path: string;
    readonly change: (text: string) => string;
    /** Returns the expected error message for the file’s changed text. */
    readonly told: (text: string) => string;
  }[] = [
    {
      name: 'a value that is not on the list',
      path: 'supplements/zinc.md',
      change: (text) => text.replace('category: mineral', 'category: metal'),
      told: (text) =>
        `content/supplements/zinc.md:${lineOf(text, 'metal')}: field category must be equal to one of the allowed values: vitamin, mineral, herb, mushroom, amino-acid, fatty-acid, protein, probiotic, fibre, hormone, other`,
    },
    {
      name: 'a field that nobody reads',
      path: 'supplements/zinc.md',
      change: (text) => text.replace('category: mineral', 'category: mineral\ncolour: grey'),
      told: (text) =>
        `content/supplements/zinc.md:${lineOf(text, 'colour')}: must NOT have additional properties: "colour"`,
    },
    {
      name: 'a field that is missing',
      path: 'supplements/zinc.md',
      change: (text) => text.replace('category: mineral\n', ''),
      told: () => "content/supplements/zinc.md:2: must have required property 'category'",
    },
    {
      name: 'a field deep in a list',
      path: 'supplements/zinc.md',
      change: (text) => text.replace('sources: ["pmid:18271278"]', 'sources: ["18271278"]'),
      told: (text) =>
        `content/supplements/zinc.md:${lineOf(text, '"18271278"')}: field forms.3.sources.0 must match pattern "^(pmid:[0-9]{1,9}|doi:10\\..+|nct:NCT[0-9]{8})$"`,
    },
    {
      name: 'broken YAML',
      path: 'supplements/zinc.md',
      change: (text) => text.replace('traditions: [western]', 'traditions: [western'),
      told: (text) => `content/supplements/zinc.md:${lineOf(text, 'synonyms')}: `,
    },
    {
      name: 'a field that is listed twice',
      path: 'supplements/zinc.md',
      change: (text) => text.replace('category: mineral', 'category: mineral\ncategory: herb'),
      told: (text) => `content/supplements/zinc.md:${lineOf(text, 'category: herb')}: Map keys must be unique`,
    },
    {
      name: 'no front matter',
      path: 'supplements/zinc.md',
      change: () => 'Zinc is a metal.\n',
      told: () => 'content/supplements/zinc.md:1: front matter between two lines of --- is needed',
    },
    {
      name: 'a topic that is listed twice',
      path: 'topics.yaml',
      change: (text) => `${text}- {slug: sleep, name: Sleep, kind: outcome, terms: [sleep]}\n`,
      told: (text) =>
        `content/topics.yaml:${text.trimEnd().split('\n').length}: field ${text.match(/^- /gm)!.length - 1}.slug: topic "sleep" is listed twice`,
    },
    {
      name: 'a source about a supplement that there is not',
      path: 'sources/zinc.yaml',
      change: (text) => text.replace('supplements: [zinc]', 'supplements: [zinc, unobtainium]'),
      told: (text) =>
        `content/sources/zinc.yaml:${lineOf(text, 'unobtainium')}: field 0.supplements.1: no supplement is called "unobtainium"`,
    },
    {
      name: 'a source on a topic that there is not',
      path: 'sources/zinc.yaml',
      change: (text) => text.replace('respiratory-infection, immunity]', 'respiratory-infection, nonsense]'),
      told: (text) =>
        `content/sources/zinc.yaml:${lineOf(text, 'nonsense')}: field 0.topics.2: no topic is called "nonsense"`,
    },
    {
      name: 'a source that another file has already',
      path: 'sources/zinc.yaml',
      change: (text) => `${text}\n${text.slice(0, text.indexOf('\n- ', 1))}\n`,
      told: (text) =>
        `content/sources/zinc.yaml:${text.slice(0, text.lastIndexOf('- pmid: "22870238"')).split('\n').length}: source 22870238 stands in content/sources/zinc.yaml already`,
    },
    {
      name: 'a source without any identifier',
      path: 'sources/zinc.yaml',
      change: (text) => text.replace('- pmid: "22870238"\n  doi: 10.1371/journal.pone.0041630\n  title', '- title'),
      told: () => "content/sources/zinc.yaml:1: field 0 must have required property 'pmid'",
    },
  ];

  for (const { name, path, change, told } of mistakes) {
    it(`rejects ${name}, reports file, line and field, and rolls back the whole sync`, async () => {
      const before = await state();
      const undoMistake = await edit(path, change);
      // The valid change next to the invalid one must not be stored alone.
      const undoOther = await edit('supplements/caffeine.md', (text) =>
        text.replace('name: Caffeine', 'name: Koffein'),
      );
      const expected = told(await readFile(join(contentDir, path), 'utf8'));
      try {
        await assert.rejects(sync(), (error: Error) => {
          assert.equal(error.name, 'ContentError');
          assert.equal(error.message.slice(0, expected.length), expected);
          return true;
        });
        assert.deepEqual(await state(), before);
      } finally {
        await undoMistake();
        await undoOther();
      }
      assert.deepEqual(await sync(), { changed: 0, gone: 0 });
    });
  }
});
