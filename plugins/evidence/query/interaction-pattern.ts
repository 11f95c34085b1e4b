/**
 * Whether a query looks like a question on a supplement and a medicine: it names a supplement, and either says that
 * two things meet ("interact", "together", "safe with"), or names a medicine, or joins another supplement, or a food or
 * substance with a warning, to it. A medicine that meets something counts too: the vocabulary does not know every name.
 */
import { foldWord, wordsIn } from './query-words.ts';

export interface KnownNames {
  /** How many supplements the query names. */
  readonly supplements: number;
  /** Words, in lower case, for foods and substances with a warning: grapefruit, alcohol. */
  readonly substances: ReadonlySet<string>;
  /** Whether a word, in lower case, is a medicine's name. */
  isMedicine(word: string): boolean;
}

/** Two things meet, whatever they are. */
const MEETING =
  /\b(interact(?:s|ed|ing|ions?)?|contra-?indicat\w*|together|combin(?:e[sd]?|ing|ations?)|(?:mix|mixed|mixing)|(?:while|when|if) (?:i(?:'m| am) )?(?:taking|on|using)|(?:safe|safely|ok|okay|fine|dangerous|risky|taken?|taking|given|start|use|used) with)\b/i;

/** Something is joined to something. */
const JOINING = /\b(with|and|plus|or|on|against|alongside|versus|vs)\b|[+&]/i;

/** Words for medicines that name none. */
const MEDICINE_WORDS =
  /\b(medic(?:ines?|ations?|aments?)|drugs?|prescriptions?|antidepressants?|antibiotics?|anticoagulants?|antiplatelets?|antihypertensives?|anticonvulsants?|blood thinners?|statins?|ssris?|snris?|maois?|nsaids?|beta[- ]?blockers?|ace inhibitors?|diuretics?|birth control|contraceptives?|chemo(?:therapy)?|insulin|warfarin|aspirin|steroids?|immunosuppress\w+|sedatives?|thyroid (?:hormones?|tablets?|pills?))\b/i;

/**
 * Stems of the WHO's international non-proprietary names that ordinary words do not end in
 * (The use of stems in the selection of INN for pharmaceutical substances, WHO 2018).
 */
const INN_STEM =
  /(?:vastatin|sartan|[aeiou]pril|olol|prazole|conazole|nidazole|mycin|micin|cillin|cycline|oxacin|triptan|gliptin|gliflozin|xaban|gatran|parin|azepam|azolam|oxetine|triptyline|pramine|dipine|thiazide|semide|tidine|setron|profen|coxib|tinib|mab|ciclib|steride|formin|glitazone|citabine|platin|navir|ciclovir|tegravir|buvir|lukast|terol|tropium|dronate|barbital|toin|traline|peridol|idone|apine)$/;

/** Shorter words end in a stem by chance. */
const SHORTEST_INN = 6;

const namesMedicine = (query: string, isMedicine: KnownNames['isMedicine']): boolean =>
  MEDICINE_WORDS.test(query) ||
  wordsIn(query).some(({ text }) => {
    const word = foldWord(text);
    return isMedicine(word) || hasMedicineStem(word);
  });

/** Whether a lower-case word ends as medicines' names do. */
export const hasMedicineStem = (word: string): boolean => word.length >= SHORTEST_INN && INN_STEM.test(word);

/** See the head of this file. */
export const hasInteractionPattern = (query: string, names: KnownNames): boolean => {
  const medicine = namesMedicine(query, names.isMedicine);
  const meeting = MEETING.test(query);
  if (names.supplements === 0) return medicine && meeting;
  if (meeting || medicine) return true;
  const second = names.supplements > 1 || wordsIn(query).some(({ text }) => names.substances.has(foldWord(text)));
  return second && JOINING.test(query);
};
