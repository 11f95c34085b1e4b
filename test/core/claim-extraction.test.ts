/** Tests the findings of `npm run content:check` in texts without citations, with the real plugins. */
import assert from 'node:assert/strict';
import { contentCheckCommand } from '#core/content-check/command.ts';
import { plugins } from '#plugins/index.ts';
import { MADE_TOPICS, madeSupplement, temporaryFolder } from '../plugins/evidence/support.ts';

const CLASSES = `
- slug: water-tablets
  name: Water tablets
  description: Made for tests.
  synonyms: [diuretics]
  atc: []
  parents: []
  data_ids: []
  members: [{name: furosemide}]
`;

const SOURCE = '{authority: Made authority, address: "https://authority.example/page"}';
const weight = 'severity: major, action: avoid, likelihood: likely, recommendation: "Made for tests."';
const INTERACTIONS = `
subject: valerian
rules:
  - {slug: valerian-water-tablets, with: {class: water-tablets}, ${weight}, effect: "Beside 20 mg it does harm.", sources: [${SOURCE}]}
cautions:
  - {condition: pregnancy, ${weight}, effect: "Harms.", sources: [${SOURCE}]}
`;

interface Written {
  readonly text: string;
  readonly answer?: string;
  readonly more?: string;
}

const condition = ({ text, answer = 'A made-up condition.', more = '' }: Written): string => `---
name: Colds in this test
synonyms: []
category: immune
topics: [colds]
answer: ${JSON.stringify(answer)}
ask: [What is it?, How long does it last?, Does valerian harm?]
red_flags: [trouble breathing at once]
see_doctor: [a cough that lasts, whoever should be seen]
${more}further_reading: []
updated_at: 2026-11-21
---
## What it is
${text}
`;

const biomarker = (text: string, more = ''): string => `---
name: Zinc in blood
names: []
category: minerals
specimen: blood
kind: quantity
unit: ug/dL
digits: 0
plausible: {low: 0, high: 1000}
${more}nutrients: [zinc]
sources: [{name: Made, address: "https://authority.example/page"}]
updated_at: 2026-11-21
---
${text}
`;

const KELP =
  '- {slug: kelp-salt, name: Kelp salt, kind: banned, statement: Made for tests., authority: {name: Made, address: "https://authority.example/kelp"}}\n';
const VALERIAN = madeSupplement('Valerian').replace('category: mineral', 'category: herb');
const LISTS = 'rules: [valerian-water-tablets]\ncautions: [valerian/pregnancy]\nsubstances: [kelp-salt]\n';

