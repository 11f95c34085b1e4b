/**
 * Builds the safety section of a supplement's page: one fact per line, most serious first, no sentence twice; then the limits.
 */
import { type Static, Type } from 'typebox';
import { LinkView } from '#plugins/evidence/index.ts';
import type { safetyFloor } from '#plugins/interactions/index.ts';
import { OriginView, originView } from '#plugins/vocabulary/index.ts';
import type { Numbering } from './citations.ts';
import type { InteractionParts } from './interaction-parts.ts';
import { isRestated } from './restated.ts';

const Cites = Type.Array(Type.Integer());

export const SafetyLine = Type.Object({
  /** The severity of a caution, or the level of a note. */
  severity: Type.Union([Type.Object({ code: Type.String(), word: Type.String() }), Type.Null()]),
  level: Type.Union([Type.Object({ code: Type.String(), word: Type.String() }), Type.Null()]),
  who: Type.String(),
  text: Type.String(),
  cites: Cites,
  authority: Type.Union([LinkView, Type.Null()]),
  origin: OriginView,
});
export type SafetyLine = Static<typeof SafetyLine>;

export const SafetySection = Type.Object({
  lines: Type.Array(SafetyLine),
  /** Upper intake, longest time studied. */
  limits: Type.Array(
    Type.Object({
      name: Type.String(),
      statement: Type.String(),
      cites: Cites,
      authority: Type.Union([LinkView, Type.Null()]),
      /** Null if nothing is stated. */
      origin: Type.Union([OriginView, Type.Null()]),
    }),
  ),
  /** Topics with too little evidence for any caution. */
  notStudied: Type.Array(Type.String()),
});
export type SafetySection = Static<typeof SafetySection>;

export interface SafetyNoteView {
  readonly level: string;
  readonly word: string;
  readonly statement: string;
  readonly cites: number[];
  readonly authority: Static<typeof LinkView> | null;
  readonly origin: Static<typeof OriginView>;
}

/** Severities of cautions and levels of notes on one scale, most serious first. */
const GRAVITY = ['contraindicated', 'major', 'warning', 'moderate', 'caution', 'minor', 'info', 'unknown'];

const sentencesOf = (text: string): string[] => text.trim().split(/(?<=[.!?])\s+(?=[A-Z0-9“])/);

/**
 * Removes every sentence that an earlier line contains, and from a note without a cited study every sentence that an earlier
 * caution states in other words. Lines without a new sentence are removed. A caution is never shortened for being similar.
 */
const withoutRepeats = (lines: readonly SafetyLine[]): SafetyLine[] => {
  const said = new Set<string>();
  const cautions: string[] = [];
  return lines.flatMap((line) => {
    const mayRestate = line.level && !line.cites.length;
    const fresh = sentencesOf(line.text).filter(
      (sentence) => !said.has(sentence) && !(mayRestate && isRestated(sentence, cautions)),
    );
    for (const sentence of fresh) said.add(sentence);
    if (line.severity) cautions.push(line.text);
    return fresh.length ? [{ ...line, text: fresh.join(' ') }] : [];
  });
};

const gravityOf = ({ severity, level }: SafetyLine): number => GRAVITY.indexOf((severity ?? level)?.code ?? '');

export const safetySection = (
  notes: readonly SafetyNoteView[],
  cautions: InteractionParts['cautions'],
  { floor, numbering }: { readonly floor: ReturnType<typeof safetyFloor>; readonly numbering: Numbering },
): SafetySection => {
  const lines = [
    ...cautions.map(
      ({ severity, who, effect, recommendation, authority, origin }): SafetyLine => ({
        severity,
        level: null,
        who,
        text: `${effect} ${recommendation}`,
        cites: [],
        authority,
        origin,
      }),
    ),
    ...notes.map(
      ({ level, word, statement, cites, authority, origin }): SafetyLine => ({
        severity: null,
        level: { code: level, word },
        who: '',
        text: statement,
        cites,
        authority,
        origin,
      }),
    ),
  ].sort((a, b) => gravityOf(a) - gravityOf(b));
  return {
    lines: withoutRepeats(lines),
    limits: floor
      .filter(({ topic }) => topic === 'upper-intake' || topic === 'longest-studied')
      .map(({ name, status, statement, authority, longest, origin }) => ({
        name,
        statement,
        cites: numbering.all([...(longest?.sources ?? [])]),
        authority: authority && { name: authority.name, href: authority.address },
        origin: status === 'stated' ? originView(origin) : null,
      })),
    notStudied: floor
      .filter(({ topic, status }) => status === 'not_studied' && topic !== 'longest-studied')
      .map(({ name }) => name.toLowerCase()),
  };
};
