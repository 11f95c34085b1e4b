/** Labels of the codes in an entry, for readers. */

export const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  vitamin: 'Vitamins',
  mineral: 'Minerals',
  herb: 'Herbs',
  mushroom: 'Mushrooms',
  'amino-acid': 'Amino acids',
  'fatty-acid': 'Fatty acids',
  protein: 'Proteins',
  probiotic: 'Probiotics',
  fibre: 'Fibre',
  hormone: 'Hormones',
  other: 'Other substances',
};

/** Singular of a category, for use in a sentence. */
export const CATEGORY_WORD: Readonly<Record<string, string>> = {
  vitamin: 'Vitamin',
  mineral: 'Mineral',
  herb: 'Herb',
  mushroom: 'Mushroom',
  'amino-acid': 'Amino acid',
  'fatty-acid': 'Fatty acid',
  protein: 'Protein',
  probiotic: 'Probiotic',
  fibre: 'Fibre',
  hormone: 'Hormone',
  other: 'Other substance',
};

export const TRADITION_WORDS: Readonly<Record<string, string>> = {
  western: 'Western',
  ayurveda: 'Ayurveda',
  tcm: 'Traditional Chinese',
  kampo: 'Kampo',
  unani: 'Unani',
  folk: 'Folk use',
};

/** Labels of the categories of conditions; `other` comes last. */
export const CONDITION_CATEGORY_WORDS: Readonly<Record<string, string>> = {
  heart: 'Heart and vessels',
  metabolic: 'Metabolism',
  mind: 'Mind and mood',
  sleep: 'Sleep',
  brain: 'Brain and nerves',
  'bones-joints': 'Bones, joints and muscles',
  digestion: 'Digestion',
  immune: 'Immune system and infections',
  skin: 'Skin and hair',
  women: 'Women’s health',
  men: 'Men’s health',
  'kidney-liver': 'Kidneys and liver',
  lungs: 'Lungs and airways',
  'eyes-ears': 'Eyes and ears',
  cancer: 'Cancer',
  energy: 'Energy',
  pregnancy: 'Pregnancy and birth',
  other: 'Other conditions',
};

export const LEVEL_WORDS: Readonly<Record<string, string>> = {
  warning: 'Warning',
  caution: 'Caution',
  info: 'To know',
};

/** Returns the first sentence of a text. A full stop inside a number or after a single letter does not end a sentence. */
export const firstSentence = (text: string): string => {
  const match = /^.*?[^\s.][^\s.]{1,}[.!?](?=\s+[A-Z0-9“"]|\s*$)/s.exec(text.trim());
  return match ? match[0] : text.trim();
};

/** Shortens a description for search engines to at most 155 characters, at a word boundary. */
export const shortened = (text: string): string =>
  text.length <= 155 ? text : `${text.slice(0, 154).replace(/\s+\S*$/, '')}…`;
