/** Patterns that detect advice in a sentence. They are English, as are the texts. */
const WHO =
  '(?:doctors?|prescribers?|pharmacists?|midwi(?:fe|ves)|clinics?|hospitals?|team|care|help|emergency service)';

/** Medical advice, whatever the subject of the text. */
const MEDICAL = [
  String.raw`\b(?:ask|see|show|tell|call(?: for)?|needs?|without|matter for|question for|talk (?:to|with)|speak (?:to|with)|seen by|shown to|treated by|checked by) (?:an? |the |your |his |her |their |whoever |any )?(?:\w+ )?${WHO}\b`,
  String.raw`\b${WHO} (?:is|are|has to be|may be) needed\b|\b(?:${WHO}|needed) at once\b|\bin the hands of\b|\bis an emergency\b`,
  String.raw`\b(?:checked|discussed|agreed|planned) with\b`,
  String.raw`\b(?:should|must|ought to) (?:not |never )?(?:take|stop|end|add|ask|tell|know|see|avoid|use|change|begin|be (?:taken|stopped|ended|left|measured|checked|named|seen|told|avoided|changed|swapped|discussed|reported))\b`,
  String.raw`\bworth (?:telling|asking|showing)\b|\b(?:stop|end|change|pause|medicine|add)\w*\b.{0,60}\b(?:on (?:one’s|your|their) own|by yourself)\b`,
  String.raw`(?:^|[.;:] )(?:Tell|Ask|Show|Name|Call|Stop|Avoid|Report) (?!of\b)`,
];

/** Further patterns of advice, for texts that only explain a state of health or a value. */
const ANY = [
  ...MEDICAL,
  String.raw`\b(?:should|must|ought|never|avoid|at once|emergenc(?:y|ies)|without delay|(?:same|next) day|straight away)\b`,
  String.raw`(?<!\b(?:we|they|these|those|that|which|who|it|you|people|some|others|most|many)\s)\bdo not\b|\bdon’t\b`,
  String.raw`\b(?:tell|ask|report|show) (?:the|your|whoever|every|about|before)\b|\bworth a (?:visit|talk|question)\b`,
  String.raw`\bneeds? (?:its cause|attention|treatment|treating|checking|to be|an? (?:tests?|examination|check))\b`,
  String.raw`\b(?:is|are|be|been|gets?) (?:not )?(?:stopped|swapped|begun|left out|put off|given up)\b|\bstopp?(?:ing)? (?:it|them|a|the|his|her|one|any)\b`,
];

const medical = new RegExp(MEDICAL.join('|'), 'i');
const any = new RegExp(ANY.join('|'), 'i');

/** Returns whether a sentence in a text on supplements, which has citations, gives medical advice. */
export const isMedicalAdvice = (sentence: string): boolean => medical.test(sentence);

/** Returns whether a sentence in a text without citations gives advice. */
export const saysWhatToDo = (sentence: string): boolean => any.test(sentence);
