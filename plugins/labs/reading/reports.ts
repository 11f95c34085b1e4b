/** Determines whether an upload is one report of one person, and its laboratory, dates, sex and birth year. */
import { editDistance } from '#core/search/edit-distance.ts';
import type { Reading } from '../report.ts';
import type { About } from './about.ts';

type Said = Pick<Reading, 'labName' | 'collectedAt' | 'reportedAt' | 'sex' | 'birthYear' | 'warnings'>;

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

const different = <T>(lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())];

/** Returns whether two names are the same despite OCR errors or another order of the names. */
const isSame = (a: string, b: string): boolean => {
  const sorted = (name: string): string => name.split(' ').sort().join(' ');
  const shared = new Set(a.split(' ')).intersection(new Set(b.split(' ')));
  if ([...shared].filter((word) => word.length > 1).length >= 2) return true;
  return a.includes(b) || b.includes(a) || editDistance(sorted(a), sorted(b), 2) <= 2;
};

const only = <T>(all: readonly T[]): T | null => (all.length === 1 ? all[0]! : null);

export const saidOf = (files: readonly About[]): Said => {
  const collected = different(files.map((file) => file.collected));
  const reported = different(files.map((file) => file.reported));
  const labs = different(files.map((file) => (file.labName ? [file.labName] : [])));
  const people = different(files.map((file) => file.people));
  const births = different(files.map((file) => file.birthYears));
  const sexes = different(files.map((file) => file.sexes));
  const isSeveral = collected.length > 1 || labs.some((lab) => !isSame(lab.toLowerCase(), labs[0]!.toLowerCase()));
  const isSeveralPeople = people.some((name) => !isSame(name, people[0]!)) || births.length > 1;
  const day = only(collected);
  const issued = only(reported);
  const warnings = [
    ...(isSeveral || isSeveralPeople ? ['several_reports'] : []),
    ...(isSeveralPeople ? ['several_people'] : []),
  ];
  return {
    labName: isSeveral && labs.length > 1 ? '' : (labs[0] ?? ''),
    collectedAt: warnings.length || !day || !isDay(day) ? null : day,
    reportedAt: warnings.length || !issued || !isDay(issued) ? null : issued,
    sex: isSeveralPeople ? null : only(sexes),
    birthYear: isSeveralPeople ? null : only(births),
    warnings,
  };
};
