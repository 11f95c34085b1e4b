/** An FDA drug label as the importer needs it, independent of its format, and the sections that are read. */

/** One product of a label, or one part of a kit. */
export interface LabelProduct {
  /** The generic name as the label writes it: "IRON SUCROSE", "AMLODIPINE AND VALSARTAN". */
  readonly generic: string;
  /** Names of the active substances. */
  readonly substances: readonly string[];
}

export interface DrugLabel {
  readonly setId: string;
  /** Increases with each edition of one set id; 0 if the file has none. */
  readonly version: number;
  /** `2026-07-15`, or "" if the file has none. */
  readonly effective: string;
  /** `HUMAN PRESCRIPTION DRUG`, `HUMAN OTC DRUG`, … */
  readonly productType: string;
  readonly products: readonly LabelProduct[];
  /** Names of the product and all its ingredients in one text; openFDA gives only this for a label that it could not match. */
  readonly elements: string;
  readonly brands: readonly string[];
  readonly routes: readonly string[];
  /** Established pharmacologic classes; SPL files do not contain them. */
  readonly classes: readonly string[];
  readonly sections: readonly LabelSection[];
}

export interface LabelSection {
  readonly name: string;
  readonly text: string;
  /** Rows of its tables, with cells separated by a bar. */
  readonly rows: readonly string[];
}

/**
 * Sections by openFDA's field name, with the LOINC code that SPL gives them. The source of both is the table by which openFDA
 * itself names sections: openfda/spl/data/sections.csv in FDA's public repository. A sentence that occurs in several sections
 * counts for the first of this list.
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

/** Removes the suffix of a table: `drug_interactions_table` is the table in the section `drug_interactions`. */
export const withoutTable = (section: string): string => section.replace(/_table$/, '');

export const SET_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Formats `20260715` as `2026-07-15`; returns "" for anything else. A time of day or zone after it is ignored. */
export const dayOf = (value: string): string => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(value.trim()) ?? [];
  return year && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${year}-${month}-${day}`
    : '';
};

/** Thrown for a label that cannot be used; the message is the reason as a part of a sentence. */
export class UnusableLabel extends Error {
  override readonly name = 'UnusableLabel';
}

/** Describes a label for an editor, with its best known name first. */
export const describeLabel = ({ brands, routes, classes }: DrugLabel): string =>
  [brands.slice(0, 2).join(', '), routes.join(', ').toLowerCase(), classes.slice(0, 3).join(', ')]
    .filter(Boolean)
    .join('; ')
    .replace(/\s+/g, ' ')
    .slice(0, 160);
