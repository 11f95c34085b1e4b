/** Tests that import readers take linear work, by counting work instead of time. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableRows } from '#core/import/table-rows.ts';
import { linesOf } from '#core/import/text-stream.ts';
import { parseElement, rawText } from '#core/import/xml-tree.ts';
import { studyPieces } from '#plugins/evidence/importers/json-studies.ts';
import { taggedRecords } from '#plugins/evidence/importers/tagged-records.ts';
import { xmlRecords } from '#plugins/evidence/importers/xml-records.ts';
import { NameSink } from '#plugins/interactions/importers/name-sink.ts';
import { rxnorm } from '#plugins/interactions/importers/rxnorm.ts';
import { UnusableLabel } from '#plugins/interactions/labels/label.ts';
import { parseOpenFdaLabel, withoutTables } from '#plugins/interactions/labels/openfda-label.ts';
import { parseSplLabel } from '#plugins/interactions/labels/spl-label.ts';
import { csvRows } from '#plugins/products/importers/csv-rows.ts';
import { jsonValues } from '#plugins/products/importers/json-values.ts';
import { countWork } from '../../support/work-counter.ts';

const SET_ID = '00000000-0000-4000-8000-000000000000';
const PIECE = 65_536;

async function* pieces(text: string, length = PIECE): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

const readAll = async (from: AsyncIterable<unknown>): Promise<number> => {
  let count = 0;
  for await (const _ of from) count += 1;
  return count;
};

const label = (sections: string): string =>
  `<document xmlns="urn:hl7-org:v3"><setId root="${SET_ID}"/><component><structuredBody>${sections}</structuredBody></component></document>`;
const section = (inner: string, code = '34073-7'): string =>
  `<component><section><code code="${code}"/><text><paragraph>word</paragraph></text>${inner}</section></component>`;

/** Writes an RxNorm folder in which `count` brands and `count` ingredients belong to one combination. */
const rxnormFolder = async (count: number): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'work-'));
  const concept = (id: number, type: string): string =>
    `${id}|ENG||||||||||RXNORM|${type}||name ${id}||N||\n`.replace('|ENG||||||||||', '|ENG||||||||||');
  const relation = (a: number, b: number): string => `${a}|||| ${b}|||tradename_of|||RXNORM|||||\n`.replace('| ', '|');
  const [conso, rel] = [[concept(1, 'MIN')], [] as string[]];
  for (let at = 0; at < count; at += 1) {
    conso.push(concept(10 + 2 * at, 'BN'), concept(11 + 2 * at, 'IN'));
    rel.push(relation(10 + 2 * at, 1), relation(11 + 2 * at, 1));
  }
  await writeFile(join(folder, 'RXNCONSO.RRF'), conso.join(''));
  await writeFile(join(folder, 'RXNREL.RRF'), rel.join(''));
  return folder;
};

interface Case {
  readonly name: string;
  /** The size of the smallest text; the others are two and four times as large. */
  readonly size: number;
  /** Prepares a text of this size, and returns the function whose work is counted. */
  make(size: number): Promise<() => unknown> | (() => unknown);
}

