/**
 * Recognises table headers and the content of their columns, in English, German, French and Spanish; a header may have one or
 * several words, and columns may be in any order.
 */
import { type DayOrder, dateOf, type ReadDate } from './dates.ts';
import type { Line } from './lines.ts';
import { around, type Word } from './page-words.ts';

export type ColumnKind =
  | 'name'
  | 'result'
  | 'unit'
  | 'range'
  | 'low'
  | 'high'
  | 'flag'
  | 'previous'
  | 'dated'
  | 'other';

export interface HeaderCell {
  readonly kind: ColumnKind;
  readonly x: number;
  readonly right: number;
  /** Date of a column that is headed by one. */
  readonly date: ReadDate | null;
}

const phrases: Readonly<Record<Exclude<ColumnKind, 'dated'>, string>> = {
  name: 'test|tests|test name|test description|test performed|tests ordered|analyte|analytes|component|parameter|parameters|investigation|investigations|examination|assay|determination|marker|biomarker|procedure|laboratory test|lab test|your tests|measurement|description|untersuchung|untersuchungen|analyse|analysen|parameter|bezeichnung|messgröße|messgrösse|kenngröße|test/untersuchung|verfahren|examen|examens|analyses|paramètre|paramètres|désignation|prueba|pruebas|determinación|determinaciones|análisis|estudio|parámetro|parámetros|examen',
  result:
    'result|results|your result|your results|value|your value|values|current result|current results|current value|current|current result and flag|test result|patient value|patient result|observed value|observed|observation|measured|measured value|reading|in range|out of range|latest|latest result|result value|ergebnis|ergebnisse|wert|werte|messwert|resultat|resultate|aktuell|aktueller wert|ist-wert|résultat|résultats|valeur|valeur mesurée|resultado|resultados|valor|valor obtenido|resultado actual',
  unit: 'unit|units|uom|unit of measure|einheit|einheiten|dimension|unité|unités|unidad|unidades|measure',
  range:
    'reference range|reference ranges|reference interval|reference intervals|ref range|ref. range|ref interval|ref. interval|reference|references|ref|ref.|range|ranges|normal range|normal ranges|normal value|normal values|normals|expected range|expected|expected values|biological ref. interval|biological reference interval|biological ref interval|bio. ref. interval|bio ref interval|standard range|normal limits|limits|target range|target|healthy range|reference values|desired range|referenzbereich|referenzbereiche|referenz|referenzwert|referenzwerte|ref.-bereich|ref.bereich|ref.-ber.|referenzintervall|normbereich|normwert|normwerte|norm|normal|sollwert|sollbereich|soll|zielbereich|valeurs de référence|valeur de référence|valeurs usuelles|valeurs normales|intervalle de référence|intervalles de référence|normes|norme|références|référence|valeurs de ref.|val. de référence|valores de referencia|valor de referencia|rango de referencia|rango|rangos|intervalo de referencia|intervalo|referencia|valores normales|v. referencia|v. de referencia',
  low: 'low|min|min.|minimum|lower|lower limit|low limit|untergrenze|untere grenze|inf.|mín|mín.',
  high: 'high|max|max.|maximum|upper|upper limit|high limit|obergrenze|obere grenze|sup.|máx|máx.',
  flag: 'flag|flags|abnormal|abn|abnormal flag|status|h/l|l/h|hi/lo|interpretation|indicator|alert|remark|hinweis|markierung|bewertung|ampel|interpretación|interprétation|alerta|indicador|anomalie|+/-|*|!|?',
  previous:
    'previous|previous result|previous results|previous value|previous result and date|previous results and date|prev|prev.|prev. result|prior|prior result|prior results|last|last result|history|historical|historic|trend|vorwert|vorwerte|vorbefund|vorbefunde|letzter wert|verlauf|antériorité|antériorités|antérieur|antérieurs|résultat antérieur|résultats antérieurs|résultat précédent|anterior|anteriores|resultado anterior|resultados anteriores|valor anterior|historial',
  other:
    'lab|labs|site|method|methodology|technique|methode|méthode|método|técnica|specimen|sample|material|code|loinc|loinc code|date|datum|fecha|comment|comments|kommentar|bemerkung|notes|note|performed|perf|si result|si units|conventional units|no|no.|nr|nr.|#|s/n|sr|sr.|price|accreditation',
};

const kinds = new Map(
  Object.entries(phrases).flatMap(([kind, list]) => list.split('|').map((phrase) => [phrase, kind as ColumnKind])),
);
const longestPhrase = 5;

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[([]+|[)\]:*¹²]+$/g, '')
    .trim();

interface Found {
  readonly kind: ColumnKind;
  readonly words: readonly Word[];
  readonly date: ReadDate | null;
}

const phraseAt = (words: readonly Word[], at: number, order: DayOrder): Found | null => {
  for (let count = Math.min(longestPhrase, words.length - at); count > 0; count -= 1) {
    const own = words.slice(at, at + count);
    // Adjacent headers such as "Result Units" are two; the words of one header are close together.
    if (own.slice(1).some((word, index) => word.x - (own[index]!.x + own[index]!.width) > 1.2 * word.height)) continue;
    const text = bare(own.map((word) => word.text).join(' '));
    const kind = kinds.get(text) ?? kinds.get(text.replace(/s$/, ''));
    if (kind) return { kind, words: own, date: null };
    const date = dateOf(text, order);
    if (date) return { kind: 'dated', words: own, date };
  }
  return null;
};

/**
 * Returns the cells of a table header, or null if the line is not one. A header consists almost entirely of known phrases, with
 * at least two kinds, one of them the result or the range.
 */
export const headerOf = (line: Line, order: DayOrder): HeaderCell[] | null => {
  const found: Found[] = [];
  let letters = 0;
  let known = 0;
  for (let at = 0; at < line.words.length; ) {
    const phrase = phraseAt(line.words, at, order);
    const own = phrase?.words ?? [line.words[at]!];
    const length = own.reduce((sum, word) => sum + word.text.replace(/[^\p{L}\d]/gu, '').length, 0);
    letters += length;
    if (phrase) {
      known += length;
      found.push(phrase);
    }
    at += own.length;
  }
  const seen = new Set(found.filter(({ kind }) => kind !== 'dated' && kind !== 'other').map(({ kind }) => kind));
  const hasResult =
    seen.has('result') || seen.has('previous') || (seen.has('name') && found.some(({ kind }) => kind === 'dated'));
  const isHeader =
    known >= 0.66 * letters && (seen.size >= 2 || hasResult) && (hasResult || seen.has('range')) && found.length >= 2;
  if (!isHeader) return null;
  return found.map(({ kind, words, date }) => {
    const { x, width } = around(words);
    return { kind, x, right: x + width, date };
  });
};

/**
 * Returns whether all words are header words. This detects the second line of a header ("Range" below "Reference"), which cannot
 * be a row.
 */
export const isHeaderWords = (words: readonly Word[]): boolean =>
  words.length > 0 && words.every((word) => kinds.has(bare(word.text)) || /^[()/-]+$/.test(word.text));

const valueKinds: ReadonlySet<ColumnKind | undefined> = new Set(['result', 'unit', 'range', 'flag']);

/** Returns whether the text is a label such as "Your value:", "Reference range:" or "(Ref.:". */
export const isValueLabel = (text: string): boolean => valueKinds.has(kinds.get(bare(text)));
