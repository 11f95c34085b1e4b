/** A drug label of the FDA as the importer needs it, whichever format it came in, and the sections that are read. */

/** One product of a label, or one part of a kit. */
export interface LabelProduct {
  /** The generic name as the label writes it: "IRON SUCROSE", "AMLODIPINE AND VALSARTAN". */
  readonly generic: string;
  /** Names of the active substances. */
  readonly substances: readonly string[];
}

export interface DrugLabel {
  readonly setId: string;
  /** Counts up with each edition of one set id; 0 where the file has none. */
  readonly version: number;
  /** `2026-07-15`, or "" where the file has none. */
  readonly effective: string;
  /** `HUMAN PRESCRIPTION DRUG`, `HUMAN OTC DRUG`, … */
  readonly productType: string;
  readonly products: readonly LabelProduct[];
  /** Names of the product and all that is in it, in one text: all that openFDA gives of a label that it could not match. */
  readonly elements: string;
  readonly brands: readonly string[];
  readonly routes: readonly string[];
  /** Established pharmacologic classes; SPL files do not name them. */
  readonly classes: readonly string[];
  readonly sections: readonly LabelSection[];
}

export interface LabelSection {
  readonly name: string;
  readonly text: string;
  /** Rows of its tables, cells separated by a bar. */
  readonly rows: readonly string[];
}

/**
 * Sections by openFDA's field name, with the LOINC code that SPL gives them. The source of both is the table by which openFDA
 * itself names sections: openfda/spl/data/sections.csv in FDA's public repository. A sentence that stands in several
 * sections counts for the first of this list.
 */
export const SECTIONS: readonly (readonly [name: string, loinc: string])[] = [
  ['boxed_warning', '34066-1'],
  ['contraindications', '34070-3'],
  ['drug_interactions', '34073-7'],
  ['drug_and_or_laboratory_test_interactions', '34074-5'],
  ['warnings_and_cautions', '43685-7'],
  ['warnings', '34071-1'],
  ['do_not_use', '50570-1'],
  ['ask_doctor', '50569-3'],
  ['ask_doctor_or_pharmacist', '50568-5'],
  ['when_using', '50567-7'],
  ['stop_use', '50566-9'],
  ['information_for_patients', '34076-0'],
  ['laboratory_tests', '34075-2'],
  ['dosage_and_administration', '34068-7'],
  ['general_precautions', '34072-9'],
  ['precautions', '42232-9'],
];

/** `drug_interactions_table` is the table in the section `drug_interactions`. */
export const withoutTable = (section: string): string => section.replace(/_table$/, '');

export const SET_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `20260715` as `2026-07-15`; "" for anything else. Times of day and zones behind it are left out. */
export const dayOf = (value: string): string => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(value.trim()) ?? [];
  return year && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${year}-${month}-${day}`
    : '';
};

/** A label that cannot be used, and why, as a sentence part. */
export class UnusableLabel extends Error {
  override readonly name = 'UnusableLabel';
}

/** The best known name first: what an editor reads beside a sentence. */
export const describeLabel = ({ brands, routes, classes }: DrugLabel): string =>
  [brands.slice(0, 2).join(', '), routes.join(', ').toLowerCase(), classes.slice(0, 3).join(', ')]
    .filter(Boolean)
    .join('; ')
    .replace(/\s+/g, ' ')
    .slice(0, 160);
