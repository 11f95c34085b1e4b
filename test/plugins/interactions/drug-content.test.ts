import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOf } from '#core/import/text-stream.ts';
import { zipMembers } from '#core/import/zip-members.ts';
import { startService } from '../../support/service.ts';

const root = join(import.meta.dirname, '../../..');

const one = (slug: string, more = ''): string =>
  `- {slug: ${slug}, name: ${slug}, description: Made up., atc: [], parents: [], data_ids: [], members: []${more}}\n`;

describe('content/drugs', () => {
  it('contains the Orange Book as published by FDA', async function () {
    const zip = join(root, '../shared/data/drugs/orange-book-2024-11.zip');
    if (!existsSync(zip)) return this.skip();
    const member = (await zipMembers(zip)).find(({ name }) => name === 'products.txt');
    const decoder = new TextDecoder();
    async function* chunks(): AsyncGenerator<string> {
      for await (const bytes of member?.bytes(new AbortController().signal) ?? [])
        yield decoder.decode(bytes, { stream: true });
    }
    const types = new Map<string, Set<string>>();
    for await (const line of linesOf(chunks())) {
      const cells = line.split('~');
      if (cells[0] === 'Ingredient' || cells.length < 14) continue;
      const key = `${cells[0]}\t${cells[2]}`;
      types.set(key, (types.get(key) ?? new Set()).add(cells[12] ?? ''));
    }
    const published = [...types].map(([key, found]) => `${key}\t${[...found].sort().join(',')}`).sort();
    const text = await readFile(join(root, 'content/drugs/names.tsv'), 'utf8');
    const [comment, header, ...mine] = text.trimEnd().split('\n');
    assert.match(comment ?? '', /^# Source: FDA, .*Orange Book.* 8 November 2024, public domain/);
    assert.equal(header, 'ingredients\ttrade_name\ttypes');
    assert.deepEqual(mine.toSorted(), published);
  });

  for (const [what, files, message] of [
    [
      'a class that is listed twice',
      { 'classes.yaml': one('a') + one('a') },
      'content/drugs/classes.yaml:2: field 1.slug: class "a" is listed twice',
    ],
    [
      'a medicine that has a name twice',
      { 'other-names.yaml': '- {name: abc, brands: [Abcex]}\n- {name: abc}\n' },
      'content/drugs/other-names.yaml:2: field 1.name: "abc" has the name "abc" twice',
    ],
    [
      'a wider class that is not there',
      { 'classes.yaml': one('a').replace('parents: []', 'parents: [b]') },
      'content/drugs/classes.yaml:1: field 0.parents.0: there is no class "b"',
    ],
    [
      'classes within each other',
      {
        'classes.yaml':
          one('a').replace('parents: []', 'parents: [b]') + one('b').replace('parents: []', 'parents: [a]'),
      },
      'content/drugs/classes.yaml:1: field 0.parents: class "a" lies within itself',
    ],
    [
      'an unknown field',
      { 'classes.yaml': one('a', ', colour: red') },
      'content/drugs/classes.yaml:1: field 0 must NOT have additional properties: "colour"',
    ],
    [
      'a row of two columns',
      { 'names.tsv': 'ingredients\ttrade_name\ttypes\nA\tB\tRX\nC\tD\n' },
      'content/drugs/names.tsv:3: three columns are needed: ingredients, trade name, types',
    ],
  ] as const) {
    it(`rejects ${what} and reports file, line and field`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'ekb-content-'));
      try {
        await mkdir(join(folder, 'drugs'));
        for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'drugs', name), text);
        await assert.rejects(startService({ contentDir: folder }), { message });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
