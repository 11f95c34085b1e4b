/** Tests `npm run import -- fda-labels` and `npm run labels`, from openFDA and DailyMed files to a rule on the page. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { contentCheckCommand } from '#core/content-check/command.ts';
import { syncContent } from '#core/content-sync.ts';
import { plugins } from '#plugins/index.ts';
import { LABEL_COLUMNS } from '#plugins/interactions/rules/label-table.ts';
import { runCommand } from '../../support/command.ts';
import { type Finished, runProgram } from '../../support/program.ts';
import { startService, type TestService } from '../../support/service.ts';
import { madeZip } from '../../support/zip.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { type MadeLabel, openFdaAnswer, setIdOf, splDocument } from './made-labels.ts';
import { putContent } from './rule-content.ts';

const ZINC_SENTENCE = 'Take simvastatin at least 2 hours before zinc supplements.';
const SIMVASTATIN: MadeLabel = {
  setId: setIdOf(1),
  generic: 'SIMVASTATIN',
  brand: 'Zocor',
  sections: {
    drug_interactions: `7 DRUG INTERACTIONS ${ZINC_SENTENCE} Avoid grapefruit juice [see Warnings (5.1)]. Nothing else is known.`,
    dosage_and_administration: `2 DOSAGE Swallow the tablet whole. Avoid grapefruit juice [see Warnings (5.2)].`,
  },
  table: [
    ['Interacting agents', 'What to do'],
    ["St. John's wort", 'Do not take it with simvastatin'],
  ],
};

const HEAD = 'id state supplement medicine set_id version date section label sentence before reason'.split(' ');
type Row = Readonly<Record<string, string>>;

/** Replaces durations, which differ between runs. */
const steady = (text: string): string => text.replace(/ in \d+\.\d s \(\d+ labels\/s\)/g, ' in … s');

