/**
 * Text that has no citations of its own, as sentences: what says something of a supplement, or what to do, is a claim that
 * rests on what its page lists; the rest is general knowledge.
 */
import type { Offer, Passage } from './reviewed.ts';
import { plain, sentencesOf } from './sentences.ts';

type Offers = ReadonlyMap<string, Offer>;

const WHO =
  '(?:doctors?|prescribers?|pharmacists?|midwi(?:fe|ves)|clinics?|hospitals?|team|care|help|emergency service)';
/** What to do. */
const ADVICE = new RegExp(
  [
    String.raw`\b(?:should|must|ought|never|avoid|at once|emergenc(?:y|ies)|without delay|(?:same|next) day|straight away)\b`,
    String.raw`(?<!\b(?:we|they|these|those|that|which|who|it|you|people|some|others|most|many)\s)\bdo not\b|\bdon’t\b`,
    String.raw`\b(?:ask|see|show|tell|call|needs?|without|matter for|question for|talk (?:to|with)|speak (?:to|with)|seen by|shown to|treated by|checked by) (?:an? |the |your |his |her |their |whoever |any )?(?:\w+ )?${WHO}\b`,
    String.raw`\b(?:tell|ask|report|show) (?:the|your|whoever|every|about|before)\b|\bworth (?:telling|asking|showing|a (?:visit|talk|question))`,
    String.raw`\bneeds? (?:its cause|attention|treatment|treating|checking|to be|an? (?:tests?|examination|check))\b`,
    String.raw`\b(?:is|are|be|been|gets?) (?:not )?(?:stopped|swapped|begun|left out|put off|given up)\b|\bon one’s own\b|\bstopp?(?:ing)? (?:it|them|a|the|his|her|one|any)\b`,
  ].join('|'),
  'i',
);
const HARM =
  /\b(harm(s|ed|ful)?|dangers?|dangerous|poison(s|ed|ing|ous)?|toxic|unsafe|risky|safe|safely|deaths?|hidden|undeclared)\b/i;
/** What is taken. */
const TAKEN =
  /\b(tablets?|capsules?|powders?|products?|medicines?|drugs?|painkillers?|antidepressants?|laxatives?|antacids?|blood thinners?)\b/i;
/** Things that people take for their health, without a name. */
const REMEDIES =
  /\b(supplements?|supplementation|herbs?|herbal|remed(y|ies)|over the counter|without (a )?prescription)\b/i;
/** A nutrient is in everybody: only as something that is taken, too much of it, or what it does for health, we speak of it. */
const INTAKE =
  /\b(supplements?|supplementation|tablets?|capsules?|powders?|products?|doses?|extra|too much|high amounts?|intakes?|tak(e|es|en|ing)|swallow(s|ed)?|drops|helps|prevents?|lowers|raises|improves?|treats?)\b|\d (mg|µg|g|IU)\b(?!\/)/i;

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** One name of something, as a reader may meet it. */
const patternOf = (names: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(?:${names.map((name) => escaped(name)).join('|')})(?:e?s)?(?![\\w-]| kinase)`, 'i');

const singular = (name: string): string => name.toLowerCase().replace(/s$/, '');

/** Whether a sentence speaks of what an offer is. */
export type Naming = (
  sentence: string,
  isOwn: (id: string) => boolean,
) => readonly { readonly ids: readonly string[]; readonly name: string; readonly isMedicine: boolean }[];

export const namingOf = (offers: Offers): Naming => {
  const all = [...new Set(offers.values())];
  // “Nitrates” are medicines where a text speaks of them, though a supplement is called so too.
  const classes = new Set(all.flatMap(({ called }) => called?.classNames ?? []).map(singular));
  const named = all.flatMap(({ ids, called }) => {
    const isFree = (name: string): boolean => called?.kind === 'medicine' || !classes.has(singular(name));
    const names = called?.names.filter(isFree) ?? [];
    return called && names.length ? [{ ids, kind: called.kind, name: names[0] ?? '', pattern: patternOf(names) }] : [];
  });
  return (sentence, isOwn) =>
    named.flatMap(({ ids, kind, name, pattern }) => {
      const isTakenOnly = kind === 'nutrient' || ids.some(isOwn);
      return pattern.test(sentence) && (!isTakenOnly || INTAKE.test(sentence))
        ? [{ ids, name, isMedicine: kind === 'medicine' }]
        : [];
    });
};

/** The sentences of a told passage as claims, each with what it rests on; what is general knowledge stays as it is. */
export const claimsOfTold = (passage: Passage, offers: Offers, naming: Naming): Passage[] => {
  const { restsOn = () => false, isOwn = () => false } = passage;
  const lineOf = (sentence: string) => passage.lineAt?.(passage.text.indexOf(sentence)) ?? passage.line;
  const listed = [...offers].filter(([id]) => restsOn(id));
  const onAny = (ids: readonly string[]): string[] =>
    listed.flatMap(([id, { about = [] }]) => (about.some((one) => ids.includes(one)) ? [id] : []));
  return sentencesOf(passage.text).flatMap((sentence): Passage[] => {
    const text = plain(sentence);
    if (!text || text.endsWith('?')) return [];
    const names = naming(text, isOwn);
    const subjects = names.filter(({ isMedicine }) => !isMedicine);
    const isAdvice =
      ADVICE.test(text) || REMEDIES.test(text) || (HARM.test(text) && (TAKEN.test(text) || names.length > 0));
    if (!subjects.length && !isAdvice) return [];
    const cites = [...new Set(onAny((subjects.length ? subjects : names).flatMap(({ ids }) => ids)))];
    const unfounded = subjects.filter(({ ids }) => !onAny(ids).length).map(({ name }) => name);
    return [{ ...passage, text, role: 'claim', cites, line: lineOf(sentence), ...(unfounded.length && { unfounded }) }];
  });
};
