/** Describes who was studied, for the attribution before a quote: a finding in pregnant women does not apply to everybody. */
import type { SourceRow } from '#plugins/evidence/index.ts';

/** Matches populations that say no more than "people". */
const ANYBODY =
  /^(?:(?:healthy|young|adult|untrained)[ ,]*)*(?:adults?|people|volunteers?|men and women|women and men|participants?|subjects?)(?: in randomi[sz]ed trials| in trials)?$/i;

/** Groups that a title names, used when no population was entered. */
const IN_TITLES: readonly (readonly [words: RegExp, group: string])[] = [
  [/\b(?:pregnan\w*|gestation\w*)\b/i, 'in pregnancy'],
  [/\b(?:lactat\w*|breast-?feed\w*)\b/i, 'while breastfeeding'],
  [/\b(?:preterm|premature|newborns?|neonat\w*|infants?)\b/i, 'infants'],
  [/\b(?:child(?:ren|hood)?|p(?:a)?ediatric|school-?age\w*|preschool\w*)\b/i, 'children'],
  [/\badolescen\w*\b/i, 'adolescents'],
  [/\b(?:elderly|older (?:adults|people|men|women|patients))\b/i, 'older people'],
  [/\b(?:athletes?|trained|players?|runners|cyclists|swimmers)\b/i, 'trained people'],
  [/\b(?:critically ill|intensive care|septic|sepsis)\b/i, 'people in intensive care'],
  [/\b(?:h(?:a)?emodialysis|dialysis)\b/i, 'people on dialysis'],
];
const PATIENTS =
  /\b(?:patients|people|adults|men|women|individuals|subjects) (?:with|undergoing|receiving|having|treated for) [\p{L}\p{N}'’ -]{3,60}/iu;

const fromTitle = (title: string): string => {
  const groups = IN_TITLES.filter(([words]) => words.test(title)).map(([, group]) => group);
  const patients = PATIENTS.exec(title)?.[0].trim() ?? '';
  return patients ? patients.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()) : groups.slice(0, 2).join(', ');
};

/** Returns the population, such as "pregnant women with leg cramps", or an empty string when it is unknown or unspecific. */
export const peopleStudied = ({ population, title, species }: SourceRow): string => {
  if (species !== 'human') return '';
  const told = population.trim();
  return told ? (ANYBODY.test(told) ? '' : told) : fromTitle(title);
};
