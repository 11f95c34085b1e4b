/** Tests `npm run content:check` on made-up content, with the real plugins. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { contentCheckCommand } from '#core/content-check/command.ts';
import { lix } from '#core/content-check/reading-level.ts';
import { plugins } from '#plugins/index.ts';
import { CAUTION_COLUMNS } from '#plugins/interactions/rules/caution-table.ts';
import { LABEL_COLUMNS } from '#plugins/interactions/rules/label-table.ts';
import { MADE_TOPICS, madeEntry, madeSupplement, temporaryFolder } from '../plugins/evidence/support.ts';

const READ = '99003001';
const ZINC = 'content/supplements/zinc.md';

/** Builds a supplement entry with the text `prose` and one finding that states `statement`. */
const zinc = (prose: string, statement = 'In 90 adults zinc made no difference to the length of a cold.'): string => {
  const finding = `{topic: colds, direction: "null", statement: ${JSON.stringify(statement)}, sources: ["pmid:${READ}"]}`;
  const entry = madeSupplement('Zinc').replace('evidence: []', `evidence: [${finding}]`);
  return entry.replace('\nMade for tests.\n', `\n${prose}\n`);
};

const article = (body: string): string => `---
title: How long a cold lasts in this test
description: A description that is long enough for a search engine to show it as it is.
answer: An answer that is long enough to be an answer, in words and without any number.
author: The editors of this base
published: 2026-11-20
updated: 2026-11-21
about: {supplements: [zinc]}
unknown: [What nobody has measured so far in this made-up base.]
---
${body}
`;

const condition = (more: string): string => `---
name: Colds in this test
synonyms: []
category: immune
topics: [colds]
answer: A made-up condition.
ask: [What is it?, How long does it last?, What helps?]
red_flags: []
${more}further_reading: []
updated_at: 2026-11-21
---
## What it is
Nothing.
`;