describe('content:check of texts without citations', () => {
  const content = temporaryFolder();
  const found = async (): Promise<string> => {
    const lines: string[] = [];
    const now = () => new Date('2026-11-22T12:00:00Z');
    await contentCheckCommand([], { plugins, contentDir: content.path(), out: (line) => lines.push(line), now });
    return lines.join('\n');
  };
  const told = async (written: Written): Promise<string> => {
    await content.put('conditions/colds.md', condition(written));
    return await found();
  };
  const NOTHING = /: nothing to mend\.$/;

  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/valerian.md', VALERIAN);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
    await content.put('drugs/classes.yaml', CLASSES);
    await content.put('interactions/valerian.yaml', INTERACTIONS);
    await content.put('substances.yaml', KELP);
  });
  beforeEach(() => content.put('conditions/colds.md', condition({ text: 'Nothing.' })));

  const refused: readonly (readonly [string, Written, RegExp])[] = [
    [
      'a sentence on a supplement of which the page lists nothing, in the text',
      { text: 'It is a cold. Valerian makes it longer. It goes.' },
      /^content\/conditions\/colds\.md:14: text: nothing that the page lists is about Valerian: “Valerian makes it longer\.”\n1 to mend/,
    ],
    [
      'the same in the answer',
      { text: 'Nothing.', answer: 'A cold. Valerian makes it longer.' },
      /: answer: nothing that the page lists is about Valerian: /,
    ],
    [
      'one of two that a sentence names',
      { text: 'Valerian and extra zinc make it longer.', more: LISTS },
      /: text: nothing that the page lists is about Zinc: /,
    ],
    [
      'a figure that nothing listed says',
      { text: 'Valerian does harm beside 30 mg.', more: LISTS },
      /: text: 30 stands in nothing stored of rule:valerian-water-tablets, caution:valerian\/pregnancy: /,
    ],
    ['what to do', { text: 'A doctor should be seen.' }, /: text: no source for “A doctor should be seen\.”/],
    [
      'that a medicine is not stopped',
      { text: 'Furosemide is not stopped on one’s own.' },
      /: text: no source for “Furosemide/,
    ],
    [
      'what does harm and is taken',
      { text: 'Some painkillers are dangerous.' },
      /: text: no source for “Some painkillers are dangerous\.”/,
    ],
    [
      'a word on supplements at large',
      { text: 'Herbal remedies shorten it.' },
      /: text: no source for “Herbal remedies shorten it\.”/,
    ],
  ];
  for (const [what, written, message] of refused)
    it(`rejects ${what}`, async () => assert.match(await told(written), message));

  const taken: readonly (readonly [string, Written])[] = [
    [
      'what a cold is, how it is told and how it ends',
      { text: 'It begins with a sore throat. A swab tells it from flu.' },
    ],
    ['a question', { text: 'Does valerian make it longer?' }],
    [
      'what a rule, a caution or a substance of its lists is about, with its figures',
      { text: 'Valerian does harm beside 20 mg. Kelp salt is forbidden.', more: LISTS },
    ],
    ['what to do with a medicine that a listed rule is about', { text: 'Furosemide should be named.', more: LISTS }],
    ['a nutrient as a part of the body', { text: 'Zinc is in every cell.' }],
  ];
  for (const [what, written] of taken) it(`accepts ${what}`, async () => assert.match(await told(written), NOTHING));

  it('accepts a claim that a finding on the page’s topic supports, and a warning only where the result was negative', async () => {
    const find = (direction: string) => {
      const finding = `{topic: colds, direction: "${direction}", statement: "As told.", sources: ["pmid:1"]}`;
      return content.put('supplements/valerian.md', VALERIAN.replace('evidence: []', `evidence: [${finding}]`));
    };
    await find('null');
    assert.doesNotMatch(await told({ text: 'Valerian makes no difference.' }), /conditions/);
    assert.match(
      await told({ text: 'Valerian is dangerous.' }),
      /: text: nothing that the page lists is about Valerian/,
    );
    await find('negative');
    assert.doesNotMatch(await told({ text: 'Valerian is dangerous.' }), /conditions/);
    await content.put('supplements/valerian.md', VALERIAN);
  });

  it('reads an ambiguous name as the drug class, and accepts a banned substance only with an authority', async () => {
    await content.put('supplements/valerian.md', VALERIAN.replace('synonyms: []', 'synonyms: [diuretic]'));
    assert.match(await told({ text: 'Diuretics draw water.' }), NOTHING);
    await content.put('supplements/valerian.md', VALERIAN);
    await content.put(
      'substances.yaml',
      '- {slug: kelp-salt, name: Kelp salt, kind: banned, statement: Made for tests.}\n',
    );
    assert.match(
      await told({ text: 'Kelp salt is forbidden.', more: LISTS }),
      /nothing that the page lists is about Kelp salt/,
    );
    await content.put('substances.yaml', KELP);
  });

  it('reports drug classes that contain themselves, and checks the other files', async () => {
    await content.put('drugs/classes.yaml', CLASSES.replace('parents: []', 'parents: [water-tablets]'));
    assert.match(
      await found(),
      /^content\/drugs\/classes\.yaml:\d+: field 0\.parents: class "water-tablets" lies within itself/,
    );
    await content.put('drugs/classes.yaml', CLASSES);
  });

  it('checks a biomarker’s text and test description, and does not treat its analyte as a supplement', async () => {
    await content.put('biomarkers/zinc.md', biomarker('Zinc, mostly bound to protein. Valerian lowers it.'));
    assert.match(
      await found(),
      /^content\/biomarkers\/zinc\.md:14: text: nothing that the page lists is about Valerian/,
    );
    await content.put('biomarkers/zinc.md', biomarker('A metal.', 'how_to_test: Zinc tablets change it.\n'));
    assert.match(
      await found(),
      /^content\/biomarkers\/zinc\.md:10: how_to_test: nothing that the page lists is about Zinc/,
    );
    await content.put('biomarkers/zinc.md', biomarker('Zinc, mostly bound to protein.', LISTS));
    assert.match(await found(), NOTHING);
  });
});
