/** Reads openFDA enforcement reports for food or drugs: `{meta, results[]}`, as in the API and its downloads. */
import { decodeText } from '#core/import/text-stream.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import { gtin14 } from '../barcode.ts';
import { labelFilesUnder } from './files.ts';
import { type JsonText, jsonValues } from './json-values.ts';
import { dayOf, recordOf, textOf, textsOf } from './values.ts';

/** A recall as the authority published it, before it is linked to products. */
export interface Recall {
  readonly recallNumber: string;
  readonly productType: string;
  readonly description: string;
  readonly firm: string;
  readonly classification: string;
  readonly status: string;
  readonly reason: string;
  /** GTIN-14 of the numbers that its text labels as barcodes. */
  readonly codes: readonly string[];
  readonly initiationDate: string | null;
  readonly reportDate: string | null;
  readonly sourceUrl: string;
}

export type RecallEvent =
  | { readonly type: 'recall'; readonly recall: Recall }
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

const LONGEST = 2_000;
const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, LONGEST).toWellFormed();

/** Matches numbers after "UPC", "GTIN", "EAN" or "bar code". A number without such a label may be a lot number. */
const CALLED_CODE =
  /\b(?:UPC|GTIN|EAN|bar\s?codes?)\b[^0-9A-Za-z]{0,20}(?:codes?|numbers?|nos?\.?|#|is)?[^0-9A-Za-z]{0,20}((?:\d[\d\s-]{6,20}\d(?:\s*(?:,|;|&|and|or)\s*)?)+)/gi;

const codesIn = (text: string): string[] =>
  [...text.matchAll(CALLED_CODE)].flatMap(([, numbers = '']) => numbers.split(/,|;|&|and|or/i)).map(gtin14);

const recallOf = (json: Readonly<Record<string, unknown>>): Recall => {
  const number = textOf(json.recall_number);
  const [description, more] = [textOf(json.product_description), textOf(json.code_info)];
  const type = textOf(json.product_type);
  const codes = [...codesIn(description), ...codesIn(more), ...textsOf(recordOf(json.openfda).upc).map(gtin14)];
  const part = /drug/i.test(type) || number.startsWith('D-') ? 'drug' : 'food';
  return {
    recallNumber: number,
    productType: type,
    description: short(description),
    firm: short(textOf(json.recalling_firm)),
    classification: textOf(json.classification),
    status: textOf(json.status),
    reason: short(textOf(json.reason_for_recall)),
    codes: [...new Set(codes)].filter((code) => code !== '').sort(),
    initiationDate: dayOf(textOf(json.recall_initiation_date)),
    reportDate: dayOf(textOf(json.report_date)),
    sourceUrl: `https://api.fda.gov/${part}/enforcement.json?search=recall_number:%22${encodeURIComponent(number)}%22`,
  };
};

const eventOf = ({ text, line }: JsonText, name: string): RecallEvent => {
  const at = `${name}, line ${line}`;
  try {
    const recall = recallOf(recordOf(JSON.parse(text)));
    if (recall.recallNumber && recall.description) return { type: 'recall', recall };
    return { type: 'problem', at, message: `the report has no ${recall.recallNumber ? 'product' : 'recall number'}` };
  } catch {
    return { type: 'problem', at, message: 'is no JSON' };
  }
};

/**
 * Yields every report under a path.
 * @throws UnreadableInput when there is no file at all.
 */
export async function* recallEvents(path: string, signal: AbortSignal): AsyncGenerator<RecallEvent> {
  for await (const file of labelFilesUnder(path)) {
    try {
      const isLines = /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name);
      let count = 0;
      for await (const value of jsonValues(decodeText(file.open(signal)).chunks, isLines)) {
        count += 1;
        yield eventOf(value, file.name);
      }
      if (!count) yield { type: 'problem', at: file.name, message: 'holds no report' };
    } catch (error) {
      if (signal.aborted) throw error;
      yield { type: 'problem', at: file.name, message: reasonOf(error) };
    }
  }
}
