/**
 * Drug labels for tests in the formats of openFDA and DailyMed; set ids are invented, and sentences are invented or
 * from public-domain labels.
 */

export interface MadeLabel {
  readonly setId: string;
  readonly generic?: string;
  readonly substances?: readonly string[];
  readonly brand?: string;
  readonly type?: string;
  readonly route?: string;
  readonly effective?: string;
  readonly version?: number;
  readonly sections?: Readonly<Record<string, string>>;
  /** Rows of a table in the section on drug interactions. */
  readonly table?: readonly (readonly string[])[];
}

export const setIdOf = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

const RX = 'HUMAN PRESCRIPTION DRUG';

const tableMarkup = (rows: readonly (readonly string[])[], cell: (text: string) => string): string =>
  `<table width="100%"><tbody>${rows.map((row) => `<tr>${row.map((text) => `<td>${cell(text)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;

/** Returns one record of `drug/label`. */
export const openFdaRecord = (label: MadeLabel): object => {
  const { setId, generic, substances = [], brand = 'Madebrand', type = RX, route = 'ORAL' } = label;
  return {
    set_id: setId,
    id: setId.replace(/^0/, '1'),
    effective_time: label.effective ?? '20260701',
    version: String(label.version ?? 1),
    spl_product_data_elements: [`${brand} ${generic ?? ''}`],
    ...Object.fromEntries(
      Object.entries(label.sections ?? {}).map(([name, text]) => [
        name,
        // The text also contains the table content, run together.
        [name === 'drug_interactions' ? [text, ...(label.table ?? []).flat()].join(' ') : text],
      ]),
    ),
    ...(label.table && {
      drug_interactions_table: [tableMarkup(label.table, (text) => `<paragraph>${text}</paragraph>`)],
    }),
    openfda: generic
      ? {
          generic_name: [generic],
          brand_name: [brand],
          product_type: [type],
          route: [route],
          substance_name: substances,
          pharm_class_epc: ['Made Class [EPC]'],
          spl_set_id: [setId],
        }
      : {},
  };
};

/** Returns a response of the openFDA API, which has the format of the download files. */
export const openFdaAnswer = (...labels: readonly MadeLabel[]): string =>
  JSON.stringify(
    {
      meta: {
        disclaimer: 'Made for tests.',
        license: 'https://open.fda.gov/license/',
        results: { total: labels.length },
      },
      results: labels.map(openFdaRecord),
    },
    null,
    2,
  );

const LOINC: Readonly<Record<string, string>> = {
  boxed_warning: '34066-1',
  contraindications: '34070-3',
  drug_interactions: '34073-7',
  warnings_and_cautions: '43685-7',
  precautions: '42232-9',
  information_for_patients: '34076-0',
  dosage_and_administration: '34068-7',
};

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const ingredient = (name: string): string =>
  `<ingredient classCode="ACTIB"><ingredientSubstance><code code="X" codeSystem="2.16.840.1.113883.4.9"/><name>${escapeXml(name)}</name></ingredientSubstance></ingredient>`;

/** Returns one document in the DailyMed format; `parts` makes it a kit of several products. */
export const splDocument = (label: MadeLabel, { parts = [] as readonly string[], head = '' } = {}): string => {
  const { setId, generic = '', brand = 'Madebrand', type = RX, route = 'ORAL' } = label;
  const product = parts.length
    ? `<name>${brand}</name>${parts.map((part) => `<part><partProduct><name>${part}</name>${ingredient(part)}</partProduct></part>`).join('')}`
    : `<name>${brand}</name><asEntityWithGeneric><genericMedicine><name>${escapeXml(generic)}</name></genericMedicine></asEntityWithGeneric>
       ${ingredient(generic)}<ingredient classCode="IACT"><ingredientSubstance><name>MAGNESIUM STEARATE</name></ingredientSubstance></ingredient>`;
  const table = label.table ? tableMarkup(label.table, (text) => `<paragraph>${escapeXml(text)}</paragraph>`) : '';
  const sections = Object.entries(label.sections ?? {}).map(
    ([name, text]) => `<component><section><id root="${setId}"/>
      <code code="${LOINC[name]}" codeSystem="2.16.840.1.113883.6.1" displayName="${name}"/>
      <title/><text><paragraph>${escapeXml(text)}</paragraph>${name === 'drug_interactions' ? table : ''}</text>
      <effectiveTime value="20260701"/></section></component>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
${head}<document xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<id root="${setId}"/><code code="34391-3" codeSystem="2.16.840.1.113883.6.1" displayName="${type} LABEL"/>
<title>A label</title><effectiveTime value="${label.effective ?? '20260701'}"/><setId root="${setId}"/><versionNumber value="${label.version ?? 1}"/>
<component><structuredBody>
<component><section><code code="48780-1" codeSystem="2.16.840.1.113883.6.1"/><subject><manufacturedProduct><manufacturedProduct>${product}</manufacturedProduct>
<consumedIn><substanceAdministration><routeCode code="C38288" displayName="${route}"/></substanceAdministration></consumedIn></manufacturedProduct></subject></section></component>
${sections.join('\n')}
</structuredBody></component></document>`;
};
