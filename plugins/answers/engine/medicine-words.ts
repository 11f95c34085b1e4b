/** Lists words for medicines that the name lists lack, and names that do not mean a medicine in a question. */

/**
 * Everyday words for classes of medicines, with the slug of the class. A name that a supplement also has remains the
 * supplement's.
 */
export const CLASS_WORDS: readonly (readonly [words: string, slug: string])[] = [
  ['blood thinner; anticoagulant', 'anticoagulants'],
  ['NOAC; DOAC', 'doacs'],
  [
    'birth control; birth control pill; contraceptive; contraceptive pill; oral contraceptive; the pill',
    'oral-contraceptives',
  ],
  [
    'blood pressure medication; blood pressure medicine; blood pressure pill; blood pressure tablet; antihypertensive',
    'antihypertensives',
  ],
  ['diabetes medication; diabetes medicine; diabetes pill; antidiabetic', 'diabetes-medicines'],
  ['insulin', 'insulins'],
  ['sleeping pill; sleeping tablet; sedative; hypnotic; tranquillizer', 'sedatives'],
  ['antidepressant', 'ssris-and-snris'],
  ['monoamine oxidase inhibitor; MAO inhibitor', 'maois'],
  ['selective serotonin reuptake inhibitor', 'ssris'],
  ['antiepileptic; anticonvulsant; seizure medicine; seizure medication; epilepsy medication', 'anticonvulsants'],
  ['anti-inflammatory painkiller; non-steroidal anti-inflammatory drug', 'nsaids'],
  ['steroid; glucocorticoid; cortisone', 'corticosteroids'],
  ['immune suppressant; immunosuppressive drug; anti-rejection medicine; transplant medicine', 'immunosuppressants'],
  ['antiplatelet; antiplatelet drug; platelet inhibitor', 'antiplatelet-agents'],
  ['water pill; water tablet', 'diuretics'],
  ['heartburn medicine; acid reducer', 'acid-suppressants'],
  [
    'thyroid medication; thyroid medicine; thyroid tablet; thyroid pill; thyroid hormone; desiccated thyroid; natural thyroid; thyroid replacement',
    'thyroid-medicines',
  ],
  ['cholesterol medicine; cholesterol medication', 'statins'],
  ['neuroleptic', 'antipsychotics'],
  ['quinolone; quinolone antibiotic', 'fluoroquinolones'],
  // Among antibiotics, minerals block the absorption of these two classes.
  ['antibiotic', 'fluoroquinolones'],
  ['antibiotic', 'tetracyclines'],
];

/** Everyday words for outcomes, with the slug of the topic. */
export const TOPIC_WORDS: readonly (readonly [words: string, slug: string])[] = [
  ['muscle growth; muscle gain; muscle building; build muscle; gain muscle', 'muscle-mass'],
  ['bones; bone health; strong bones; bone loss', 'bone-density'],
  [
    'knee pain; painful knees; sore knees; aching knees; arthritis of the knee; knee arthritis; arthritic knee',
    'osteoarthritis',
  ],
  ['ED; erectile dysfunction; erection; impotence', 'testosterone'],
  ['covid', 'covid-19'],
];

/** Medicines that are named like an organ. In a question the word means the organ. */
export const EVERYDAY_NAMES = new Set(['thyroid']);

/** Trade names that are also everyday words. */
export const EVERYDAY = new Set(
  'today triad focus clear relief balance natural legend advance prime lift revive power calm active complete optimum assure fresh'.split(
    ' ',
  ),
);
