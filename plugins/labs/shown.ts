/** Formats reports for `/api/account/export`: the object of the conventions, plus everything that was read. */
import type { Book } from '#plugins/biomarkers/index.ts';
import { type Assessed, assessAll } from './assess.ts';
import type { Report } from './sealed-report.ts';

const ourRange = ({ range }: Assessed) =>
  range && {
    low: range.low,
    high: range.high,
    source: range.source.url,
    population: populationOf(range),
  };

/** Describes the population of a range: "women, 19 to 40 years, fasting". */
export const populationOf = (range: NonNullable<Assessed['range']>): string => {
  const { sex, ageFrom, ageTo, isPregnant, note } = range;
  const who = sex === 'any' ? 'adults' : sex === 'female' ? 'women' : 'men';
  const years =
    ageFrom !== null && ageTo !== null
      ? `${ageFrom} to ${ageTo} years`
      : ageFrom !== null
        ? `${ageFrom} years and older`
        : ageTo !== null
          ? `up to ${ageTo} years`
          : '';
  return [who, years, isPregnant ? 'pregnant' : '', note].filter(Boolean).join(', ');
};

const markerOf = (assessed: Assessed) => {
  const { kept, marker, flag } = assessed;
  return {
    marker_id: kept.markerId,
    slug: kept.slug ?? '',
    name: marker?.name ?? kept.rawName,
    raw_name: kept.rawName,
    loinc: kept.loinc ?? '',
    value: kept.value,
    value_text: kept.valueText,
    comparator: kept.comparator,
    unit: kept.unit,
    ucum: kept.ucum,
    flag,
    lab_range: { low: kept.range.low, high: kept.range.high, text: kept.range.text },
    our_range: ourRange(assessed),
    optimal_range: null,
    confidence: kept.confidence,
    doubts: kept.doubts,
    page: kept.page,
    box: kept.box,
    confirmed: kept.confirmed,
    origin: kept.origin,
    snippet: kept.snippet,
  };
};

export const shownReport = (book: Book, report: Report) => ({
  report_id: report.reportId,
  source_type: report.sourceType,
  test_type: report.testType,
  lab_name: report.labName,
  collected_at: report.collectedAt,
  reported_at: report.reportedAt,
  created_at: report.createdAt,
  updated_at: report.updatedAt,
  status: report.state,
  sex: report.sex,
  birth_year: report.birthYear,
  pregnant: report.isPregnant,
  fasting: report.isFasting,
  read_by: report.readBy,
  file: { pages: report.pages, sha256: report.sha256, files: report.files },
  markers: assessAll(book, report).map(markerOf),
  unread: report.unread,
  warnings: report.warnings,
});
