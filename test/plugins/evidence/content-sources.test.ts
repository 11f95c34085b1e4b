import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { syncContent } from '#core/content-sync.ts';
import { ContentError } from '#core/errors.ts';
import { startService } from '../../support/service.ts';
import {
  changesAfter,
  idsOf,
  ingest,
  lastChange,
  levelIndex,
  MADE_TOPICS,
  madeArticle,
  madeEntry,
  madeFile,
  madeSupplement,
  revisionsOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

const [FIRST, SECOND, THIRD] = ['99002001', '99002002', '99002003'];

describe('content/sources', () => {
  const content = temporaryFolder();
  const imports = temporaryFolder();
  const put = (name: string, ...entries: readonly string[]) => content.put(`sources/${name}.yaml`, entries.join('\n'));
  const reset = async (): Promise<void> => {
    for (const folder of ['sources', 'references']) await rm(content.path(folder), { recursive: true, force: true });
    await put('zinc', madeEntry({ pmid: FIRST }), madeEntry({ pmid: SECOND, doi: '10.5555/Second' }));
    await put('other', madeEntry({ pmid: THIRD, title: 'Zinc against wombats' }));
  };
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
    await reset();
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const sync = async () => {
    const outcome = await syncContent(base.service.runtime, content.path());
    await levelIndex(base.service);
    return outcome;
  };
  const listed = async (): Promise<string[]> =>
    idsOf((await base.client.sources({ page_size: 200 })).body.sources).sort();
  const sourceOf = async (pmid: string) =>
    (await base.client.sources({ page_size: 200 })).body.sources.find(
      (source: { pmid: string }) => source.pmid === pmid,
    );
  /** Asserts that the index contains nothing of a source, not only that the list leaves it out. */
  const isForgotten = async (q: string): Promise<void> => {
    const { body } = await base.client.search({ q }).expect(200);
    assert.deepEqual([body.results, body.total_estimate], [[], 0]);
  };
  const all = [FIRST, SECOND, THIRD].map((pmid) => `pmid-${pmid}`);

  afterEach(async () => {
    await reset();
    await sync();
    assert.deepEqual(await listed(), all);
  });

  it('lists exactly the sources in the files, with the fields that the files state', async () => {
    assert.deepEqual(await listed(), all);
    const { quality_breakdown: parts, updated_at: at, quality_score: score, ...rest } = await sourceOf(SECOND);
    const { quality_tier: tier, effect_direction_basis: _, basis, ...record } = rest;
    for (const { by, probability } of Object.values<{ by: string; probability: number | null }>(basis))
      assert.deepEqual([by, probability], ['editor', null]);
    assert.deepEqual(record, {
      source_id: `pmid-${SECOND}`,
      pmid: SECOND,
      doi: '10.5555/second',
      nct_id: '',
      title: 'Zinc for colds, as the editor has it',
      abstract_or_summary: 'In 90 invented adults zinc made no difference to the length of a cold over five winters.',
      evidence_level: 'rct',
      source_class: 'pubmed_article',
      year: 2020,
      vertical: 'zinc-colds',
      verticals: ['zinc-colds'],
      sample_size: '90',
      sample_size_n: 90,
      population: 'adults with colds',
      species: 'human',
      effect_direction: 'null',
      funding: 'public',
      retraction_status: 'none',
      url: `https://pubmed.ncbi.nlm.nih.gov/${SECOND}/`,
      authors: [],
      journal: 'Journal of Invented Nutrition',
      publication_types: ['Randomized Controlled Trial'],
      open_access_url: '',
      license: '',
      findings: [],
      superseded_by: '',
      read_from: 'title',
    });
    assert.ok(score > 0 && 'ABCD'.includes(tier) && parts.length >= 4 && Date.parse(at) > 0);
  });

  it('changes nothing when no file has changed', async () => {
    const [before, last] = [await revisionsOf(base.service), await lastChange(base.service)];
    assert.deepEqual(await sync(), { changed: 0, gone: 0 });
    assert.deepEqual(await revisionsOf(base.service), before);
    assert.equal(await lastChange(base.service), last);
  });

  it('changes only the entry whose text changed', async () => {
    const [before, last] = [await revisionsOf(base.service), await lastChange(base.service)];
    await put('zinc', madeEntry({ pmid: FIRST }), madeEntry({ pmid: SECOND, doi: '10.5555/second', sample_size: 900 }));
    assert.deepEqual(await sync(), { changed: 1, gone: 0 });
    const after = await revisionsOf(base.service);
    const changed = [...after].filter(([id, state]) => before.get(id) !== state).map(([id]) => id);
    assert.deepEqual(changed, [`pmid-${SECOND}`]);
    // Grades are updated by a separate job at another time.
    const changes = (await changesAfter(base.service, last)).filter(({ kind }) => !kind.startsWith('outcome.'));
    assert.deepEqual(
      changes.map(({ kind, subject_id: id }) => [kind, id]),
      [
        ['evidence.updated', `pmid-${SECOND}`],
        ['content.changed', 'sources/zinc.yaml'],
      ],
    );
    assert.equal((await sourceOf(SECOND)).sample_size, '900');
  });

  it('removes an entry from the base and the index with its text, and restores it under the same id', async () => {
    await put('other', '[]');
    await sync();
    assert.deepEqual(await listed(), all.slice(0, 2));
    await isForgotten('wombats');
    await put('other', madeEntry({ pmid: THIRD, title: 'Zinc against wombats' }));
    await sync();
    assert.deepEqual(idsOf((await base.client.search({ q: 'wombats' })).body.results), [all[2]]);
  });

  it('removes the entries of a deleted file from the base and the index', async () => {
    const last = await lastChange(base.service);
    await rm(content.path('sources/other.yaml'));
    assert.deepEqual(await sync(), { changed: 0, gone: 1 });
    assert.deepEqual(await listed(), all.slice(0, 2));
    await isForgotten('wombats');
    const changes = await changesAfter(base.service, last);
    assert.deepEqual(
      changes.map(({ kind, subject_id: id }) => [kind, id]),
      [
        ['evidence.removed', all[2]],
        ['content.changed', 'sources/other.yaml'],
      ],
    );
  });

  it('retains the record of another origin when an entry is removed from its file', async () => {
    const made = madeFile(madeArticle({ ...zincTrial(Number(THIRD)), title: 'Zinc, as PubMed has it.' }));
    await ingest(base.service, 'pubmed', await imports.put('third.xml', made));
    assert.equal((await sourceOf(THIRD!)).title, 'Zinc against wombats');
    await rm(content.path('sources/other.yaml'));
    await sync();
    assert.equal((await sourceOf(THIRD!)).title, 'Zinc, as PubMed has it.');
    assert.equal((await sourceOf(THIRD!)).sample_size, '240');
  });

  it('changes no source when a file is renamed', async () => {
    const before = await revisionsOf(base.service);
    await rm(content.path('sources/zinc.yaml'));
    await put('minerals', madeEntry({ pmid: FIRST }), madeEntry({ pmid: SECOND, doi: '10.5555/second' }));
    assert.deepEqual(await sync(), { changed: 1, gone: 1 });
    assert.deepEqual(await revisionsOf(base.service), before);
  });

  it('changes no source when an entry moves to another file and leaves an empty one', async () => {
    const before = await revisionsOf(base.service);
    await put('other', '[]');
    await put(
      'zinc',
      ...[FIRST, SECOND].map((pmid) => madeEntry({ pmid })),
      madeEntry({ pmid: THIRD, title: 'Zinc against wombats' }),
    );
    await sync();
    const after = await revisionsOf(base.service);
    assert.equal(after.get(all[2]!), before.get(all[2]!));
    assert.equal(after.size, 3);
  });

  it('reads an unread paper by its title, and uses the stated findings once an editor has read it', async () => {
    const unread = `- pmid: "99002005"
  title: "Zinc for the common cold in invented choirs: a randomized controlled trial."
  journal: Journal of Invented Nutrition
  year: 2019
  publication_types: [Randomized Controlled Trial]
`;
    await content.put('references/trials.yaml', unread);
    await sync();
    const listedOne = await sourceOf('99002005');
    assert.deepEqual(
      [listedOne.abstract_or_summary, listedOne.effect_direction, listedOne.effect_direction_basis],
      ['', 'unclear', 'program'],
    );
    assert.deepEqual([listedOne.verticals, listedOne.evidence_level], [['zinc-colds'], 'rct']);
    assert.equal(idsOf((await base.client.search({ q: 'invented choirs' })).body.results)[0], 'pmid-99002005');
    await content.put('references/trials.yaml', '[]');
    await put('choirs', madeEntry({ pmid: '99002005' }));
    await sync();
    const { effect_direction: direction, effect_direction_basis: basis } = await sourceOf('99002005');
    assert.deepEqual([direction, basis], ['null', 'editor']);
    await content.put('references/trials.yaml', `${unread}  direction: positive\n`);
    await assert.rejects(sync(), /content\/references\/trials\.yaml:6: field 0 .*additional properties: "direction"/);
  });

  it('keeps the id of a source whose entry is given another identifier', async () => {
    await put('other', madeEntry({ pmid: THIRD, title: 'Zinc against wombats' }), madeEntry({ doi: '10.5555/fourth' }));
    await sync();
    const [id] = (await listed()).filter((one) => one.startsWith('doi-'));
    await put(
      'other',
      madeEntry({ pmid: THIRD, title: 'Zinc against wombats' }),
      madeEntry({ doi: '10.5555/fourth', pmid: '99002004' }),
    );
    await sync();
    assert.equal((await sourceOf('99002004')).source_id, id);
    assert.equal((await listed()).length, 4);
  });

  describe('rejects the content, names the file and line, and changes no source for', () => {
    const mistakes: [string, string, RegExp][] = [
      [
        'a field that is missing',
        madeEntry({ pmid: THIRD, title: undefined }),
        /other\.yaml:1: field 0 must have required property 'title'/,
      ],
      [
        'a word outside its list',
        madeEntry({ pmid: THIRD, design: 'trial' }),
        /other\.yaml:5: field 0\.design must be .*: meta_analysis, systematic_review, rct/,
      ],
      [
        'a field unknown here',
        madeEntry({ pmid: THIRD, colour: 'blue' }),
        /other\.yaml:16: field 0 .*additional properties: "colour"/,
      ],
      ['a PMID without quotes', madeEntry({ pmid: 99002003 }), /other\.yaml:\d+: field 0\.pmid must be string/],
      [
        'a DOI with its address',
        madeEntry({ doi: 'https://doi.org/10.5555/x' }),
        /other\.yaml:\d+: field 0\.doi must match pattern/,
      ],
      ['an entry without an identifier', madeEntry({}), /other\.yaml:1: field 0 must have required property 'pmid'/],
      ['a year as text', madeEntry({ pmid: THIRD, year: '2020' }), /other\.yaml:3: field 0\.year must be integer/],
      [
        'a summary that says nothing',
        madeEntry({ pmid: THIRD, summary: 'Too short.' }),
        /field 0\.summary must NOT have fewer than 40 characters/,
      ],
      ['no topic', madeEntry({ pmid: THIRD, topics: [] }), /field 0\.topics must NOT have fewer than 1 items/],
      [
        'a supplement that has no page',
        madeEntry({ pmid: THIRD, supplements: ['unobtainium'] }),
        /other\.yaml:12: field 0\.supplements\.0: no supplement is called "unobtainium"/,
      ],
      [
        'a topic that is not in the list',
        madeEntry({ pmid: THIRD, topics: ['colds', 'ennui'] }),
        /other\.yaml:13: field 0\.topics\.1: no topic is called "ennui"/,
      ],
      ['YAML that does not parse', `${madeEntry({ pmid: THIRD })}\n  title: again`, /other\.yaml:\d+: /],
      ['something that is no list', 'pmid: "1"', /other\.yaml:1: must be array/],
      [
        'one source twice in a file',
        [madeEntry({ pmid: THIRD }), madeEntry({ pmid: THIRD })].join('\n'),
        /other\.yaml:16: source 99002003 stands in content\/sources\/other\.yaml already/,
      ],
      [
        'a source of another file',
        madeEntry({ pmid: FIRST }),
        /other\.yaml:1: source 99002001 stands in content\/sources\/zinc\.yaml already/,
      ],
      [
        'a source of another file under its other identifier',
        madeEntry({ doi: '10.5555/second' }),
        /other\.yaml:1: source 10\.5555\/second stands in content\/sources\/zinc\.yaml already/,
      ],
    ];
    for (const [what, text, message] of mistakes) {
      it(what, async () => {
        const [before, last] = [await revisionsOf(base.service), await lastChange(base.service)];
        await content.put('sources/other.yaml', text);
        // A valid change in the same sync must not be stored either.
        await put('new', madeEntry({ pmid: '99002009' }));
        await assert.rejects(sync(), (error) => {
          assert.ok(error instanceof ContentError);
          assert.match(error.message, message);
          assert.match(error.message, /^content\/sources\//);
          return true;
        });
        assert.deepEqual(await revisionsOf(base.service), before);
        assert.equal(await lastChange(base.service), last);
      });
    }
  });

  it('makes the start of a service fail with the same message', async () => {
    await content.put('sources/other.yaml', madeEntry({ pmid: THIRD, design: 'trial' }));
    await assert.rejects(
      startService({ contentDir: content.path() }),
      /^ContentError: content\/sources\/other\.yaml:5: field 0\.design/,
    );
  });
});
