import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readYaml } from '#core/content-file.ts';
import { ClassList } from '#plugins/interactions/drugs/schemas.ts';

const root = join(import.meta.dirname, '../../..');
const data = join(root, '../shared/data');

const readClasses = async () => {
  const text = await readFile(join(root, 'content/drugs/classes.yaml'), 'utf8');
  return readYaml({ path: 'drugs/classes.yaml', text, digest: '' }, ClassList);
};

/** Returns every class id that a file of the public data contains. */
const idsIn = (text: string): string[] => [
  ...[...text.matchAll(/"drug_class_id": *"([^"]+)"/g)].map((match) => match[1] ?? ''),
  ...[...text.matchAll(/"class:[a-z0-9_]+"/g)].map(([id]) => id.slice(1, -1)),
];

describe('content/drugs/classes.yaml', () => {
  it('maps every class in the public interaction data', async function () {
    if (!existsSync(data)) return this.skip();
    const classes = await readClasses();
    const known = new Set(classes.flatMap((one) => one.data_ids));
    const files = [
      'ingredient_interaction_rules',
      'curated_interactions_v1',
      'batch_critical_2026_05',
      'medication_depletions',
    ];
    const named = await Promise.all(
      files.map(async (file) => idsIn(await readFile(join(data, 'interactions', `${file}.json`), 'utf8'))),
    );
    assert.ok(named.flat().length > 300);
    // B vitamins are nutrients and not a class of medicines.
    const missing = new Set(named.flat().filter((id) => !known.has(id) && id !== 'class:b_vitamins'));
    assert.deepEqual([...missing], []);
  });

  it('includes the RxCUIs of the public data except the listed members', async function () {
    if (!existsSync(data)) return this.skip();
    const classes = await readClasses();
    const source = JSON.parse(await readFile(join(data, 'interactions/drug_classes.json'), 'utf8')) as {
      classes: Record<string, { member_names: string[]; member_rxcuis: string[] }>;
    };
    const membersOf = (slug: string): string[] =>
      classes.flatMap((one) =>
        one.slug === slug
          ? one.members.flatMap(({ rxcui }) => rxcui ?? [])
          : one.parents.includes(slug)
            ? membersOf(one.slug)
            : [],
      );
    const left: string[] = [];
    for (const [id, { member_names, member_rxcuis }] of Object.entries(source.classes)) {
      const found = classes.find((one) => one.data_ids.includes(id));
      if (!found) continue;
      const mine = new Set(membersOf(found.slug));
      member_rxcuis.forEach((rxcui, at) => {
        if (!mine.has(rxcui)) left.push(`${found.slug}: ${member_names[at]}`);
      });
    }
    assert.deepEqual(left.toSorted(), [
      'antihypertensives: theobromine',
      'antipsychotics: lithium',
      'diabetes-medicines: guar gum',
      'diuretics: theobromine',
      'nsaids: chondroitin sulfates',
      'nsaids: diacetylrhein',
      'nsaids: glucosamine',
      'nsaids: orgotein',
      'nsaids: oxaceprol',
      'oral-contraceptives: megestrol',
      'sedatives: melatonin',
      'sedatives: valerian root extract',
      'valproate: divalproex sodium',
      'valproate: sodium valproate',
      'valproate: valproic acid',
    ]);
  });

  it('maps each name to one RxCUI and each RxCUI to one name', async () => {
    const members = (await readClasses()).flatMap((one) => one.members);
    const byName = Map.groupBy(members, ({ name }) => name);
    for (const [name, rows] of byName) assert.equal(new Set(rows.map(({ rxcui }) => rxcui)).size, 1, name);
    const byRxcui = Map.groupBy(
      members.filter(({ rxcui }) => rxcui),
      ({ rxcui }) => rxcui,
    );
    for (const [rxcui, rows] of byRxcui) assert.equal(new Set(rows.map(({ name }) => name)).size, 1, rxcui);
  });
});
