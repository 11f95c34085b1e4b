import type { SearchDocument } from '#core/search/port.ts';

/** The words of each subject; the first is its name. */
export const SUBJECTS: readonly (readonly string[])[] = [
  ['magnesium', 'migraine', 'headache', 'aura', 'attack', 'triptan', 'prophylaxis', 'cortical'],
  ['curcumin', 'osteoarthritis', 'knee', 'cartilage', 'joint', 'stiffness', 'womac', 'turmeric'],
  ['iron', 'ferritin', 'hepcidin', 'transferrin', 'haemoglobin', 'menstruation', 'fatigue', 'anaemia'],
  ['probiotic', 'lactobacillus', 'diarrhoea', 'microbiota', 'stool', 'antibiotic', 'colitis', 'gut'],
];
const COMMON = ['trial', 'placebo', 'adults', 'weeks', 'dose', 'outcome', 'effect', 'measured', 'group', 'random'];

/** Makes reproducible documents about four subjects in turn, each with words of its subject and common words. */
export function syntheticDocuments(count: number): SearchDocument[] {
  let state = 7;
  const draw = (words: readonly string[]) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return words[(state >>> 16) % words.length]!;
  };
  return Array.from({ length: count }, (_, i) => {
    const subject = SUBJECTS[i % SUBJECTS.length]!;
    const words = Array.from({ length: 30 }, (_, w) => draw(w % 2 ? COMMON : subject));
    return {
      id: `doc-${String(i).padStart(5, '0')}`,
      text: { title: `${draw(subject)} ${draw(COMMON)}`, abstract: words.join(' ') },
      filters: { subject: subject[0]!, year: 1990 + (i % 30) },
    };
  });
}
