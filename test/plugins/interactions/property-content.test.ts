/** Tests that content/drugs/properties.tsv is consistent with itself and with the list of the severity rule. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type PlacedProperty, readProperties } from '#plugins/interactions/drugs/properties.ts';
import { NARROW_INDEX } from '#plugins/interactions/rules/narrow-index.ts';

const PATH = 'drugs/properties.tsv';
const LABELS = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../shared/data'),
  'fda-labels/sections.jsonl.gz',
);
const inOneLine = (text: string): string => text.replace(/<\/?[a-z][^>]*>/gi, ' ').replace(/\s+/g, ' ');
const rows: PlacedProperty[] = [];
const medicinesWith = (property: string, ...values: string[]): Set<string> =>
  new Set(
    rows
      .filter(({ fact }) => fact.property === property && values.includes(fact.value))
      .map(({ medicine }) => medicine),
  );

describe('content/drugs/properties.tsv', () => {
  before(async () => {
    rows.push(...readProperties({ path: PATH, text: await readFile(`content/${PATH}`, 'utf8'), digest: '' }));
  });

  it('does not combine by_mouth no with an oral route for any medicine', () => {
    const given = medicinesWith('route', 'oral', 'enteral', 'buccal', 'sublingual');
    assert.deepEqual([...medicinesWith('by_mouth', 'no').intersection(given)], []);
  });

  it('does not contain both yes and no for a property of a medicine', () => {
    const said = rows.filter(({ fact }) => ['yes', 'no'].includes(fact.value) && fact.property !== 'by_mouth');
    const twice = Map.groupBy(said, ({ medicine, fact }) => `${medicine}: ${fact.property}`);
    assert.deepEqual(
      [...twice].filter(([, of]) => of.length > 1).map(([name]) => name),
      [],
    );
  });

  it('contains complete elimination only with an elimination route', () => {
    const ways = new Set(rows.filter(({ fact }) => fact.property === 'eliminated_by').map(({ medicine }) => medicine));
    assert.deepEqual([...medicinesWith('elimination', 'complete').difference(ways)], []);
  });

  it('has the same medicines with a narrow therapeutic index as the severity rule', () => {
    const classes = ['cardiac-glycosides', 'thyroid-medicines', 'vitamin-k-antagonists'];
    const narrow = [...medicinesWith('narrow_therapeutic_index', 'yes')].map((name) => name.replaceAll(' ', '-'));
    assert.deepEqual([...NARROW_INDEX].toSorted(), [...narrow, ...classes].toSorted());
  });

  it('quotes labels letter for letter', async function () {
    if (!existsSync(LABELS)) return this.skip();
    const sections = new Map<string, string>();
    for (const line of gunzipSync(await readFile(LABELS))
      .toString()
      .trimEnd()
      .split('\n')) {
      const label: { set_id: string; sections: Record<string, string> } = JSON.parse(line);
      for (const [name, text] of Object.entries(label.sections)) {
        const key = `${label.set_id} ${name}`;
        sections.set(key, `${sections.get(key) ?? ''}\n${inOneLine(text)}`);
      }
    }
    const text = await readFile(`content/${PATH}`, 'utf8');
    const quoted = text
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([, , , , basis, , section]) => basis === 'label' && !section?.startsWith('openfda.'));
    assert.ok(quoted.length > 800);
    const wrong = quoted.filter(
      ([, , , , , setId, section, sentence = '']) =>
        !sections.get(`${setId} ${section}`)?.includes(inOneLine(sentence)),
    );
    assert.deepEqual(
      wrong.map(([medicine, property, value]) => `${medicine}: ${property} ${value}`),
      [],
    );
  });
});
