/** Title, description and structured data of a supplement's page. */
import type {
  DietarySupplement,
  MaximumDoseSchedule,
  MedicalWebPage,
  RecommendedDoseSchedule,
  WithContext,
} from 'schema-dts';
import { pageFacts } from '#core/render/structured-data.ts';
import { breadcrumbs, scholarly } from '#plugins/evidence/index.ts';
import type { SupplementRow } from '#plugins/vocabulary/index.ts';
import { firstSentence, shortened } from './catalog-labels.ts';
import type { IntakeView } from './intake-view.ts';
import { medicalCodes } from './standard-ids.ts';
import type { SupplementView } from './supplement-view.ts';

export const headOf = (row: SupplementRow, view: SupplementView, baseUrl: string, reviewer: string) => ({
  title: `${row.name}: evidence, doses as studied, safety`,
  description: shortened(`${firstSentence(view.answer)} ${holdings(view)}`),
  feed: { title: `${row.name}: changes`, href: `/supplements/${row.slug}/changes.atom` },
  structuredData: [pageData(row, view, { baseUrl, reviewer }), breadcrumbs(baseUrl, view.crumbs)],
});

const holdings = ({ findings, nameInSentence }: SupplementView): string => {
  if (!findings.length) return `What our base holds on ${nameInSentence}: sources, interactions, safety, products.`;
  const noun = findings.length === 1 ? 'finding with its' : 'findings with their';
  return `${findings.length} ${noun} sources, doses as studied and safety.`;
};

type Supplement = Exclude<DietarySupplement, string>;
type Schedule = Exclude<RecommendedDoseSchedule | MaximumDoseSchedule, string>;

/** Builds a schedule for each row with a number; "none set" is not a dose. */
const schedules = <T extends Schedule['@type']>(type: T, unit: string, rows: IntakeView['upper']) =>
  rows
    .map((row) => ({ ...row, value: Number(row.amount.replaceAll(',', '')) }))
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, group, ages }) => ({
      '@type': type,
      doseValue: value,
      doseUnit: unit,
      frequency: 'daily',
      targetPopulation: [group, ages].filter(Boolean).join(', '),
    }));

const intakeData = (intake: IntakeView | null): Pick<Supplement, 'recommendedIntake' | 'maximumIntake'> => {
  if (!intake) return {};
  const recommended = schedules('RecommendedDoseSchedule', intake.unit, intake.recommended);
  const upper = schedules('MaximumDoseSchedule', intake.unit, intake.upper);
  return {
    ...(recommended.length && { recommendedIntake: recommended }),
    ...(upper.length && { maximumIntake: upper }),
  };
};

/** Returns the legal status, the safety notes and the cautions, because a search engine shows nothing else of the page. */
const safetyInWords = ({ legalStatus, safety, interactions }: SupplementView): string =>
  [
    ...(legalStatus ? [legalStatus.statement] : []),
    ...safety.map(({ statement }) => statement),
    ...interactions.cautions.map(({ who, effect }) => `${who}: ${effect}`),
  ].join(' ');

/** Builds the structured data from the database only: no mechanism, legal status or rating is invented. */
const supplementData = (row: SupplementRow, view: SupplementView, baseUrl: string): Supplement => {
  const names = [...(row.latinName ? [row.latinName] : []), ...row.synonyms];
  const safety = safetyInWords(view);
  return {
    '@type': 'DietarySupplement',
    name: row.name,
    ...(names.length && { alternateName: names }),
    nonProprietaryName: row.name,
    ...(view.brandNames.length && { proprietaryName: view.brandNames }),
    activeIngredient: row.name,
    url: `${baseUrl}/supplements/${row.slug}`,
    ...(view.ids.length && { code: medicalCodes(row.entry.ids) }),
    ...intakeData(view.intake),
    ...(safety && { safetyConsideration: safety }),
  };
};

const pageData = (
  row: SupplementRow,
  view: SupplementView,
  { baseUrl, reviewer }: { readonly baseUrl: string; readonly reviewer: string },
): WithContext<MedicalWebPage> => ({
  '@context': 'https://schema.org',
  '@type': 'MedicalWebPage',
  ...pageFacts({
    ...{ baseUrl, reviewer },
    path: `/supplements/${row.slug}`,
    name: `${row.name}: the evidence`,
    description: view.answer,
    changed: row.entry.updated_at,
  }),
  about: supplementData(row, view, baseUrl),
  citation: view.references.flatMap(({ source }) => (source && !source.retracted ? [scholarly(source)] : [])),
});
