/** Finds the sentences of a label that name a supplement or food; a person reads each before it becomes a rule. */
import type { DrugLabel } from './label.ts';
import type { LabelMedicine } from './label-medicines.ts';
import { candidateId, type PlacedSentence, sentencesOfLabel } from './label-sentences.ts';
import type { NameFinder } from './supplement-names.ts';

export interface Candidate {
  readonly id: string;
  readonly supplement: string;
  readonly medicine: LabelMedicine;
  readonly section: string;
  readonly sentence: string;
}

/** Words that show that a sentence about an ingredient of the product means additional intake of it. */
const TAKEN_BESIDE =
  /\b(?:supplement\w*|antacids?|concomitant\w*|concurrent\w*|co-?administ\w+|other (?:\S+ ){0,3}(?:products?|preparations?|sources?)|in addition|diets?)\b/i;

/** Returns whether a sentence is in a table, where medicines and their interactions are named by a single word. */
const isTable = ({ section }: PlacedSentence): boolean => section.endsWith('_table');

/** Returns each sentence once, in the first of its sections; running text takes precedence over the same words in a table row. */
export const candidatesOf = (
  label: DrugLabel,
  medicines: readonly LabelMedicine[],
  find: NameFinder,
): readonly Candidate[] => {
  const found = new Map<string, Candidate>();
  for (const placed of sentencesOfLabel(label)) {
    for (const supplement of find(placed.text)) {
      for (const medicine of medicines) {
        if (medicine.own.has(supplement) && (isTable(placed) || !TAKEN_BESIDE.test(placed.text))) continue;
        const id = candidateId(supplement, medicine.name, placed.text);
        if (!found.has(id)) found.set(id, { id, supplement, medicine, section: placed.section, sentence: placed.text });
      }
    }
  }
  return [...found.values()];
};
