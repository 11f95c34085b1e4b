/** Formats an upper limit in one sentence: adults first, then every age that has another limit. */
import type { IntakeRow } from '#plugins/vocabulary/index.ts';

interface Ages {
  readonly from: number;
  /** Infinity for "71+". */
  readonly to: number;
}

const agesOf = (age: string): Ages | null => {
  const [, from, to, open] = /^(\d+)(?:-(\d+)|(\+))?$/.exec(age) ?? [];
  return from ? { from: Number(from), to: open ? Number.POSITIVE_INFINITY : Number(to ?? from) } : null;
};

const yearsInWords = ({ from, to }: Ages): string =>
  to === Number.POSITIVE_INFINITY ? `from ${from} years` : `from ${from} to ${to} years`;

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });

type Group = NonNullable<NonNullable<IntakeRow['upperLimit']>['groups']>[number];

/**
 * Returns the limits by age: of children, and of ages at which men and women share a value; adjacent ages with one value are
 * merged.
 */
const byAge = (groups: readonly Group[]): { ages: Ages; value: number }[] => {
  const all = groups
    .filter(
      ({ group, age, value }) =>
        group === 'Children' ||
        (group === 'Male' && groups.some((one) => one.group === 'Female' && one.age === age && one.value === value)),
    )
    .flatMap(({ age = '', value }) => {
      const ages = agesOf(age);
      return ages && value !== null ? [{ ages, value }] : [];
    })
    .sort((a, b) => a.ages.from - b.ages.from);
  const joined: { ages: Ages; value: number }[] = [];
  for (const { ages, value } of all) {
    const last = joined.at(-1);
    if (last && last.value === value && last.ages.to + 1 === ages.from)
      joined[joined.length - 1] = { value, ages: { from: last.ages.from, to: ages.to } };
    else joined.push({ ages, value });
  }
  return joined;
};

/** Formats the limit: "40 mg a day for adults; 34 mg from 14 to 18 years …"; "" if none was set for adults. */
export const upperLimitInWords = ({ unit, upperLimit }: IntakeRow): string => {
  const { adult, groups = [], note } = upperLimit ?? { adult: null };
  if (adult === null) return '';
  const amount = (value: number): string => `${figures.format(value)} ${unit}`;
  const infants = groups.flatMap(({ group, age, value }) =>
    value !== null && !age && group.startsWith('Infants') ? [`${amount(value)} for ${group.toLowerCase()}`] : [],
  );
  const aged = byAge(groups).map(({ ages, value }) => `${amount(value)} ${yearsInWords(ages)}`);
  // Pregnancy is listed where its limit differs from that of other women of the same age; equal values are listed once.
  const pregnant = new Set(
    groups.flatMap(({ group, age, value }) => {
      const others = groups.find((one) => one.group === 'Female' && one.age === age)?.value ?? adult;
      return group === 'Pregnancy' && value !== null && value !== others ? [`${amount(value)} in pregnancy`] : [];
    }),
  );
  const changes = byAge(groups).some(({ ages }) => ages.from > 19);
  const adults = `${amount(adult)} a day for adults${changes ? '' : ' of every age'}`;
  return `${[adults, ...infants, ...aged, ...pregnant].join('; ')}${note ? ` (${note})` : ''}.`;
};
