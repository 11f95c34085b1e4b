/**
 * Extracts claims from text without citations of its own. A sentence about a supplement, or with advice, is a claim that the
 * sources listed on the page must support; all other sentences are general knowledge.
 */
import { saysWhatToDo } from './advice.ts';
import type { Offer, Passage } from './reviewed.ts';
import { plain, sentencesOf } from './sentences.ts';

type Offers = ReadonlyMap<string, Offer>;

const HARM =
  /\b(harm(s|ed|ful)?|dangers?|dangerous|poison(s|ed|ing|ous)?|toxic|unsafe|risky|safe|safely|deaths?|hidden|undeclared)\b/i;
/** Matches products that are taken. */
const TAKEN =
  /\b(tablets?|capsules?|powders?|products?|medicines?|drugs?|painkillers?|antidepressants?|laxatives?|antacids?|blood thinners?)\b/i;
/** Matches unnamed remedies that people take for their health. */
const REMEDIES =
  /\b(supplements?|supplementation|herbs?|herbal|remed(y|ies)|over the counter|without (a )?prescription)\b/i;
/**
 * Matches words about intake. A nutrient occurs in every body: a sentence is about the supplement only when it mentions taking
 * it, too much of it, or its effects on health.
 */
const INTAKE =
  /\b(supplements?|supplementation|(?<!water )tablets?|capsules?|powders?|products?|doses?|extra|too much|high amounts?|intakes?|tak(e|es|en|ing)|swallow(s|ed)?|drops|helps|prevents?|lowers|raises|improves?|treats?)\b|\d (mg|µg|g|IU)\b(?!\/)/i;

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Builds a pattern that matches any of the names in running text. */
const patternOf = (names: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(?:${names.map((name) => escaped(name)).join('|')})(?:e?s)?(?![\\w-]| kinase)`, 'i');

const singular = (name: string): string => name.toLowerCase().replace(/s$/, '');

/** Returns the offers that a sentence mentions. */
export type Naming = (
  sentence: string,
  isOwn: (id: string) => boolean,
) => readonly { readonly ids: readonly string[]; readonly name: string; readonly isMedicine: boolean }[];

export const namingOf = (offers: Offers): Naming => {
  const all = [...new Set(offers.values())];
  // “Nitrates” in a text means the medicines, although a supplement has the same name.
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

/**
 * Returns the claims in a passage with role `told`, each with the sources that support it; sentences of general knowledge are
 * left out.
 */
export const claimsOfTold = (passage: Passage, offers: Offers, naming: Naming): Passage[] => {
  const { restsOn = () => false, isOwn = () => false } = passage;
  const lineOf = (sentence: string) => passage.lineAt?.(passage.text.indexOf(sentence)) ?? passage.line;
  const listed = [...offers].filter(([id]) => restsOn(id));
  const onAny = (ids: readonly string[], isWarning: boolean): string[] =>
    listed.flatMap(([id, { about = [], warns = false }]) =>
      about.some((one) => ids.includes(one)) && (warns || !isWarning) ? [id] : [],
    );
  return sentencesOf(passage.text).flatMap((sentence): Passage[] => {
    const text = plain(sentence);
    if (text.endsWith('?')) return [];
    const names = naming(text, isOwn);
    const subjects = names.filter(({ isMedicine }) => !isMedicine);
    const isHarm = HARM.test(text) && (TAKEN.test(text) || names.length > 0);
    const isWarning = isHarm || saysWhatToDo(text);
    if (!subjects.length && !isWarning && !REMEDIES.test(text)) return [];
    const rests = (ids: readonly string[]): string[] => onAny(ids, isWarning);
    const cites = [...new Set(rests((subjects.length ? subjects : names).flatMap(({ ids }) => ids)))];
    const unfounded = subjects.filter(({ ids }) => !rests(ids).length).map(({ name }) => name);
    return [{ ...passage, text, role: 'claim', cites, line: lineOf(sentence), ...(unfounded.length && { unfounded }) }];
  });
};