const cases: readonly Case[] = [
  {
    name: 'a table with thousands of quotes and no line end',
    size: 10_000,
    make: (size) => {
      const text = `${`a,b\n${'"x",'.repeat(1_000)}\n`.repeat(size / 1_000)}"${'""'.repeat(size)}"`;
      return () => readAll(tableRows(pieces(text)));
    },
  },
  {
    name: 'a table of labels in which each line closes a cell and opens the next',
    size: 100,
    make: (size) => {
      const text = `a,"b\n${`c",x"y,"${'d'.repeat(200)}\n`.repeat(size)}`;
      return () => readAll(csvRows(linesOf(pieces(text))));
    },
  },
  {
    name: 'labels as JSON below many brackets',
    size: 2_000,
    make: (size) => {
      const text = `${'['.repeat(size)}${'{},'.repeat(size)}`;
      return () => readAll(jsonValues(pieces(text), false)).catch(() => 0);
    },
  },
  {
    name: 'labels as one long line of JSON',
    size: 200_000,
    make: (size) => {
      const text = `{"a":"${'x'.repeat(size)}"}\n{"b":1}\n`;
      return () => readAll(jsonValues(pieces(text, 1_000), true));
    },
  },
  {
    name: 'a study that comes in small pieces',
    size: 100_000,
    make: (size) => {
      const text = `[{"protocolSection":{"a":"${'x'.repeat(size)}"}}]`;
      return () => readAll(studyPieces(pieces(text, 500)));
    },
  },
  {
    name: 'an abstract of thousands of exponents',
    size: 2_000,
    make: (size) => {
      const element = parseElement(`<a>${'10<sup>6</sup> '.repeat(size)}</a>`, new Set());
      return () => rawText(element);
    },
  },
  {
    name: 'records of XML that never end',
    size: 2_000,
    make: (size) => {
      const text = `<set>${'<PubmedArticle><a>'.repeat(size)}`;
      return () => readAll(xmlRecords(pieces(text, 1_000), ['PubmedArticle']).pieces).catch(() => 0);
    },
  },
  {
    name: 'a record of RIS with thousands of values',
    size: 5_000,
    make: (size) => {
      const text = `TY  - JOUR\n${'KW  - a/b\nmore\n'.repeat(size)}ER  - \n`;
      const syntax = {
        line: /^([A-Z][A-Z0-9])\s{1,2}-(?:\s(.*))?$/,
        begins: 'TY',
        ends: 'ER',
        blankEnds: false,
        isContinuation: (line: string) => line.trim() !== '',
      };
      return () => readAll(taggedRecords(pieces(text), syntax));
    },
  },
  {
    name: 'a label of sections within each other',
    size: 12,
    make: (size) => {
      let inner = '';
      for (let level = 0; level < size; level += 1) inner = section(inner);
      const text = label(inner);
      return () => parseSplLabel(text);
    },
  },
  {
    name: 'a label of thousands of sections of one name',
    size: 300,
    make: (size) => {
      const text = label(section('').repeat(size));
      return () => parseSplLabel(text);
    },
  },
  {
    name: 'brands and ingredients of one combination',
    size: 600,
    make: async (size) => {
      const folder = await rxnormFolder(size);
      return async () => {
        const sink = new NameSink();
        await rxnorm.read(folder, sink, new AbortController().signal);
        assert.ok(sink.rows >= 2 * size, `${sink.rows} rows`);
        await rm(folder, { recursive: true });
      };
    },
  },
];

describe('import readers', function () {
  this.timeout(120_000);
  for (const { name, size, make } of cases)
    it(`do twice the work for twice the text: ${name}`, async () => {
      const work: number[] = [];
      for (const times of [1, 1, 2, 4]) work.push(await countWork(await make(size * times)));
      const [, once = 0, twice = 0, fourTimes = 0] = work;
      // Quadratic work would be four and sixteen times as much.
      assert.ok(twice <= 2.6 * once && fourTimes <= 5.2 * once, `${once}, ${twice}, ${fourTimes}`);
    });

  it('stop removing a label’s tables where the search would take quadratic time', () => {
    const text = 'a | b '.repeat(10);
    assert.equal(withoutTables('one two three', [['one | two'], ['three']]), '   ');
    assert.equal(withoutTables('one two three', [['one | two'], ['three']], 19), '  three');
    assert.equal(withoutTables(text, []), text.trim());
  });

  it('reject a label table with elements nested too deeply', () => {
    const table = (depth: number): string =>
      JSON.stringify({ set_id: SET_ID, warnings: ['w'], warnings_table: [`<table>${'<b>'.repeat(depth)}`] });
    assert.doesNotThrow(() => parseOpenFdaLabel(table(400)));
    assert.throws(() => parseOpenFdaLabel(table(600)), UnusableLabel);
  });

  it('reject a table row with too many cells', async () => {
    await assert.rejects(
      readAll(tableRows(pieces(`a,b\n${','.repeat(10_000)}\n`))),
      /more than 10000 cells, on line 2/,
    );
  });
});
