/**
 * Detects whether a query asks about a supplement and a medicine. It does when it names a supplement and a combination of two
 * things ("interact", "together", "safe with"), a medicine, or another supplement, food or substance with a warning that it is
 * joined with. A medicine with a word of combination also counts, because the vocabulary does not contain every name.
 */
import { foldWord, wordsIn } from './query-words.ts';

export interface KnownNames {
  /** Number of supplements that the query names. */
  readonly supplements: number;
  /** Lower-case words for foods and substances with a warning: grapefruit, alcohol. */
  readonly substances: ReadonlySet<string>;
  /** Returns whether a lower-case word is a medicine's name. */
  isMedicine(word: string): boolean;
}

/** Words that state a combination of two things. */
const MEETING =
  /\b(interact(?:s|ed|ing|ions?)?|contra-?indicat\w*|together|combin(?:e[sd]?|ing|ations?)|(?:mix|mixed|mixing)|(?:while|when|if) (?:i(?:'m| am) )?(?:taking|on|using)|(?:safe|safely|ok|okay|fine|dangerous|risky|taken?|taking|given|start|use|used) with)\b/i;

/** Words that join two things. */
const JOINING = /\b(with|and|plus|or|on|against|alongside|versus|vs)\b|[+&]/i;

/** General words for medicines that do not name one. */
const MEDICINE_WORDS =
  /\b(medic(?:ines?|ations?|aments?)|drugs?|prescriptions?|antidepressants?|antibiotics?|anticoagulants?|antiplatelets?|antihypertensives?|anticonvulsants?|blood thinners?|statins?|ssris?|snris?|maois?|nsaids?|beta[- ]?blockers?|ace inhibitors?|diuretics?|birth control|contraceptives?|chemo(?:therapy)?|insulin|warfarin|aspirin|steroids?|immunosuppress\w+|sedatives?|thyroid (?:hormones?|tablets?|pills?))\b/i;

/**
 * Stems of the WHO's international non-proprietary names (INN) that ordinary words do not end in (The use of stems in the
 * selection of INN for pharmaceutical substances, WHO 2018).
 */
const INN_STEM =
  /(?:vastatin|sartan|[aeiou]pril|olol|prazole|conazole|nidazole|mycin|micin|cillin|cycline|oxacin|triptan|gliptin|gliflozin|xaban|gatran|parin|azepam|azolam|oxetine|triptyline|pramine|dipine|thiazide|semide|tidine|setron|profen|coxib|tinib|mab|ciclib|steride|formin|glitazone|citabine|platin|navir|ciclovir|tegravir|buvir|lukast|terol|tropium|dronate|barbital|toin|traline|peridol|idone|apine)$/;

/** Length of the shortest word that is tested; shorter words end in a stem by chance. */
const SHORTEST_INN = 6;

const namesMedicine = (query: string, isMedicine: KnownNames['isMedicine']): boolean =>
  MEDICINE_WORDS.test(query) ||
  wordsIn(query).some(({ text }) => {
    const word = foldWord(text);
    return isMedicine(word) || hasMedicineStem(word);
  });

/** Returns whether a lower-case word ends in a stem of medicines' names. */
export const hasMedicineStem = (word: string): boolean => word.length >= SHORTEST_INN && INN_STEM.test(word);

/** Returns whether a query asks about a supplement and a medicine; see the head of this file. */
export const hasInteractionPattern = (query: string, names: KnownNames): boolean => {
  const medicine = namesMedicine(query, names.isMedicine);
  const meeting = MEETING.test(query);
  if (names.supplements === 0) return medicine && meeting;
  if (meeting || medicine) return true;
  const second = names.supplements > 1 || wordsIn(query).some(({ text }) => names.substances.has(foldWord(text)));
  return second && JOINING.test(query);
};
