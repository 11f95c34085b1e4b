/** Extracts a report's metadata: its laboratory, its dates and its person. Dates and person are read only beside a label. */
import { type DayOrder, datesIn } from './dates.ts';
import { isHeaderWords } from './headers.ts';
import { cellsOf, type Line, linesOf } from './lines.ts';
import { median, type PageWords, textOf } from './page-words.ts';

export interface About {
  readonly labName: string;
  readonly collected: readonly string[];
  readonly reported: readonly string[];
  readonly sexes: readonly ('female' | 'male')[];
  readonly birthYears: readonly number[];
  /** Names as printed beside their label; used only to detect reports of several people. */
  readonly people: readonly string[];
}

type Label = 'collected' | 'reported' | 'born' | 'other';

const labels: readonly (readonly [Label, RegExp])[] = [
  [
    'born',
    /(?<!\p{L})(?:d\.?o\.?b\.?|date of birth|birth ?date|born|geburtsdatum|geb(?:oren)?\.?(?: am)?|né[e]?(?:\(e\))? le|date de naissance|naissance|fecha de nacimiento|f\. ?nac\.?|nacimiento)(?!\p{L})/giu,
  ],
  [
    'collected',
    /(?<!\p{L})(?:(?:date |specimen |sample )?collect(?:ed|ion)(?: date| on| time)?(?:\/time)?|date of collection|(?:date )?drawn|draw date|sample (?:date|taken|drawn)|specimen date|taken on|date taken|(?:blut|proben?)?entnahme(?:datum|zeit)?|(?:proben?)?abnahme(?:datum)?|entnommen|prélevé[e]?(?: le)?|(?:date (?:de|du) )?prélèvement(?: du| le)?|fecha (?:de )?(?:extracción|toma|muestra)(?: de (?:la )?muestra)?|toma de muestra|extracción)(?!\p{L})/giu,
  ],
  [
    'reported',
    /(?<!\p{L})(?:(?:date |final )?report(?:ed)?(?: date| on| time)?|date of report|date reported|report issued|issued|befunddatum|befund vom|berichtsdatum|ausgang(?:sdatum)?|ausgedruckt|édité[e]? le|édition|validé[e]? le|compte[- ]rendu(?: du)?|résultats? du|fecha (?:de(?:l)? )?(?:informe|emisión|resultado)|emitido|informe)(?!\p{L})/giu,
  ],
  [
    'other',
    /(?<!\p{L})(?:received|receipt|registered|printed|order(?:ed)?(?: date)?|eingang(?:sdatum)?|auftrag(?:sdatum)?|reçu[e]? le|enregistré le|recibido|recepción|previous|vorbefund|vorwert|antériorité|anterior|due|next)(?!\p{L})/giu,
  ],
];

interface Found {
  readonly label: Label;
  readonly at: number;
  readonly end: number;
}

const labelsIn = (text: string): Found[] => {
  const all = labels.flatMap(([label, pattern]) =>
    [...text.matchAll(pattern)].map((found) => ({ label, at: found.index, end: found.index + found[0].length })),
  );
  // Where two labels overlap, the longer one wins: "Report Date" in "Report Date: …", "Date of birth".
  return all
    .filter(
      (one) =>
        !all.some(
          (other) =>
            other !== one && other.at <= one.at && other.end >= one.end && other.end - other.at > one.end - one.at,
        ),
    )
    .sort((a, b) => a.at - b.at);
};

interface Dated {
  readonly label: Label;
  readonly day: string | null;
  readonly text: string;
}

/** Assigns each date to the nearest label before it. A line that has only labels labels the dates of the next line. */
const datedIn = (lines: readonly Line[], order: DayOrder): Dated[] => {
  const dated: Dated[] = [];
  let open: Found[] = [];
  for (const line of lines) {
    const text = textOf(line.words);
    const found = labelsIn(text);
    const dates = datesIn(text, order).map((date) => ({ ...date, at: text.indexOf(date.text) }));
    if (dates.length && !found.length && open.length === dates.length)
      for (const [at, date] of dates.entries()) dated.push({ label: open[at]!.label, day: date.day, text: date.text });
    for (const date of dates) {
      const label = found.findLast(({ at }) => at < date.at);
      if (label && date.at - label.end < 30) dated.push({ label: label.label, day: date.day, text: date.text });
    }
    open = dates.length ? [] : found;
  }
  return dated;
};

const sexLabel =
  /(?<!\p{L})(?:sex|gender|geschlecht|sexe|sexo|age ?\/ ?sex|sex ?\/ ?age)\s*[:.]?\s*(?:\d{1,3} ?(?:y(?:rs?|ears?)?)? ?[/,]? ?)?(female|male|weiblich|männlich|femme|homme|féminin|masculin|femenino|masculino|mujer|hombre|f|m|w|h)(?!\p{L})/iu;
