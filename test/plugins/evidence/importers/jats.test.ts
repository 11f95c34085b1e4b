import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { licenseOf } from '#plugins/evidence/importers/license.ts';
import { eventsOf, fixture, needs, problemsIn, recordsIn, tarOf, temporaryFolder } from './support.ts';

describe('jats importer', () => {
  const folder = temporaryFolder();
  const article = (pmid: string): string =>
    `<article><front><article-meta><article-id pub-id-type="pmid">${pmid}</article-id><title-group><article-title>T ${pmid}</article-title></title-group></article-meta></front></article>`;

  it('maps an article with its methods, results, licence, funding and links', async () => {
    const [event] = await eventsOf('jats', fixture('article.nxml'));
    assert.deepEqual(event, {
      type: 'record',
      at: 'article.nxml',
      record: {
        origin: 'jats',
        pmid: '99000011',
        doi: '10.5555/im.11',
        pmcid: 'PMC99000011',
        nctId: 'NCT99000011',
        title: 'Zinc for colds: a randomised trial',
        abstract: 'BACKGROUND: Colds are common. METHODS: We gave zinc to 120 people.',
        authors: ['Writer WQ', 'Zinc Group'],
        journal: 'Invented Medicine',
        year: 2015,
        volume: '7',
        issue: '2',
        pages: '20-29',
        language: 'eng',
        publicationTypes: ['Journal Article', 'Randomized Controlled Trial'],
        meshTerms: [],
        keywords: ['zinc', 'common cold'],
        bodyText: 'Methods Registered as NCT99000011. We randomised 120 adults. 3. Results Colds lasted 10^2 hours.',
        fundingText:
          'Funding: This work was supported by Example Zinc Inc. Grants: Example Research Council. Competing interests: None declared.',
        enrolment: null,
        trialStatus: '',
        trialPhase: '',
        license: 'CC BY-NC',
        openAccessUrl: 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC99000011/',
        retractionStatus: 'corrected',
        stated: null,
      },
    });
  });

  it('yields a retraction notice as a record and as a retraction of the other article', async () => {
    const events = await eventsOf('jats', fixture('retraction-notice.nxml'));
    assert.deepEqual(recordsIn(events)[0]?.publicationTypes, ['Retraction Notice']);
    assert.deepEqual(events[1], {
      type: 'retraction',
      at: 'retraction-notice.nxml',
      pmid: '',
      doi: '10.5555/im.13',
      status: 'retracted',
      reason: '',
    });
  });

  it('detects a retracted article by its forward link or its title', async () => {
    const linked = article('99000012').replace(
      '</article-meta>',
      '<related-article related-article-type="retraction-forward"/></article-meta>',
    );
    const titled = article('99000013').replace('T 99000013', 'RETRACTED ARTICLE: Zinc');
    await mkdir(folder.path('retracted'));
    await folder.put('retracted/a.xml', linked);
    await folder.put('retracted/b.nxml', titled);
    const records = recordsIn(await eventsOf('jats', folder.path('retracted')));
    assert.deepEqual(
      records.map((record) => record.retractionStatus),
      ['retracted', 'retracted'],
    );
  });

  it('reads the articles of an archive, ignores other files and continues after a broken one', async () => {
    const archive = await tarOf({
      'a/one.nxml': article('99000014'),
      'a/picture.jpg': 'no article',
      'a/broken.nxml': '<article><front></article>',
      'a/page.xml': '<html><body>gone</body></html>',
      'a/long.xml': `<html>${'x'.repeat(500_000)}`,
      'a/empty.xml': '',
      'a/two.xml': article('99000015'),
    });
    for (const [name, bytes] of [
      ['articles.tar', archive],
      ['articles.tgz', gzipSync(archive)],
    ] as const) {
      const events = await eventsOf('jats', await folder.put(name, bytes));
      assert.deepEqual(
        recordsIn(events).map((record) => record.pmid),
        ['99000014', '99000015'],
      );
      const problems = problemsIn(events);
      assert.equal(problems.length, 4);
      assert.match(problems[0] ?? '', new RegExp(`^${name} › a/broken\\.nxml: is malformed XML and was left out: `));
      assert.equal(problems[1], `${name} › a/page.xml: holds an HTML page, not a JATS article`);
      assert.equal(problems[2], `${name} › a/long.xml: holds an HTML page, not a JATS article`);
      assert.equal(problems[3], `${name} › a/empty.xml: is empty`);
    }
  });

  it('reads the members before the end of a truncated archive', async () => {
    const archive = await tarOf({ 'one.xml': article('99000016'), 'two.xml': article('99000017').padEnd(5000, ' ') });
    const cut = await eventsOf('jats', await folder.put('cut.tar', archive.subarray(0, 2500)));
    assert.deepEqual(recordsIn(cut)[0]?.pmid, '99000016');
    assert.match(problemsIn(cut).join('; '), /cut short/);
    const packed = gzipSync(archive);
    const gzip = await eventsOf('jats', await folder.put('cut.tar.gz', packed.subarray(0, packed.length - 10)));
    assert.match(problemsIn(gzip).join('; '), /cut\.tar\.gz: ends in the middle of its gzip data/);
  });

  it('rejects an invalid archive, an archive without articles, and XML of another kind', async () => {
    const events = [
      await eventsOf('jats', await folder.put('not.tar.gz', gzipSync('hello'))),
      await eventsOf('jats', await folder.put('plain.tgz', 'hello')),
      await eventsOf('jats', await folder.put('none.tar', await tarOf({ 'a.txt': 'x' }))),
      await eventsOf('jats', await folder.put('other.nxml', '<book/>')),
    ];
    assert.deepEqual(events.flatMap(problemsIn), [
      'not.tar.gz: is named like a tar archive but holds none',
      'plain.tgz: is named .gz but holds no gzip data',
      'none.tar: is an archive without an .xml or .nxml file',
      'other.nxml: holds <book>, not a JATS article',
    ]);
  });

  it('reads several articles in one file, as in an efetch response', async () => {
    const path = await folder.put(
      'set.xml',
      `<pmc-articleset>${article('99000018')}${article('99000019')}</pmc-articleset>`,
    );
    const events = await eventsOf('jats', path);
    assert.deepEqual(
      events.map((event) => event.at),
      ['set.xml › article 1', 'set.xml › article 2'],
    );
  });

  it('derives licences from URLs, types and text, and chooses the stricter of two', () => {
    const by = 'http://creativecommons.org/licenses/by/4.0/';
    assert.equal(licenseOf([by], 'open-access', ''), 'CC BY');
    assert.equal(licenseOf([by, 'https://creativecommons.org/licenses/by-nc/4.0/legalcode'], '', ''), 'CC BY-NC');
    assert.equal(licenseOf([], 'CC BY-NC-ND', ''), 'CC BY-NC-ND');
    assert.equal(licenseOf([], 'creativeCommonsBy-nc', ''), 'CC BY-NC');
    assert.equal(licenseOf([], '', 'under the Creative Commons Attribution Non-Commercial License'), 'CC BY-NC');
    assert.equal(licenseOf([], '', 'Creative Commons Attribution License, which permits unrestricted use'), 'CC BY');
    assert.equal(licenseOf(['http://creativecommons.org/publicdomain/zero/1.0/'], '', ''), 'CC0');
    assert.equal(licenseOf([], 'open-access', 'This is an open access article.'), '');
  });

  it('agrees with the table of 1,100 real articles on PMID, DOI, licence and title', async function () {
    const table = await readFile(needs(this, 'jats/articles.tsv'), 'utf8');
    const rows = new Map(
      table
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => [line.split('\t')[0], line.split('\t')]),
    );
    const events = await eventsOf('jats', needs(this, 'jats/articles.tar.gz'));
    const records = recordsIn(events);
    const differing = { pmid: 0, doi: 0, license: 0, title: 0 };
    const plain = (text = ''): string =>
      text
        .normalize('NFKC')
        .replace(/[\s\u200e]+/g, ' ')
        .replace(/\s*[☆1]+$/, '')
        .replace(/^"|"$/g, '')
        .replaceAll('""', '"')
        .trim();
    for (const record of records) {
      const [, pmid, doi = '', license, , title] = rows.get(record.pmcid) ?? [];
      if (record.pmid !== pmid) differing.pmid += 1;
      if (record.doi !== doi.toLowerCase()) differing.doi += 1;
      if (record.license !== license) differing.license += 1;
      if (!plain(record.title).startsWith(plain(title))) differing.title += 1;
      assert.ok(record.year !== null && record.year > 1980 && record.year < 2020, record.pmcid);
    }
    assert.equal(records.length, 1098);
    // For 7 articles without a PMID the table contains that of a cited article; one article links two licences.
    assert.deepEqual(differing, { pmid: 7, doi: 0, license: 1, title: 0 });
    assert.deepEqual(problemsIn(events), [
      'articles.tar.gz › PMC3571135.nxml: has neither PMID, DOI nor NCT id',
      'articles.tar.gz › PMC3571142.nxml: has neither PMID, DOI nor NCT id',
    ]);
    const share = (has: (record: (typeof records)[number]) => boolean): number =>
      records.filter(has).length / records.length;
    assert.ok(share((record) => record.abstract !== '') > 0.97);
    assert.ok(share((record) => record.bodyText !== '' && record.bodyText.length <= 60_000) > 0.97);
    assert.ok(share((record) => record.fundingText !== '') > 0.9);
  });
});
