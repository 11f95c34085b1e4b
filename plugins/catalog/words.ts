/** Codes of an entry as a reader meets them. */

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

/** One member of a category, in a sentence. */
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

export const LEVEL_WORDS: Readonly<Record<string, string>> = {
  warning: 'Warning',
  caution: 'Caution',
  info: 'To know',
};

/** The first sentence of a text; a full stop inside a number or after a single letter ends nothing. */
export const firstSentence = (text: string): string => {
  const match = /^.*?[^\s.][^\s.]{1,}[.!?](?=\s+[A-Z0-9“"]|\s*$)/s.exec(text.trim());
  return match ? match[0] : text.trim();
};
