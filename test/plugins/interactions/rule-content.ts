/** Interaction content for tests: invented effects on real names, independent of the starter content. */
import { MADE_TOPICS, madeEntry, madeSupplement } from '../evidence/support.ts';

export interface Folder {
  path(name?: string): string;
  put(name: string, content: string): Promise<string>;
}

const CLASSES = `
- {slug: anticoagulants, name: Anticoagulants, description: Blood thinners., atc: [B01A], parents: [], data_ids: [], synonyms: [blood thinners], members: [{name: heparin}]}
- {slug: vitamin-k-antagonists, name: Vitamin K antagonists, description: Some of them., atc: [], parents: [anticoagulants], data_ids: [], members: [{name: warfarin, rxcui: "11289"}]}
- {slug: statins, name: Statins, description: They lower cholesterol., atc: [], parents: [], data_ids: [], members: [{name: simvastatin}, {name: atorvastatin}, {name: pravastatin}]}
- {slug: strong-statins, name: Strong statins, description: Some of them., atc: [], parents: [statins], data_ids: [], members: [{name: atorvastatin}]}
- {slug: calcium-channel-blockers, name: Calcium-channel blockers, description: Blood pressure., atc: [], parents: [], data_ids: [], members: [{name: amlodipine}]}
- {slug: antacids, name: Antacids, description: Against acid., atc: [], parents: [], data_ids: [], members: [{name: sucralfate}]}
`;

const NAMES = `ingredients\ttrade_name\ttypes
warfarin\tCoumadin\tRX
simvastatin\tZocor\tRX
amlodipine;atorvastatin\tCaduet\tRX
aspirin\tBayer\tOTC
metformin\tGlucophage\tRX
bisoprolol\tZincx\tRX
`;

const SUBSTANCES = `
- {slug: grapefruit, name: Grapefruit, kind: food, synonyms: [grapefruit juice], statement: A fruit.}
- {slug: red-yeast-rice, name: Red yeast rice, kind: restricted, synonyms: [monacolin K], statement: May hold a medicine., authority: {name: FDA, address: "https://www.fda.gov/x"}}
`;

/** Returns a rule with default values and the given fields. */
export const madeRule = (slug: string, fields: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  slug,
  severity: 'moderate',
  action: 'caution',
  likelihood: 'probable',
  effect: `Invented effect of ${slug}.`,
  recommendation: 'Ask a pharmacist before combining them.',
  mechanism: { type: 'pharmacodynamic', detail: 'Invented.' },
  onset: 'delayed',
  direction: 'harmful',
  sources: [{ authority: 'NIH NCCIH', address: `https://www.nccih.nih.gov/health/${slug}` }],
  reviewed_at: '2026-11-21',
  ...fields,
});

/** Returns a file of content/interactions as JSON, which is valid YAML. */
export const ruleFile = (subject: string, rules: readonly object[], cautions: readonly object[] = []): string =>
  JSON.stringify({ subject, rules, cautions }, null, 1);

export const GINKGO = [
  madeRule('ginkgo-anticoagulants', { with: { class: 'anticoagulants' } }),
  madeRule('ginkgo-warfarin', {
    with: { drug: 'warfarin' },
    severity: 'major',
    sources: [{ ref: 'pmid:99500001' }, { pmid: '99500009', title: 'A case of bleeding', year: 2001 }],
  }),
  madeRule('ginkgo-statins', {
    with: { class: 'statins' },
    severity: 'minor',
    action: 'separate',
    timing: { separate_hours: 4, note: 'Four hours apart.' },
    exceptions: [{ drug: 'pravastatin', note: 'Not broken down by that enzyme.' }],
  }),
  madeRule('ginkgo-garlic', { with: { supplement: 'garlic' }, severity: 'moderate' }),
];

const CAUTIONS = [
  {
    condition: 'surgery',
    severity: 'major',
    action: 'avoid',
    likelihood: 'probable',
    effect: 'Invented bleeding.',
    recommendation: 'Tell the surgeon.',
    sources: [{ authority: 'NIH NCCIH', address: 'https://www.nccih.nih.gov/health/ginkgo' }],
  },
];

export const GRAPEFRUIT = [
  madeRule('grapefruit-simvastatin', { with: { drug: 'simvastatin' }, severity: 'contraindicated', action: 'avoid' }),
  madeRule('grapefruit-atorvastatin', { with: { drug: 'atorvastatin' }, severity: 'major' }),
  madeRule('grapefruit-amlodipine', { with: { drug: 'amlodipine' }, severity: 'minor' }),
];

const DEPLETIONS = `
- {slug: metformin-vitamin-b12, drug: metformin, nutrient: vitamin-b12, kind: depletion, likelihood: likely, effect: Invented., note: Ask for a test., sources: [{authority: NIH ODS, address: "https://ods.od.nih.gov/x"}]}
- {slug: statins-garlic, class: statins, nutrient: garlic, kind: depletion, likelihood: possible, effect: Invented., note: None., sources: [{authority: NIH ODS, address: "https://ods.od.nih.gov/y"}]}
`;

const SIGNALS = `
as_of: 2026-04-14
source: {name: FDA CAERS, address: "https://api.fda.gov/download.json"}
signals:
  - {supplement: ginkgo, reports: 120, serious: 40, years: 2004-2025, outcomes: {death: 2, hospitalization: 20}}
`;

/** Writes all the content; the caller starts a service on the folder. */
export const putContent = async ({ put }: Folder): Promise<void> => {
  await put('topics.yaml', MADE_TOPICS);
  const supplements = [
    ['ginkgo', 'Ginkgo', ['maidenhair tree']],
    ['garlic', 'Garlic', []],
    ['vitamin-b12', 'Vitamin B12', ['cobalamin']],
    ['zinc', 'Zinc', []],
  ] as const;
  for (const [slug, name, synonyms] of supplements) await put(`supplements/${slug}.md`, madeSupplement(name, synonyms));
  const source = { pmid: '99500001', title: 'Ginkgo and bleeding, as the editor has it', supplements: ['ginkgo'] };
  await put('sources/ginkgo.yaml', madeEntry(source));
  await put('substances.yaml', SUBSTANCES);
  await put('drugs/classes.yaml', CLASSES);
  await put('drugs/names.tsv', NAMES);
  await put('interactions/ginkgo.yaml', ruleFile('ginkgo', GINKGO, CAUTIONS));
  await put('interactions/grapefruit.yaml', ruleFile('grapefruit', GRAPEFRUIT));
  await put('interactions/depletions.yaml', DEPLETIONS);
  await put('interactions/signals.yaml', SIGNALS);
};
