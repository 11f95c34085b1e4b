/** Title, description and structured data of a supplement's page. */
import { breadcrumbs, scholarly } from '#plugins/evidence/index.ts';
import type { SupplementRow } from '#plugins/vocabulary/index.ts';
import type { IntakeView } from './intake-view.ts';
import { medicalCodes } from './standard-ids.ts';
import type { SupplementView } from './supplement-view.ts';
import { firstSentence, shortened } from './words.ts';

export const headOf = (row: SupplementRow, view: SupplementView, baseUrl: string, reviewer: string) => ({
  title: `${row.name}: evidence, doses as studied, safety`,
  description: shortened(`${firstSentence(view.answer)} ${holdings(view)}`),
  feed: { title: `${row.name}: changes`, href: `/supplements/${row.slug}/changes.atom` },
  structuredData: [pageData(row, view, baseUrl, reviewer), breadcrumbs(baseUrl, view.crumbs)],
});

const holdings = ({ findings, nameInSentence }: SupplementView): string => {
  if (!findings.length) return `What our base holds on ${nameInSentence}: sources, interactions, safety, products.`;
  const noun = findings.length === 1 ? 'finding with its' : 'findings with their';
  return `${findings.length} ${noun} sources, doses as studied and safety.`;
};

const doseSchedule = (type: string, unit: string, row: IntakeView['upper'][number]): object => ({
  '@type': type,
  doseValue: row.amount,
  doseUnit: unit,
  frequency: 'daily',
  targetPopulation: [row.group, row.ages].filter(Boolean).join(', '),
});

const intakeData = (intake: IntakeView | null): object =>
  (intake && {
    ...(intake.recommended.length && {
      recommendedIntake: intake.recommended.map((row) => doseSchedule('RecommendedDoseSchedule', intake.unit, row)),
    }),
    ...(intake.upper.length && {
      maximumIntake: intake.upper.map((row) => doseSchedule('MaximumDoseSchedule', intake.unit, row)),
    }),
  }) ||
  {};

/** Who should take care, and what must not be combined: a search engine shows nothing else of the page. */
const safetyInWords = ({ safety, interactions }: SupplementView): string =>
  [
    ...safety.map(({ statement }) => statement),
    ...interactions.cautions.map(({ who, effect }) => `${who}: ${effect}`),
  ].join(' ');

const pageData = (row: SupplementRow, view: SupplementView, baseUrl: string, reviewer: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'MedicalWebPage',
  name: `${row.name}: the evidence`,
  url: `${baseUrl}/supplements/${row.slug}`,
  description: view.answer,
  inLanguage: 'en',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  dateModified: row.entry.updated_at,
  ...(reviewer && { lastReviewed: row.entry.updated_at, reviewedBy: { '@type': 'Person', name: reviewer } }),
  about: {
    '@type': 'DietarySupplement',
    name: row.name,
    ...(row.latinName && { nonProprietaryName: row.latinName }),
    ...(row.synonyms.length && { alternateName: row.synonyms }),
    nonProprietaryName: row.name,
    activeIngredient: row.name,
    url: `${baseUrl}/supplements/${row.slug}`,
    ...(view.ids.length && { code: medicalCodes(row.entry.ids) }),
    ...intakeData(view.intake),
    safetyConsideration: safetyInWords(view),
  },
  citation: view.references.flatMap(({ source }) => (source && !source.retracted ? [scholarly(source)] : [])),
});