describe('npm run import -- fda-labels', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  const work = temporaryFolder();
  let service: TestService;
  before(async () => {
    service = await startService();
    await mkdir(work.path('interactions'), { recursive: true });
  });
  after(() => service.stop());

  const put = (...rows: readonly (readonly string[])[]): Promise<string> =>
    work.put('interactions/labels.tsv', [LABEL_COLUMNS, ...rows].map((cells) => `${cells.join('\t')}\n`).join(''));
  const read = async (name: string): Promise<string> =>
    readFile(work.path(`interactions/${name}`), 'utf8').catch(() => '');
  const rows = async (): Promise<Row[]> =>
    (await read('label-candidates.tsv'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Object.fromEntries(line.split('\t').map((cell, at) => [HEAD[at] ?? '', cell])));
  const pairs = async (state = 'new'): Promise<string[]> =>
    (await rows()).filter((row) => row.state === state).map((row) => `${row.supplement}/${row.medicine}`);
  const idOf = async (supplement: string, medicine = 'simvastatin'): Promise<string> =>
    (await rows()).find((row) => row.supplement === supplement && row.medicine === medicine)?.id ?? 'none';
  const bring = (...paths: readonly string[]): Promise<Finished> =>
    runCommand(['import', 'fda-labels', '--content', work.path(), ...paths], service.environment);
  const labels = (...args: readonly string[]): Promise<Finished> =>
    runCommand(['labels', ...args, '--content', work.path()], service.environment);
  /** Resets the work folder to these confirmed rows and no candidates. */
  const fresh = async (...confirmed: readonly (readonly string[])[]): Promise<void> => {
    await put(...confirmed);
    await work.put('interactions/label-candidates.tsv', `${HEAD.join('\t')}\n`);
  };

  it('lists each sentence on a supplement or food once, with its section, date, version and label', async () => {
    await fresh();
    const path = await files.put('answer.json', openFdaAnswer(SIMVASTATIN));
    const done = await runProgram(['import', 'fda-labels', '--content', work.path(), path], service.environment);
    assert.equal(done.stderr, '');
    assert.equal(
      steady(done.stdout),
      [
        '1 labels read, 0 of no medicine left out, 0 skipped in … s',
        'sentences: 3 that nobody has read (3 of them new), 0 behind a rule, 0 read and left out, 0 on a pair that another label settled, 0 withdrawn',
        'quotes of rules: 0 stand, 0 changed, 0 moved',
        'interactions/label-candidates.tsv is up to date: npm run labels -- list',
        '',
      ].join('\n'),
    );
    assert.equal(done.status, 0);
    assert.deepEqual(
      (await rows()).map(({ state, supplement, section, sentence, date, version, label }) => [
        state,
        supplement,
        section,
        sentence,
        date,
        version,
        label,
      ]),
      [
        ['grapefruit', 'drug_interactions', 'Avoid grapefruit juice [see Warnings (5.1)].'],
        ['st-johns-wort', 'drug_interactions_table', "St. John's wort | Do not take it with simvastatin"],
        ['zinc', 'drug_interactions', `7 DRUG INTERACTIONS ${ZINC_SENTENCE}`],
      ].map((cells) => ['new', ...cells, '2026-07-01', '1', 'Zocor; oral; Made Class [EPC]']),
    );
  });

  it('changes nothing when the same labels are imported again gzipped, zipped or as SPL', async () => {
    const before = await read('label-candidates.tsv');
    const xml = splDocument(SIMVASTATIN);
    const inner = madeZip({ '1/simvastatin.xml': xml, '1/picture.jpg': 'not read' });
    const paths = [
      await files.put('answer.json.gz', gzipSync(openFdaAnswer(SIMVASTATIN))),
      await files.put('part.json.zip', madeZip({ 'drug-label-0001-of-0013.json': openFdaAnswer(SIMVASTATIN) })),
      await files.put('one.xml', xml),
      await files.put('dm_spl_release.zip', madeZip({ 'prescription/20260701_1.zip': inner, 'readme.txt': 'x' })),
    ];
    for (const path of paths) {
      const { stdout, status } = await bring(path);
      assert.match(stdout, /^1 labels read, .*\nsentences: 3 that nobody has read \(0 of them new\)/, path);
      assert.match(stdout, /\nNothing changed\.\n$/);
      assert.equal(status, 0);
    }
    assert.equal(await read('label-candidates.tsv'), before);
    const folder = await bring(files.path());
    assert.match(folder.stdout, /^5 labels read, /);
    assert.equal(await read('label-candidates.tsv'), before);
  });

  it('omits labels that are not of medicines, names every part of a kit, and reports an unknown medicine', async () => {
    await fresh();
    const text = 'Avoid magnesium supplements.';
    const sections = { drug_interactions: text };
    const otc = { type: 'HUMAN OTC DRUG', sections };
    await files.put(
      'other/answer.json',
      openFdaAnswer(
        { setId: setIdOf(2), generic: 'CHAMOMILE', route: 'TOPICAL', ...otc },
        { setId: setIdOf(3), generic: 'LICORICE', ...otc },
        { setId: setIdOf(4), generic: 'CIMETIDINE', ...otc },
        { setId: setIdOf(5), generic: 'MADEAMINE', sections },
        { setId: setIdOf(6), generic: 'AMLODIPINE BESYLATE AND ATORVASTATIN CALCIUM', sections },
        // openFDA could not match this label, so its names occur only in the product text.
        { setId: setIdOf(7), brand: 'Tivicay dolutegravir sodium', sections },
      ),
    );
    await files.put(
      'other/kit.xml',
      splDocument({ setId: setIdOf(8), sections }, { parts: ['OMEPRAZOLE', 'AMOXICILLIN', 'CLARITHROMYCIN'] }),
    );
    const { stdout, status } = await bring(files.path('other'));
    assert.match(stdout, /^7 labels read, 2 of no medicine left out, 0 skipped/);
    assert.match(stdout, /\n {2}1 labels are about a medicine that the list of medicines lacks\n/);
    assert.equal(status, 0);
    assert.deepEqual(await pairs(), [
      'magnesium/amlodipine and atorvastatin',
      'magnesium/amoxicillin, clarithromycin and omeprazole',
      'magnesium/cimetidine',
      'magnesium/dolutegravir',
      'magnesium/madeamine',
    ]);
  });

  it('does not treat salts, laboratory values and receptors as supplements', async () => {
    await fresh();
    const drug_interactions = [
      'Losartan potassium tablets are taken once a day.',
      'Monitor serum potassium and calcium levels.',
      'Calcium channel blockers lower blood pressure.',
      'Creatine kinase may rise.',
      'Avoid salt substitutes.',
      'Separate it from medicines with polyvalent cations.',
      'Patients should avoid St. Johns Wort and CoQ10.',
    ].join(' ');
    const path = await files.put(
      'names.json',
      openFdaAnswer({ setId: setIdOf(9), generic: 'LOSARTAN POTASSIUM', sections: { drug_interactions } }),
    );
    assert.equal((await bring(path)).status, 0);
    assert.deepEqual(
      await pairs(),
      ['calcium', 'coenzyme-q10', 'iron', 'magnesium', 'potassium', 'st-johns-wort', 'zinc'].map(
        (slug) => `${slug}/losartan`,
      ),
    );
    assert.equal(
      (await rows()).find(({ supplement }) => supplement === 'potassium')?.sentence,
      'Avoid salt substitutes.',
    );
  });

  it('reports hostile, truncated and foreign files and imports the valid file beside them', async () => {
    await fresh();
    const good = splDocument(SIMVASTATIN);
    const deep = `<document><setId root="${setIdOf(10)}"/>${'<section>'.repeat(5_000)}`;
    const laughs = `<!DOCTYPE document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
    const secret = await files.put('secret.txt', 'zinc from a file of this machine');
    const outside = `<!DOCTYPE document [<!ENTITY x SYSTEM "file://${secret}">]>`;
    const sections = (text: string) => ({ drug_interactions: text });
    const broken: Readonly<Record<string, string | Buffer>> = {
      'bad/a-deep.xml': deep,
      'bad/b-cut.xml': good.slice(0, -200),
      'bad/c-other.xml': '<feed><entry/></feed>',
      'bad/d-page.xml': '<!doctype html><html></html>',
      'bad/e-empty.json': '',
      'bad/f-text.json': 'no labels here',
      'bad/g-cut.json': openFdaAnswer(SIMVASTATIN).slice(0, 400),
      'bad/h-no-label.json': '{"results": [{"a": 1}]}',
      'bad/i-cut.zip': madeZip({ 'a.json': openFdaAnswer(SIMVASTATIN) }).subarray(0, -30),
      'bad/j-none.zip': madeZip({ 'readme.txt': 'x' }),
      'bad/k-nested.zip': madeZip({ 'a.zip': madeZip({ 'b.zip': madeZip({ 'c.xml': good }) }) }),
      'bad/l-laughs.xml': splDocument(
        { ...SIMVASTATIN, setId: setIdOf(11), sections: sections('Avoid garlic.') },
        { head: laughs },
      ).replace('Avoid garlic', 'Avoid garlic &b;'),
      'bad/m-outside.xml': splDocument(
        { ...SIMVASTATIN, setId: setIdOf(12), sections: sections('Avoid ginkgo.') },
        { head: outside },
      ).replace('Avoid ginkgo', 'Avoid ginkgo &x;'),
      'bad/z-good.xml': good,
    };
    for (const [name, content] of Object.entries(broken)) await files.put(name, content);
    const { stdout, status } = await bring(files.path('bad'));
    assert.match(stdout, /^3 labels read, 0 of no medicine left out, 11 skipped/);
    assert.deepEqual(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('  skipped'))
        .map((line) => line.replace(/(well-formed XML): .*/, '$1')),
      [
        '  skipped a-deep.xml: is no well-formed XML',
        '  skipped b-cut.xml: is no well-formed XML',
        '  skipped c-other.xml: is no drug label: it has no setId',
        '  skipped d-page.xml: holds an HTML page, not drug labels',
        '  skipped e-empty.json: is empty',
        '  skipped f-text.json: holds neither JSON nor XML',
        '  skipped g-cut.json: is cut short: it ends inside the record of line 10',
        '  skipped h-no-label.json › line 1: is no drug label: it has no set_id',
        '  skipped i-cut.zip: is no whole ZIP archive: its directory is missing',
        '  skipped j-none.zip: is an archive without a file of this kind (.json, .xml)',
        '  skipped k-nested.zip › a.zip: is an archive without a file of this kind (.json, .xml)',
      ],
    );
    assert.equal(status, 1);
    const text = await read('label-candidates.tsv');
    assert.match(text, /\tAvoid garlic &b;\.\t/);
    assert.match(text, /\tAvoid ginkgo &x;\.\t/);
    assert.ok(!text.includes('from a file of this machine'));
    const wrong = await bring(files.path('nowhere.json'));
    assert.equal(wrong.stdout, `${files.path('nowhere.json')}: there is no such file or folder\n`);
    assert.equal(wrong.status, 1);
    assert.equal((await runCommand(['import', 'fda-labels'], service.environment)).status, 2);
    assert.equal((await runCommand(['import', 'fda-labels', '--nothing', 'x'], service.environment)).status, 2);
  });

  it('does not list dismissed sentences again in any format', async () => {
    await fresh();
    const path = await files.put('answer.json', openFdaAnswer(SIMVASTATIN));
    await bring(path);
    const id = await idOf('grapefruit');
    const done = await labels('dismiss', id, 'st-johns-wort/simvastatin', '--reason', 'a sentence of this test');
    assert.equal(done.stdout, '2 dismissed.\n');
    const { stdout } = await bring(await files.put('one.xml', splDocument(SIMVASTATIN)));
    assert.match(stdout, /sentences: 1 that nobody has read \(0 of them new\), 0 behind a rule, 2 read and left out/);
    assert.deepEqual(await pairs(), ['zinc/simvastatin']);
    const list = await labels('list');
    assert.match(
      list.stdout,
      /^zinc\/simvastatin {2}Zocor; oral.*\n {2}\w{12} {2}new {2}2026-07-01 {2}drug_interactions: 7 DRUG/,
    );
    assert.match(list.stdout, /In all: (?:2 dismissed, 1 new|1 new, 2 dismissed)\.\n$/);
    assert.match((await labels('list', '--state', 'dismissed')).stdout, /\(a sentence of this test\)/);
    const again = await labels('dismiss', id, '--reason', 'twice');
    assert.match(again.stderr, /is not new/);
    assert.match((await labels('dismiss', id)).stderr, /dismiss needs --reason/);
    assert.match((await labels('dismiss', 'zinc/nothing', '--reason', 'x')).stderr, /has the id or pair zinc\/nothing/);
  });

  describe('a confirmed candidate', () => {
    const site = temporaryFolder();
    before(() => putContent(site));
    const base = useService(() => ({ contentDir: site.path() }));
    const WORDS = ['--affected', 'medicine_lower', '--mechanism', 'chelation', '--severity', 'moderate'];

    it('becomes a row of labels.tsv and a rule on the page, and is recognized by the next import', async () => {
      await fresh();
      const path = await files.put('answer.json', openFdaAnswer(SIMVASTATIN));
      await bring(path);
      const id = await idOf('zinc');
      assert.match(
        (await labels('show', id)).stdout,
        /\nsentence: 7 DRUG INTERACTIONS Take .*\naddress: https:\/\/dailymed/s,
      );
      const done = await labels('confirm', id, ...WORDS, '--hours-before', '2', '--quote', ZINC_SENTENCE);
      assert.equal(done.stdout, 'interactions/labels.tsv:2: added zinc/simvastatin.\n');
      assert.equal(
        (await read('labels.tsv')).split('\n')[1],
        `zinc\tsimvastatin\tmedicine_lower\tchelation\tmoderate\t2\t\t${setIdOf(1)}\t2026-07-01\tdrug_interactions\tsupplement\t${ZINC_SENTENCE}\t`,
      );
      assert.equal(await idOf('zinc'), 'none');
      const { stdout } = await bring(path);
      assert.match(stdout, /sentences: 2 that nobody has read \(0 of them new\), 1 behind a rule/);
      assert.match(stdout, /quotes of rules: 1 stand, 0 changed, 0 moved\nNothing changed/);

      await site.put('interactions/labels.tsv', await read('labels.tsv'));
      await site.put('interactions/label-candidates.tsv', await read('label-candidates.tsv'));
      await syncContent(base.service.runtime, site.path());
      const page = (await base.client.get('/interactions/zinc-simvastatin').expect(200)).text;
      assert.match(
        page,
        /FDA label of simvastatin<\/a>.*Drug interactions, label of 1 July 2026.*<blockquote class="quote">Take simvastatin at least 2 hours/s,
      );
      assert.match(page, new RegExp(`setid=${setIdOf(1)}"`));
    });

    it('is rejected with the invalid column, and nothing is written', async () => {
      const before = await read('labels.tsv');
      const id = await idOf('grapefruit');
      const cases: readonly (readonly [readonly string[], RegExp])[] = [
        [['--affected', 'liver', '--mechanism', 'other', '--severity', 'minor'], /field affected: "liver" is none of/],
        [['--mechanism', 'other', '--severity', 'minor'], /field affected: "" is none of/],
        [[...WORDS, '--hours-after', '100'], /field hours_after/],
        [[...WORDS, '--quote', 'Words that the label lacks.'], /does not stand in the sentence/],
        [[...WORDS, '--medicine', 'madeamine'], /No medicine is called "madeamine"/],
        [[...WORDS, '--names', 'nobody'], /field names/],
      ];
      for (const [words, pattern] of cases) {
        const { stderr, status } = await labels('confirm', id, ...words);
        assert.match(stderr, pattern);
        assert.equal(status, 1);
      }
      assert.match((await labels('confirm', '000000000000', ...WORDS)).stderr, /No candidate has the id/);
      assert.equal((await labels('confirm', ...WORDS)).status, 2);
      assert.equal((await labels('nothing')).status, 2);
      assert.equal((await labels('list', '--state', 'old')).status, 2);
      assert.equal(await read('labels.tsv'), before);
    });

    it('is reported when a newer version changed or moved its sentence, but the rule does not change', async () => {
      const before = await read('labels.tsv');
      const now = 'Take simvastatin at least 4 hours before zinc supplements.';
      const newer = (text: string, more: Partial<MadeLabel> = {}): MadeLabel => ({
        ...SIMVASTATIN,
        effective: '20260901',
        version: 2,
        sections: { drug_interactions: text },
        ...more,
      });
      const changed = await files.put(
        'newer.json',
        openFdaAnswer(newer(`${now} Avoid garlic tablets.`, { table: [] })),
      );
      const { stdout, status } = await bring(changed);
      assert.match(stdout, /sentences: 2 that nobody has read \(2 of them new\), 0 behind a rule, .* 2 withdrawn\n/);
      assert.ok(
        stdout.includes(
          `quotes of rules: 0 stand, 1 changed, 0 moved\n  the sentence behind zinc × simvastatin has changed: before “${ZINC_SENTENCE}”, now “${now}” (label of 2026-09-01, version 2)\n`,
        ),
        stdout,
      );
      assert.equal(status, 0);
      assert.deepEqual(
        [await pairs(), await pairs('changed')],
        [['garlic/simvastatin', 'zinc/simvastatin'], ['zinc/simvastatin']],
      );
      assert.equal(await read('labels.tsv'), before);

      const older = await bring(
        await files.put('older.json', openFdaAnswer({ ...newer('Nothing.'), effective: '20250101' })),
      );
      assert.match(older.stdout, /; 1 times an edition was older than the one that was read\n/);
      assert.deepEqual(await pairs('changed'), ['zinc/simvastatin']);

      // The newer of two versions in one import counts, regardless of order.
      const both = await bring(await files.put('both.json', openFdaAnswer(newer(now), SIMVASTATIN)));
      assert.match(both.stdout, /quotes of rules: 0 stand, 1 changed, 0 moved; 1 times/);

      const gone = await bring(await files.put('gone.json', openFdaAnswer(newer('Nothing is known.', { version: 3 }))));
      assert.match(gone.stdout, /now no sentence in its place \(label of 2026-09-01, version 3\)/);

      const moved = newer('', { version: 4, sections: { warnings_and_cautions: ZINC_SENTENCE } });
      assert.match(
        (await bring(await files.put('moved.json', openFdaAnswer(moved)))).stdout,
        / 1 moved\n {2}the sentence behind zinc × simvastatin has moved from drug_interactions to warnings_and_cautions \(label of 2026-09-01, version 4\)/,
      );

      await bring(await files.put('answer.json', openFdaAnswer({ ...SIMVASTATIN, version: 5, effective: '20261001' })));
      assert.deepEqual([...(await pairs('changed')), ...(await pairs('moved'))], []);
    });

    it('is listed as due by content:check when its label changed, and is replaced by the current sentence', async () => {
      const now = 'Take simvastatin at least 4 hours before zinc supplements.';
      const newer = { ...SIMVASTATIN, version: 6, effective: '20261101', sections: { drug_interactions: now } };
      await bring(await files.put('newer.json', openFdaAnswer(newer)));
      await site.put('interactions/labels.tsv', await read('labels.tsv'));
      await site.put('interactions/label-candidates.tsv', await read('label-candidates.tsv'));
      const due = async (now2: string): Promise<string[]> => {
        const lines: string[] = [];
        const now = () => new Date(now2);
        await contentCheckCommand(['--due', 'interactions/label'], {
          plugins,
          contentDir: site.path(),
          out: (line) => lines.push(line),
          now,
        });
        return lines;
      };
      const [first = '', ...rest] = await due('2026-11-22T12:00:00Z');
      assert.match(
        first,
        /^content\/interactions\/label-candidates\.tsv:\d+: the sentence behind zinc × simvastatin has changed: before “.*2 hours.*”, now “.*4 hours.*” \(label of 2026-11-01, version 6\)$/,
      );
      assert.ok(rest.includes('  1 × label changed'), rest.join('\n'));
      assert.ok(!rest.some((line) => line.includes('read too long ago')));
      assert.ok((await due('2028-11-22T12:00:00Z')).includes('  1 × label read too long ago'));

      const id = (await rows()).find(({ state }) => state === 'changed')?.id ?? 'none';
      assert.match((await labels('dismiss', id, '--reason', 'x')).stderr, /is not new/);
      const done = await labels('confirm', id, '--hours-before', '4');
      assert.equal(
        done.stdout,
        'interactions/labels.tsv:2: replaced zinc/simvastatin.\n'.concat(
          '1 more of this pair: npm run labels -- dismiss "zinc/simvastatin" --reason "another sentence is quoted"\n',
        ),
      );
      assert.match(
        (await read('labels.tsv')).split('\n')[1] ?? '',
        /^zinc\tsimvastatin\tmedicine_lower\tchelation\tmoderate\t4\t\t.*\t2026-11-01\tdrug_interactions\tsupplement\tTake simvastatin at least 4 hours/,
      );
      const { stdout } = await bring(files.path('newer.json'));
      assert.match(stdout, /1 behind a rule.*\nquotes of rules: 1 stand, 0 changed, 0 moved\n/);
      assert.deepEqual(await pairs(), ['st-johns-wort/simvastatin']);
    });

    it('is not reported as changed when a file lacks its section', async () => {
      const quote = 'Tell patients to leave out zinc supplements.';
      const row = `zinc simvastatin medicine_lower chelation moderate   ${setIdOf(1)} 2026-07-01 information_for_patients supplement`;
      await fresh([...row.split(' '), quote, '']);
      const whole = { ...SIMVASTATIN, sections: { information_for_patients: quote }, table: [] };
      const standing = await bring(await files.put('whole.json', openFdaAnswer(whole)));
      assert.match(standing.stdout, /quotes of rules: 1 stand, 0 changed, 0 moved\n/);

      const extract = {
        ...whole,
        version: 2,
        effective: '20260901',
        sections: { dosage_and_administration: 'One a day.' },
      };
      const lacking = await bring(await files.put('extract.json', openFdaAnswer(extract)));
      assert.match(
        lacking.stdout,
        /quotes of rules: 0 stand, 0 changed, 0 moved, 1 from a section that the file lacks\n/,
      );
      assert.deepEqual(await pairs('changed'), []);

      const without = { ...extract, version: 3, sections: { information_for_patients: 'Take one a day.' } };
      const gone = await bring(await files.put('without.json', openFdaAnswer(without)));
      assert.match(gone.stdout, /quotes of rules: 0 stand, 1 changed, 0 moved\n/);
      assert.deepEqual(await pairs('changed'), ['zinc/simvastatin']);

      await bring(await files.put('extract.json', openFdaAnswer({ ...extract, version: 4 })));
      assert.deepEqual(await pairs('changed'), []);
    });
  });
});
