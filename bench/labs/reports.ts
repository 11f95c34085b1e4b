/** Builds the synthetic reports: each has a layout that laboratories use, with clearly invented people and laboratories. */
import { bytesOf, newDocument } from './drawing.ts';
import { americanPlans } from './layouts/american.ts';
import { asianPlans } from './layouts/asian.ts';
import { europeanPlans } from './layouts/european.ts';
import type { Plan, RandomOf } from './layouts/parts.ts';
import { unusualPlans } from './layouts/unusual.ts';
import { urinePlans } from './layouts/urine.ts';
import { type SpecimenRow, seeded } from './specimen.ts';

export interface Specimen {
  readonly id: string;
  readonly testType: 'blood' | 'urine';
  readonly rows: readonly SpecimenRow[];
  readonly collectedAt: string | null;
  readonly pdf: Buffer;
}

/** Order of the reports. Benchmarks select reports by index, so layouts that are not listed here come last. */
const order =
  `box-table quest-like labcorp-like labcorp-new nhs-like german german-vorwert german-bare french french-dotted
spanish no-head running-lines monospace two-columns wrapped cumulative range-first unit-in-name indian flag-first superscripts
si-units bounds bounds-no-head interpreted star-flags urine-strip urine-german blood-and-urine long long-german two-reports
tight serif-boxes flags-in-value`.split(/\s/);

const placeOf = ({ id }: Plan): number => (order.includes(id) ? order.indexOf(id) : order.length);

const plans = (random: RandomOf): Plan[] =>
  [americanPlans, europeanPlans, asianPlans, urinePlans, unusualPlans]
    .flatMap((themed) => themed(random))
    .sort((a, b) => placeOf(a) - placeOf(b));

/** Builds all reports. Another seed gives the same layouts with other values and rows. */
export const makeReports = async (seed = 1000): Promise<Specimen[]> => {
  const made: Specimen[] = [];
  for (const plan of plans((number) => seeded(seed + number))) {
    const document = newDocument(plan.size);
    const bytes = bytesOf(document);
    plan.draw(document, plan.rows);
    document.end();
    made.push({
      id: plan.id,
      testType: plan.testType ?? 'blood',
      rows: plan.rows,
      collectedAt: plan.collectedAt === undefined ? '2026-03-25' : plan.collectedAt,
      pdf: await bytes,
    });
  }
  return made;
};
