/** Recognises headings and labels that name the specimen, administrative labels, and sentences. */
import type { Specimen } from './book.ts';

const urine =
  /\b(?:urinalysis|urine|urin|urinstatus|urinsediment|urine microscopy|dipstick|spot urine|spontanurin|sammelurin|harnstatus|harnsediment|examen d'urine|urinaires?|ecbu|orina|uroanálisis|sedimento urinario|bandelette)\b/iu;
const blood =
  /\b(?:cbc|complete blood count|full blood count|fbc|ha?ematology|chemistry|metabolic panel|lipid(?: panel| profile|s)?|serum|plasma|whole blood|blood|thyroid|liver|renal|electrolytes|coagulation|differential|blutbild|hämatologie|klinische chemie|serologie|schilddrüse|gerinnung|elektrolyte|lipide|vollblut|edta|hématologie|biochimie|numération|hémogramme|sang|bilan|hematología|bioquímica|hemograma|sangre|suero|perfil|vitamins?|hormones?|iron studies|immunology|inflammation|endocrin\w+|diabetes|panel)\b/iu;

/** Returns the specimen that the text names; null if there is none. */
export const specimenOf = (text: string): Specimen | null => {
  if (urine.test(text)) return 'urine';
  return blood.test(text) ? 'blood' : null;
};

/** Labels and words of the header and footer of a report; text after them is not a result. */
const administrative =
  /\b(?:patient|name|dob|date|birth|born|age|sex(?! hormone)|gender|phone|tel|fax|address|street|page|seite|account|acct|id|mrn|nhs|accession|order|ordering|physician|doctor|provider|client|specimen|sample|collected|received|reported|printed|clia|npi|zip|lab director|director|copy|visit|barcode|requisition|req|control|ref(?:erred)? by|room|ward|version|report|fasting|geb|geboren|geburtsdatum|alter|geschlecht|auftrag|auftragsnummer|eingang|ausgang|entnahme|labornummer|arzt|einsender|straße|telefon|né|née|naissance|sexe|âge|dossier|prélèvement|médecin|téléphone|edition|édité|fecha|nacimiento|edad|sexo|paciente|médico|teléfono|muestra|registro|height|weight|bmi|blood pressure|pulse|iso)\b/iu;

export const isAdministrative = (text: string): boolean => administrative.test(text);

/** Function words, which indicate a sentence. */
const small =
  /^(?:the|is|are|was|were|of|for|with|and|or|may|should|has|have|been|that|this|these|to|in|by|from|not|as|be|an|if|your|you|ist|sind|der|die|das|bei|und|oder|nicht|wird|werden|ein|eine|für|mit|von|est|sont|le|les|une|des|et|ou|pour|avec|dans|es|son|el|los|las|una|y|para|con|por|indicates?|suggests?|consider|recommend(?:ed)?|according|values?|levels?|between|than|patients?)$/iu;

export const isSentence = (text: string): boolean => {
  const words = text.split(/\s+/).filter((word) => /^\p{L}+[.,;:]?$/u.test(word));
  const count = words.filter((word) => small.test(word.replace(/[.,;:]$/, ''))).length;
  return count >= 3 && count / words.length >= 0.25;
};