describe('content:check', () => {
  const content = temporaryFolder();
  const drop = (path: string): Promise<void> => rm(content.path(path), { force: true });
  const run = async (...args: readonly string[]) => {
    const lines: string[] = [];
    const status = await contentCheckCommand(args, {
      plugins,
      contentDir: content.path(),
      out: (line) => lines.push(line),
      now: () => new Date('2026-11-22T12:00:00Z'),
    });
    return { status, lines };
  };

  beforeEach(async () => {
    for (const path of [
      'articles/one.md',
      'conditions/colds.md',
      'references/trials.yaml',
      'sources/mice.yaml',
      'supplements/iron.md',
    ])
      await drop(path);
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('sources/zinc.yaml', madeEntry({ pmid: READ, doi: '10.5555/Read' }));
    await content.put('supplements/zinc.md', zinc(`Colds went on as before [@pmid:${READ}].`));
  });

  it('reports how many files it read when it finds no problem', async () => {
    assert.deepEqual(await run(), { status: 0, lines: ['3 files were read: nothing to mend.'] });
  });

  const mistakes: readonly (readonly [string, () => Promise<unknown>, RegExp])[] = [
    [
      'a field that its schema refuses, for one file, and what is wrong in the others beside it',
      async () => {
        await content.put('sources/mice.yaml', madeEntry({ pmid: '99003002', design: 'trial' }));
        await content.put('supplements/zinc.md', zinc('Cured [@pmid:1].'));
      },
      /^content\/sources\/mice\.yaml:5: field 0\.design must be [\s\S]*\ncontent\/supplements\/zinc\.md:\d+: text: nothing in content\/ is pmid:1\n2 to mend, in 3 files that were read\.$/,
    ],
    [
      'a figure that nothing stored of the cited source says, in digits',
      () => content.put('supplements/zinc.md', zinc('Fine.', 'In 91 adults zinc made no difference.')),
      /^content\/supplements\/zinc\.md:\d+: evidence\.0\.statement: 91 stands in nothing stored of pmid:99003001: “In 91 adults/,
    ],
    [
      'the same in words, in the text, with its line',
      () =>
        content.put(
          'supplements/zinc.md',
          zinc(`## What the trials show\n\nColds were twelve days long [@pmid:${READ}].`),
        ),
      /^content\/supplements\/zinc\.md:\d+: text: 12 stands in nothing stored of pmid:99003001/,
    ],
    [
      'a result without a source',
      () => content.put('supplements/zinc.md', zinc('## What the trials show\n\nIn 40 adults colds were shorter.')),
      /: text: no source for “In 40 adults colds were shorter\.”\n1 to mend/,
    ],
    [
      'a source that is not in the base',
      () => content.put('supplements/zinc.md', zinc('Colds went on [@doi:10.5555/other].')),
      /: text: nothing in content\/ is doi:10\.5555\/other\n/,
    ],
    [
      'a paper that is listed and unread',
      async () => {
        await content.put(
          'references/trials.yaml',
          '- {pmid: "99003003", title: A trial of zinc, journal: J, year: 2020, publication_types: []}\n',
        );
        await content.put('supplements/zinc.md', zinc('Colds went on [@pmid:99003003].'));
      },
      /: text: pmid:99003003 is listed, and nobody has read it: it cannot be cited\n/,
    ],
    [
      'a source on another supplement',
      async () => {
        await content.put('supplements/iron.md', madeSupplement('Iron'));
        await content.put('sources/mice.yaml', madeEntry({ pmid: '99003002', supplements: ['iron'] }));
        await content.put('supplements/zinc.md', zinc('Colds went on [@pmid:99003002].'));
      },
      /: text: pmid:99003002 does not name supplement:zinc among what it is about\n/,
    ],
    [
      'animals that the sentence keeps to itself',
      async () => {
        await content.put('sources/mice.yaml', madeEntry({ pmid: '99003002', species: 'animal', design: 'animal' }));
        await content.put('supplements/zinc.md', zinc('Colds went on as before [@pmid:99003002].'));
      },
      /: text: pmid:99003002 studied animals, and the text does not say so/,
    ],
    [
      'medical advice without a source',
      () => content.put('articles/one.md', article('A cold ends. Tell the doctor of zinc before an operation.')),
      /^content\/articles\/one\.md:11: text: no source for “Tell the doctor of zinc before an operation\.”\n1 to mend/,
    ],
    [
      'a promise',
      () => content.put('supplements/zinc.md', zinc(`Zinc cures colds [@pmid:${READ}].`)),
      /: text: “cures” promises or orders\n/,
    ],
    [
      'a link to an entry that is not there, and a source twice',
      async () => {
        await content.put('articles/one.md', article('See [iron](../supplements/silver.md).'));
        await content.put('sources/mice.yaml', madeEntry({ doi: '10.5555/READ', pmid: '99003002' }));
      },
      /^content\/sources\/zinc\.yaml: doi:10\.5555\/read stands in content\/sources\/mice\.yaml already\ncontent\/articles\/one\.md:11: text: nothing in content\/ is supplement:silver\n/,
    ],
    [
      'words that are hard to read',
      () =>
        content.put(
          'articles/one.md',
          article(`${'Supplementation interventions demonstrate considerable heterogeneity '.repeat(12)}.`),
        ),
      /^content\/articles\/one\.md:11: text: is hard to read \(LIX \d+, 65 at most\)/,
    ],
    [
      'a day that is still to come',
      () => content.put('articles/one.md', article('Nothing.').replace('updated: 2026-11-21', 'updated: 2026-11-23')),
      /^content\/articles\/one\.md: updated_at: 2026-11-23 is still to come\n/,
    ],
    [
      'a change that is told and is later than the last edit',
      () =>
        content.put(
          'articles/one.md',
          article('Nothing.').replace(
            '\n---\nNothing',
            '\nchanges: [{date: 2026-11-22, what: "Says now what was not measured."}]\n---\nNothing',
          ),
        ),
      /^content\/articles\/one\.md: updated_at: 2026-11-22 is later than the last edit, 2026-11-21\n/,
    ],
    [
      'a rule, a caution and a substance that a condition names and that are not there',
      () =>
        content.put(
          'conditions/colds.md',
          condition('rules: [tin-tea]\ncautions: [tin/pregnancy]\nsubstances: [lead]\n'),
        ),
      /: rules\.0: nothing in content\/ is rule:tin-tea\n.*: cautions\.0: nothing in content\/ is caution:tin\/pregnancy\n.*: substances\.0: nothing in content\/ is substance:lead\n/,
    ],
    [
      'a link in the text of any entry that leads to none, or to a file without a page',
      () =>
        content.put('supplements/zinc.md', zinc('See [tin](tin.md), [colds](/conditions/cold) and [this](../x.txt).')),
      /: text: nothing in content\/ is supplement:tin\n.*: text: nothing in content\/ is condition:cold\n.*: text: nothing in content\/ is \.\.\/x\.txt\n/,
    ],
  ];
  for (const [what, spoil, message] of mistakes) {
    it(`finds ${what}`, async () => {
      await spoil();
      const { status, lines } = await run();
      assert.match(lines.join('\n'), message);
      assert.equal(status, 1);
    });
  }

  it('does not treat a label’s words, names such as B12 or a source’s years as claims', async () => {
    await content.put(
      'supplements/zinc.md',
      zinc(`## What the trials show\n\nA label may say “zinc 50 mg”. B12 was not given [@pmid:${READ}].`),
    );
    assert.deepEqual((await run()).lines, ['3 files were read: nothing to mend.']);
  });

  it('reports only findings for paths that contain the argument', async () => {
    await content.put('supplements/zinc.md', zinc('Zinc cures colds.'));
    assert.deepEqual(await run('articles/'), {
      status: 0,
      lines: ['3 files were read: nothing to mend under “articles/”.'],
    });
    assert.match((await run('zinc.md')).lines[0] ?? '', new RegExp(`^${ZINC}`));
    assert.match((await run(ZINC)).lines[0] ?? '', new RegExp(`^${ZINC}`));
  });

  it('counts entries, words, claims and citations by kind', async () => {
    const { lines } = await run('--counts');
    assert.match(lines[0] ?? '', /^\| kind \| entries \| words \| claims \|/);
    assert.ok(
      lines.some((line) => /^\| supplements \| 1 \| \d+ \| 2 \| 1\.00 \| \d+ % of 2 \| 0 \|$/.test(line)),
      lines.join('\n'),
    );
  });

  it('lists entries last verified against their sources more than two years ago', async () => {
    assert.deepEqual((await run('--due')).lines[0], 'Nothing is due for another reading.');
    const old = zinc('Fine.').replace('updated_at: 2026-01-01', 'updated_at: 2024-11-21');
    await content.put('supplements/zinc.md', old);
    assert.deepEqual((await run('--due')).lines.slice(0, 3), [
      `${ZINC}: last verified against its sources on 2024-11-21`,
      '  1 × last verified over two years ago',
      '1 due for another reading.',
    ]);
    assert.equal((await run('--due', 'articles/')).lines[0], 'Nothing is due for another reading.');
  });

  it('lists rules and cautions without an opened source and outdated labels, counted by kind', async () => {
    const row = (names: string, date: string): string =>
      `zinc\tmetformin\tmedicine_lower\tother\tminor\t\t\t00000000-0000-4000-8000-000000000000\t${date}\tdrug_interactions\t${names}\tA quote.\t\n`;
    await content.put('interactions/practice.tsv', `${LABEL_COLUMNS.join('\t')}\n${row('practice', '')}`);
    await content.put(
      'interactions/labels.tsv',
      `${LABEL_COLUMNS.join('\t')}\n${['2024-11-21', '2024-11', '2024-10', '2023', '2026-01-01'].map((date) => row('supplement', date).replace('zinc', `zinc-${date}`)).join('')}`,
    );
    const caution = (condition: string, address: string): string =>
      `zinc\t${condition}\t\tminor\tinform\tpossible\tAn effect.\tAsk a pharmacist.\t${address && 'FDA'}\t${address}\n`;
    await content.put(
      'interactions/cautions.tsv',
      `${CAUTION_COLUMNS.join('\t')}\n${caution('pregnancy', '')}${caution('surgery', 'https://www.fda.gov/x')}`,
    );
    const { lines } = await run('--due', 'interactions/');
    assert.deepEqual(
      lines.filter((line) => !line.includes(': field') && !/: (?:no source for|nothing)/.test(line)).slice(0, 9),
      [
        'content/interactions/cautions.tsv:2: zinc, pregnancy: no source has been opened',
        'content/interactions/labels.tsv:2: zinc-2024-11-21 × metformin: the label is as of 2024-11-21',
        'content/interactions/labels.tsv:4: zinc-2024-10 × metformin: the label is as of 2024-10',
        'content/interactions/labels.tsv:5: zinc-2023 × metformin: the label is as of 2023',
        'content/interactions/practice.tsv:2: zinc × metformin: no source has been opened',
        '  1 × caution without an authority',
        '  3 × label read too long ago',
        '  1 × professional knowledge pending a source',
        '5 due for another reading.',
      ],
    );
    for (const name of ['practice', 'labels', 'cautions']) await drop(`interactions/${name}.tsv`);
  });

  it('rejects what the start of the server would reject in the tables of labels', async () => {
    const row = (quote: string): string =>
      `zinc\tmetformin\tmedicine_lower\tother\tminor\t\t\t00000000-0000-4000-8000-000000000000\t2026-01\tdrug_interactions\tsupplement\t${quote}\t\n`;
    const checked = async (...rows: readonly string[]) => {
      await content.put('interactions/labels.tsv', `${LABEL_COLUMNS.join('\t')}\n${rows.join('')}`);
      const { status, lines } = await run('interactions/labels.tsv');
      return [status, lines[0]];
    };
    assert.deepEqual(await checked(row('x'.repeat(501))), [
      1,
      'content/interactions/labels.tsv:2: field quote: has 1 to 500 characters',
    ]);
    assert.deepEqual(await checked(row('A quote.'), row('Another quote.')), [
      1,
      'content/interactions/labels.tsv:3: zinc × metformin stands there twice',
    ]);
    assert.equal((await checked(row('x'.repeat(500))))[0], 0);
    await drop('interactions/labels.tsv');
  });

  it('prints its usage', async () => {
    assert.deepEqual(await run('one', 'two'), {
      status: 2,
      lines: ['usage: npm run content:check [-- --counts] [-- --due] [<part of a path>]'],
    });
  });

  it('computes LIX by its published formula', () => {
    // The text has eight words in two sentences, and two words are longer than six letters: 4 + 25.
    assert.equal(lix('Colds last for days. Pharmacists sell lozenges always.'), 4 + (100 * 2) / 8);
  });
});
