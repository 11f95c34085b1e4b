/** Maps conditions to the states of health that the cautions of content/interactions use. */
import type { CONDITION_WORDS } from '#plugins/interactions/index.ts';

type State = keyof typeof CONDITION_WORDS;

const NAMED: readonly (readonly [State, readonly string[]])[] = [
  ['kidney-disease', ['chronic-kidney-disease']],
  ['liver-disease', ['cirrhosis', 'fatty-liver-disease', 'alcohol-dependence']],
  ['diabetes', ['type-1-diabetes', 'type-2-diabetes', 'gestational-diabetes', 'diabetic-retinopathy']],
  ['hypertension', ['hypertension', 'pre-eclampsia']],
  ['heart-disease', ['coronary-heart-disease', 'heart-failure', 'atrial-fibrillation']],
  ['seizures', ['epilepsy']],
  [
    'autoimmune',
    [
      'lupus',
      'rheumatoid-arthritis',
      'multiple-sclerosis',
      'psoriasis',
      'crohns-disease',
      'ulcerative-colitis',
      'inflammatory-bowel-disease',
      'type-1-diabetes',
    ],
  ],
  ['immunocompromised', ['hiv']],
  ['thyroid', ['hypothyroidism', 'hyperthyroidism']],
  ['high-cholesterol', ['high-cholesterol']],
  ['pregnancy', ['gestational-diabetes', 'pre-eclampsia']],
  ['trying-to-conceive', ['infertility']],
];

/** Returns the states of health whose cautions apply to a condition. */
export const statesOf = (slug: string): readonly State[] =>
  NAMED.filter(([, conditions]) => conditions.includes(slug)).map(([state]) => state);