const ageAndSex = /\b\d{1,3} ?(?:y(?:rs?|ears?|o)?)? ?[/,] ?(female|male|f|m)\b/i;

const sexOf = (text: string): 'female' | 'male' | null => {
  const found = (sexLabel.exec(text) ?? ageAndSex.exec(text))?.[1]?.toLowerCase();
  if (!found) return null;
  return /^(?:f|w|mujer)/.test(found) ? 'female' : 'male';
};

const person =
  /(?<!\p{L})(?:patient(?:'s)?(?: name)?|name|patientenname|patient\/in|nom(?: du patient)?|nombre(?: del paciente)?|paciente)\s*[:.]\s*(\p{L}[\p{L}'., -]{2,40})/iu;
const notAName = /\b(?:id|dob|sex|age|date|information|details|no|nr|number|report|phone|address|copy)\b/i;

const personOf = (line: Line): string | null => {
  for (const cell of [...cellsOf(line.words).map(textOf), textOf(line.words)]) {
    const name = person
      .exec(cell)?.[1]
      ?.split(
        /\s{2,}|(?:\b(?:id|dob|sex|age|geb|d\.o\.b|né|fecha|geschlecht|date|patient|collected|specimen:|sexe?|sexo|born|account|ordering|continued|page)\b)/i,
      )[0]
      ?.trim();
    if (name && !notAName.test(name) && /\p{L}{2}/u.test(name))
      return name
        .toLowerCase()
        .replace(/[^\p{L}]+/gu, ' ')
        .trim();
  }
  return null;
};

const laboratory =
  /(?:\blab(?!el)\w*|labor(?:medizin|zentrum|gemeinschaft|praxis)|\bdiagnostics?\b|diagnostik|\bpathology\b|\bmvz\b|\bhospital\b|\bclinic\b|klinik|\bnhs\b|\bhealth\b|\bmedical (?:center|centre)\b)/iu;
const notALab =
  /\b(?:report|results?|befund|bericht|director|test|page|id|number|collected|compte|informe|values?|reference|order|account|summary|accession|nr|no|no\.)\b|laborbefund|:|\d{4,}/i;

const shown = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 80);

const labNameOf = (lines: readonly Line[], height: number): string => {
  const top = lines.filter((line) => line.y < 0.3 * height).slice(0, 14);
  const cells = top.flatMap(({ words }) => cellsOf(words));
  const size = (cell: (typeof cells)[number]): number => Math.max(...cell.map((word) => word.height));
  const named = cells.filter(
    (cell) => cell.length <= 9 && textOf(cell).length > 6 && !notALab.test(textOf(cell)) && !isHeaderWords(cell),
  );
  const bySize = named.toSorted((a, b) => size(b) - size(a));
  const best = bySize.find((cell) => laboratory.test(textOf(cell)));
  if (best) return shown(textOf(best));
  // No word identifies the laboratory, but the largest text at the very top is the letterhead.
  const usual = median(cells.map(size));
  const [first] = bySize;
  return first && size(first) > 1.35 * usual && first[0]!.y < 0.12 * height && /\p{L}{3}/u.test(textOf(first))
    ? shown(textOf(first))
    : '';
};

/** Extracts the metadata from the pages of one file. */
export const aboutOf = (pages: readonly PageWords[], order: DayOrder): About => {
  const lines = pages.map(({ words }) => linesOf(words));
  const dated = lines.flatMap((own) => datedIn(own, order));
  // An ambiguous date still shows that there is one.
  const daysOf = (wanted: Label): string[] => [
    ...new Set(dated.filter(({ label }) => label === wanted).map(({ day, text }) => day ?? text)),
  ];
  const all = lines.flat();
  const names = lines.map((own, at) => labNameOf(own, pages[at]!.height)).filter(Boolean);
  return {
    labName: names[0] ?? '',
    collected: daysOf('collected'),
    reported: daysOf('reported'),
    sexes: [...new Set(all.flatMap((line) => sexOf(textOf(line.words)) ?? []))],
    birthYears: [...new Set(bornYears(dated))],
    people: [...new Set(all.flatMap((line) => personOf(line) ?? []))],
  };
};

/** Returns the birth years. The year is certain even if day and month are ambiguous. */
const bornYears = (dated: readonly Dated[]): number[] =>
  dated.flatMap(({ label, day, text }) => {
    if (label !== 'born') return [];
    const year = Number(day?.slice(0, 4) ?? /\d{4}/.exec(text)?.[0] ?? Number.NaN);
    return year > 1900 && year < 2100 ? [year] : [];
  });
