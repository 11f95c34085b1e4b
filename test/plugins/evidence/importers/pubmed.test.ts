import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { importerOf } from '#plugins/evidence/importers/index.ts';
import {
  eventsOf,
  fixture,
  needs,
  problemsIn,
  pubmedArticle,
  pubmedSet,
  recordsIn,
  temporaryFolder,
} from './support.ts';

describe('pubmed importer', () => {
  const folder = temporaryFolder();

  it('maps an article with its ids, authors, abstract sections, keywords, funding and status', async () => {
    const [record] = recordsIn(await eventsOf('pubmed', fixture('pubmed.xml')));
    assert.deepEqual(record, {
      origin: 'pubmed',
      pmid: '99000001',
      doi: '10.5555/jin.0001',
      pmcid: 'PMC99000001',
      nctId: 'NCT99000001',
      title: 'Magnesium and Lactobacillus at 10^9 CFU: a 25-OH-D3 trial with p < 0.05.',
      abstract: 'BACKGROUND: Sleep is short & poor. METHODS: We randomised 64 adults (NCT99000002). A closing line.',
      authors: ["O'Example AB", 'Müster JK', 'Invented Sleep Group'],
      journal: 'Journal of Invented Nutrition',
      year: 2022,
      volume: '12',
      issue: '3',
      pages: '101-110',
      language: 'eng',
      publicationTypes: ['Journal Article', 'Randomized Controlled Trial'],
      meshTerms: ['Humans', 'Magnesium', 'magnesium bisglycinate'],
      keywords: ['insomnia', 'magnesium salts'],
      bodyText: '',
      fundingText:
        'Grants: NCCIH NIH HHS; Example Wellness Ltd. Competing interests: A.B.O. has received fees from Example Wellness Ltd.',
      enrolment: null,
      trialStatus: '',
      trialPhase: '',
      license: '',
      openAccessUrl: 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC99000001/',
      retractionStatus: 'corrected',
      stated: null,
    });
  });

  it('reads years from MedlineDate and ArticleDate, and uses the original title when there is no translation', async () => {
    const records = recordsIn(await eventsOf('pubmed', fixture('pubmed.xml')));
    assert.deepEqual(
      records.map((record) => [record.pmid, record.year, record.retractionStatus]),
      [
        ['99000001', 2022, 'corrected'],
        ['99000002', 1998, 'retracted'],
        ['99000003', 2001, 'none'],
        ['99000004', 2019, 'concern'],
        ['99000005', 2018, 'none'],
      ],
    );
    assert.equal(records[1]?.title, 'Magnesium im Schlaf & im Traum');
  });

  it('maps a book chapter with the book as its journal', async () => {
    const chapter = recordsIn(await eventsOf('pubmed', fixture('pubmed.xml'))).at(-1);
    assert.equal(chapter?.title, 'Ashwagandha');
    assert.equal(chapter?.journal, 'Handbook of Invented Herbs');
    assert.deepEqual(chapter?.authors, ['Writer W']);
    assert.deepEqual(chapter?.publicationTypes, ['Review']);
  });

  it('yields deletions, the retraction in a notice, and a problem for a record without ids', async () => {
    const events = await eventsOf('pubmed', fixture('pubmed.xml'));
    assert.deepEqual(
      events.filter((event) => event.type !== 'record'),
      [
        { type: 'retraction', at: 'pubmed.xml › record 3', pmid: '99000002', doi: '', status: 'retracted', reason: '' },
        { type: 'problem', at: 'pubmed.xml › record 5', message: 'has neither PMID, DOI nor NCT id' },
        { type: 'deletion', at: 'pubmed.xml › record 7', pmid: '99000008' },
        { type: 'deletion', at: 'pubmed.xml › record 7', pmid: '99000009' },
      ],
    );
  });

  it('resumes at the next record after a malformed one, and reports file, record and PMID', async () => {
    const broken = pubmedArticle(99000062).replace('</Journal>', '</Jornal>');
    const unclosed = pubmedArticle(99000063).replace('</PubmedArticle>', '');
    const path = await folder.put(
      'broken.xml',
      pubmedSet(pubmedArticle(99000061), broken, unclosed, pubmedArticle(99000064)),
    );
    const events = await eventsOf('pubmed', path);
    assert.deepEqual(
      recordsIn(events).map((record) => record.pmid),
      ['99000061', '99000064'],
    );
    const problems = problemsIn(events);
    assert.equal(problems.length, 2);
    assert.match(problems[0] ?? '', /^broken\.xml › record 2: \(PMID 99000062\) is malformed XML and was left out: /);
    assert.match(problems[1] ?? '', /^broken\.xml › record 3: has no <\/PubmedArticle> before the next record begins$/);
  });

  it('yields the records before the end of a truncated plain or gzip file, and reports the truncation', async () => {
    const whole = pubmedSet(...Array.from({ length: 40 }, (_, index) => pubmedArticle(99000100 + index)));
    const middle = await eventsOf('pubmed', await folder.put('cut.xml', whole.slice(0, -100)));
    assert.equal(recordsIn(middle).length, 39);
    assert.match(
      problemsIn(middle).join(),
      /cut\.xml › record 40: ends before <\/PubmedArticle>: the file is cut short/,
    );
    const after = await eventsOf(
      'pubmed',
      await folder.put('tail.xml', whole.slice(0, whole.lastIndexOf('</PubmedArticleSet'))),
    );
    assert.equal(recordsIn(after).length, 40);
    assert.match(problemsIn(after).join(), /tail\.xml: ends before <\/PubmedArticleSet>: the file is cut short/);
    const packed = gzipSync(whole);
    const gzip = await eventsOf('pubmed', await folder.put('cut.xml.gz', packed.subarray(0, -12)));
    assert.ok(recordsIn(gzip).length >= 38, `${recordsIn(gzip).length} records`);
    assert.match(problemsIn(gzip).join(), /cut\.xml\.gz: ends in the middle of its gzip data: the file is cut short/);
  });

  it('reads a folder in order of file name, including .gz, and continues after a damaged file', async () => {
    await mkdir(folder.path('updates'));
    await folder.put('updates/pubmed26n0002.xml.gz', gzipSync(pubmedSet(pubmedArticle(99000072))));
    await folder.put('updates/pubmed26n0001.xml', pubmedSet(pubmedArticle(99000071)));
    await folder.put('updates/pubmed26n0003.xml.gz', 'no gzip');
    await folder.put('updates/pubmed26n0003.xml.gz.md5', 'ignored');
    await folder.put('updates/pubmed26n0004.xml', pubmedSet(pubmedArticle(99000074)));
    const events = await eventsOf('pubmed', folder.path('updates'));
    assert.deepEqual(
      recordsIn(events).map((record) => record.pmid),
      ['99000071', '99000072', '99000074'],
    );
    assert.deepEqual(problemsIn(events), ['pubmed26n0003.xml.gz: is named .gz but holds no gzip data']);
  });

  const refusals: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['empty.xml', '', /^empty\.xml: is empty$/],
    ['blank.xml', ' \n\t ', /^blank\.xml: is empty$/],
    ['page.xml', '<!DOCTYPE html><html><body>503</body></html>', /holds an HTML page, not PubMed XML$/],
    ['json.xml', '{"error":"API rate limit exceeded"}', /holds JSON, not PubMed XML$/],
    ['words.xml', 'Error occurred', /holds text, not PubMed XML$/],
    ['binary.xml', new Uint8Array(2000).fill(0), /holds binary data, not PubMed XML$/],
    ['zip.xml', 'PK\u0003\u0004rest', /holds a ZIP archive, not PubMed XML$/],
    ['other.xml', '<eFetchResult><ERROR>no history</ERROR></eFetchResult>', /holds <eFetchResult>, not PubMed XML$/],
    [
      'encoding.xml',
      '<?xml version="1.0" encoding="klingon-1"?><PubmedArticleSet/>',
      /declares an encoding unknown here, "klingon-1"$/,
    ],
  ];
  for (const [name, content, message] of refusals) {
    it(`reports exactly one problem for ${name}`, async () => {
      const events = await eventsOf('pubmed', await folder.put(name, content));
      assert.equal(events.length, 1);
      assert.match(problemsIn(events)[0] ?? '', message);
    });
  }

  it('reports a path that does not exist, and a folder without matching files', async () => {
    assert.deepEqual(problemsIn(await eventsOf('pubmed', folder.path('nowhere.xml'))), ['nowhere.xml: does not exist']);
    await mkdir(folder.path('bare'));
    assert.deepEqual(problemsIn(await eventsOf('pubmed', folder.path('bare'))), [
      'bare: is a folder without a file of this kind',
    ]);
  });

  it('yields no events for an empty result set', async () => {
    assert.deepEqual(await eventsOf('pubmed', await folder.put('none.xml', pubmedSet())), []);
    assert.deepEqual(await eventsOf('pubmed', await folder.put('none2.xml', '<PubmedArticleSet/>')), []);
  });

  it('decodes UTF-16 and declared Latin-1, and reports bytes that are invalid in the encoding', async () => {
    const xml = pubmedSet(pubmedArticle(99000081, 'Schlaf für Müde'));
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml.replace('utf-8', 'utf-16'), 'utf16le')]);
    const latin = Buffer.from(xml.replace('utf-8', 'iso-8859-1'), 'latin1');
    for (const bytes of [wide, latin]) {
      const events = await eventsOf('pubmed', await folder.put('encoded.xml', bytes));
      assert.deepEqual(
        recordsIn(events).map((record) => record.title),
        ['Schlaf für Müde'],
      );
      assert.deepEqual(problemsIn(events), []);
    }
    const wrong = await eventsOf('pubmed', await folder.put('wrong.xml', Buffer.from(xml, 'latin1')));
    assert.equal(recordsIn(wrong)[0]?.title, 'Schlaf f\ufffdr M\ufffdde');
    assert.match(problemsIn(wrong).join(), /^wrong\.xml: has bytes that are not UTF-8/);
  });

  it('expands no custom entities, and removes control characters', async () => {
    const bomb =
      '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">';
    const article = pubmedArticle(99000082, 'A&b;\u0000B &x; &beta;-glucan &#0; C\u0007 &lt;i&gt;D&lt;/i&gt; \u202eE');
    const xml = `<?xml version="1.0"?><!DOCTYPE PubmedArticleSet [${bomb}]><PubmedArticleSet>${article}</PubmedArticleSet>`;
    const [record] = recordsIn(await eventsOf('pubmed', await folder.put('bomb.xml', Buffer.from(xml))));
    assert.equal(record, undefined, 'NUL near the start: binary');
    const [second] = recordsIn(
      await eventsOf('pubmed', await folder.put('bomb2.xml', xml.replace('\u0000', '\u0001'))),
    );
    assert.equal(second?.title, 'A&b;B &x; β-glucan C D E');
  });

  it('rejects a record nested too deeply, and continues with the next', async () => {
    const deep = pubmedArticle(99000083, `${'<i>'.repeat(50_000)}x${'</i>'.repeat(50_000)}`);
    const events = await eventsOf('pubmed', await folder.put('deep.xml', pubmedSet(deep, pubmedArticle(99000084))));
    assert.deepEqual(
      recordsIn(events).map((record) => record.pmid),
      ['99000084'],
    );
    assert.match(problemsIn(events)[0] ?? '', /nested more than 200 deep/);
  });

  it('stops immediately when aborted, and rejects with the reason', async () => {
    const path = await folder.put(
      'long.xml',
      pubmedSet(...Array.from({ length: 500 }, (_, index) => pubmedArticle(99000100 + index))),
    );
    const stop = new AbortController();
    let count = 0;
    await assert.rejects(async () => {
      for await (const _ of importerOf('pubmed')!.read(path, stop.signal)) {
        count += 1;
        if (count === 10) stop.abort(new Error('enough'));
      }
    }, /enough/);
    assert.equal(count, 10);
    await assert.rejects(eventsOf('pubmed', path, AbortSignal.abort(new Error('not at all'))), /not at all/);
  });

  it('reads 100 MB with bounded heap growth', async () => {
    const path = folder.path('big.xml');
    const file = createWriteStream(path);
    const filler = `<Abstract><AbstractText>${'Magnesium and sleep in adults. '.repeat(120)}</AbstractText></Abstract></Article>`;
    file.write('<?xml version="1.0"?><PubmedArticleSet>');
    const total = 25_000;
    for (let index = 0; index < total; index += 500) {
      const articles = Array.from({ length: 500 }, (_, at) =>
        pubmedArticle(99000000 + index + at).replace('</Article>', filler),
      );
      if (!file.write(articles.join('\n'))) await once(file, 'drain');
    }
    file.end('</PubmedArticleSet>');
    await once(file, 'close');
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;
    let [count, growth] = [0, 0];
    for await (const event of importerOf('pubmed')!.read(path, new AbortController().signal)) {
      if (event.type === 'record') count += 1;
      if (count % 5000 !== 0) continue;
      collect();
      growth = Math.max(growth, process.memoryUsage().heapUsed - before);
    }
    assert.equal(count, total);
    assert.ok(growth < 16e6, `the heap grew by ${Math.round(growth / 1e6)} MB`);
  });

  it('reads all 94 real records with PMID, title, year and journal', async function () {
    const records = recordsIn(await eventsOf('pubmed', needs(this, 'pubmed')));
    assert.equal(records.length, 94);
    assert.ok(records.every((record) => /^\d{8}$/.test(record.pmid) && record.title !== '' && record.journal !== ''));
    assert.ok(records.every((record) => record.year !== null && record.year > 1990));
    const trial = records.find((record) => record.pmid === '29768149');
    assert.equal(trial?.doi, '10.1056/nejmoa1715274');
    assert.equal(trial?.nctId, 'NCT02149199');
    assert.match(
      trial?.abstract ?? '',
      /^BACKGROUND: .* inhaled glucocorticoid plus a fast-acting β 2-agonist .* METHODS: /,
    );
  });
});
