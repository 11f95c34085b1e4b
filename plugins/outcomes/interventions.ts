/** Orders interventions, and selects the studied doses of a supplement that belong to an outcome. */

import { type Group, groupsIn, groupsInWords } from '#plugins/evidence/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { CERTAINTIES } from './grading/method.ts';
import type { CitedSource } from './material.ts';
import type { OutcomeGrade } from './read-grades.ts';
import { TOPIC_KINDS, topicKind } from './topic-kinds.ts';

const kindRank = ({ topic_slug }: OutcomeGrade): number => TOPIC_KINDS.indexOf(topicKind(topic_slug));
/**
 * Returns a positive rank for levels of the supplement itself and side effects, which are not reasons to take it and come last;
 * otherwise 0.
 */
const isAside = (grade: OutcomeGrade): number =>
  Number(kindRank(grade) >= TOPIC_KINDS.indexOf('own_level')) * kindRank(grade);

/**
 * Compares by certainty, then health outcomes before measurements, then by number of sources (descending); outcomes that are no
 * reason to take the supplement come last.
 */
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
  /** References of sources that are not retracted. */
  readonly sources: readonly string[];
}

/** A dose that was studied only in the given groups. */
export interface GroupDose extends StudiedDose {
  readonly groups: readonly Group[];
  /** The groups in words, such as "pregnancy". */
  readonly population: string;
}

/** Returns the groups that a dose is for, from its own text, otherwise from the populations of all its known sources. */
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
 * Returns the doses with a source that also supports a claim on the outcome; doses for infants, children, pregnancy and
 * breastfeeding are separate. Doses whose sources are all retracted are omitted, as are retracted sources of the others.
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
