/** In which order interventions stand, and which of the studied doses of a supplement belong to an outcome. */

import { type Group, groupsIn, groupsInWords } from '#plugins/evidence/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { CERTAINTIES } from './grading/method.ts';
import type { CitedSource } from './material.ts';
import type { OutcomeGrade } from './read-grades.ts';
import { TOPIC_KINDS, topicKind } from './topic-kinds.ts';

const kindRank = ({ topic_slug }: OutcomeGrade): number => TOPIC_KINDS.indexOf(topicKind(topic_slug));
/** Levels of the supplement itself and side effects are nothing that it is taken for: after all that is. */
const isAside = (grade: OutcomeGrade): number =>
  Number(kindRank(grade) >= TOPIC_KINDS.indexOf('own_level')) * kindRank(grade);

/** What people ask for first; within it the surest, health before values that stand for it, then the most sources. */
export const byUse = (a: OutcomeGrade, b: OutcomeGrade): number =>
  isAside(a) - isAside(b) ||
  CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) ||
  kindRank(a) - kindRank(b) ||
  b.source_count - a.source_count ||
  (a.vertical < b.vertical ? -1 : 1);

export interface StudiedDose {
  readonly context: string;
  readonly dose: string;
  readonly duration: string;
  /** References of sources that stand. */
  readonly sources: readonly string[];
}

/** A dose that was studied in such people alone. */
export interface GroupDose extends StudiedDose {
  readonly groups: readonly Group[];
  /** The same in words: "pregnancy". */
  readonly population: string;
}

/** Whom a dose is for: by its own words, else by who was studied in every source of it that we know. */
export const groupsOfDose = (
  { context, dose, duration, sources }: StudiedDose,
  cited: ReadonlyMap<string, Pick<CitedSource, 'population'>>,
): readonly Group[] => {
  const said = groupsIn(`${context}; ${dose}; ${duration}`);
  if (said.length) return said;
  const studied = sources.flatMap((ref) => cited.get(ref)?.population || []).map(groupsIn);
  return studied.every(({ length }) => length > 0) ? [...new Set(studied.flat())] : [];
};

/**
 * Doses whose source also carries a finding on the outcome, those of infants, children, pregnancy and breastfeeding apart.
 * What rests on retracted sources alone is left out, and of the others the retracted sources.
 */
export const dosesFor = (
  { supplement_slug, topic_slug }: Pick<OutcomeGrade, 'supplement_slug' | 'topic_slug'>,
  { supplements }: Pick<Terms, 'supplements'>,
  cited: ReadonlyMap<string, Omit<CitedSource, 'sourceId'>>,
): { readonly doses: readonly StudiedDose[]; readonly special_doses: readonly GroupDose[] } => {
  const entry = supplements.get(supplement_slug)?.entry;
  const findings = entry?.evidence.filter(({ topic }) => topic === topic_slug) ?? [];
  const resting = new Set(findings.flatMap(({ sources }) => sources));
  const studied = (entry?.dosing ?? []).flatMap(({ context, dose, duration = '', sources }) => {
    const standing = sources.filter((ref) => !cited.get(ref)?.retracted);
    if (!standing.some((ref) => resting.has(ref))) return [];
    const shown = { context, dose, duration, sources: standing };
    return [{ shown, groups: groupsOfDose(shown, cited) }];
  });
  return {
    doses: studied.flatMap(({ shown, groups }) => (groups.length ? [] : [shown])),
    special_doses: studied.flatMap(({ shown, groups }) =>
      groups.length ? [{ ...shown, groups, population: groupsInWords(groups) }] : [],
    ),
  };
};
