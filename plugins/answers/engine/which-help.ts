/**
 * Answers questions such as "What helps with migraine": lists the supplements with a grade for that outcome, most certain
 * first, each with its best quote.
 */
import { inSentence } from '#plugins/evidence/index.ts';
import { CERTAINTY_WORDS, type OutcomeGrade } from '#plugins/outcomes/index.ts';
import type { SupplementRow } from '#plugins/vocabulary/index.ts';
import { answerBody, citationOf } from './answer-body.ts';
import { type Asking, itemsOf, rounded, status } from './asking.ts';
import { attributedQuote } from './attribution.ts';
import { balanceOf, CONFIDENCES, type Confidence } from './balance.ts';
import { byStrength } from './choose-evidence.ts';
import { AnswerText } from './compose.ts';
import { type EvidenceItem, isInPeople, isRegistered } from './evidence-item.ts';
import { textOf } from './fit.ts';
import { NOT_SAFE_NOTE } from './missing-evidence.ts';
import { namesInText } from './names-in-text.ts';
import { directionInWords, gradeFor, topicsMeant } from './outcome-grade.ts';
import type { AskEvent } from './port.ts';
import { asksWhichHelp, type Question } from './question.ts';
import { retrieve } from './retrieval.ts';

/** One supplement for one outcome, with the source that is quoted for it. */
interface Line {
  readonly supplement: SupplementRow;
  readonly topic: string;
  readonly grade: OutcomeGrade;
  readonly item: EvidenceItem;
  /** True when the source covers the outcome, but not the condition or the words that were asked about. */
  readonly partly: boolean;
}

const MOST_LINES = 8;
/** Maximum number of grades that are tried; each one costs a search. */
const MOST_TRIED = 14;

/** Words in such questions that narrow nothing. */
const ASKING_MORE =
  /\b(?:studied|tested|researched|investigated|examined|graded|shown|natural(?:ly)?|remed(?:y|ies)|options?|choices|top|strongest|list|things?|products?|vitamins?|minerals?|herbs?|herbal|plants?|botanicals?|amino|acids?|alternatives?|non-?prescription|otc|over-the-counter|deal(?:ing)?|sleep aids?|aids?|cope|suffer(?:ing|s)?|problems?|issues?|trouble|without|except|excluding|apart|besides|free)\b/gi;

const restOfWhich = ({ rest, excluded }: Question): string =>
  rest
    .replace(ASKING_MORE, ' ')
    .split(/\s+/)
    .filter((word) => word && !excluded.some(({ name }) => name.toLowerCase().includes(word.toLowerCase())))
    .join(' ');

const DEFINES =
  /^\W*(?:what|who)(?:'s| is| are| was| were) (?!(?:the |a )?(?:best|good|strongest|most|proven|known|there)\b)/i;

/** Returns whether the question asks which supplements exist for an outcome in the vocabulary. */
export const asksForSupplements = ({ text, supplements, substances, medicines, topics, asks }: Question): boolean =>
  !supplements.length &&
  !substances.length &&
  !medicines.length &&
  topics.length > 0 &&
  asks.has('effect') &&
  !asks.has('dose') &&
  asksWhichHelp(text) &&
  !DEFINES.test(text);

const sureness = ({ certainty }: OutcomeGrade): number => CONFIDENCES.indexOf(certainty);
const POINTS: readonly string[] = ['positive', 'mixed', 'null', 'negative', 'unclear'];

/** Compares grades: the most certain first, then directions in favour before directions against, then the most sources. */
const bySureness = (a: OutcomeGrade, b: OutcomeGrade): number =>
  sureness(b) - sureness(a) ||
  POINTS.indexOf(a.direction) - POINTS.indexOf(b.direction) ||
  b.source_count - a.source_count ||
  (a.vertical < b.vertical ? -1 : 1);

/** Words for a kind of supplement, with the categories that they mean. */
const KINDS: readonly (readonly [words: RegExp, categories: readonly string[]])[] = [
  [/\b(?:herb(?:s|al)?|plants?|botanicals?)\b/i, ['herb', 'mushroom']],
  [/\bvitamins?\b/i, ['vitamin']],
  [/\bminerals?\b/i, ['mineral']],
  [/\bamino acids?\b/i, ['amino-acid']],
];

/** Returns whether the question asks for one kind only: herbs, vitamins, minerals or amino acids. */
export const asksForKind = ({ text }: Question): boolean => KINDS.some(([words]) => words.test(text));

/** Returns whether a category is of the kind that the text asks for. Returns true when the text asks for no kind. */
const isOfKind = (text: string, category: string): boolean => {
  const asked = KINDS.filter(([words]) => words.test(text));
  return !asked.length || asked.some(([, categories]) => categories.includes(category));
};

const gradesFor = async ({ parts, question, book }: Asking): Promise<readonly OutcomeGrade[]> => {
  const topics = topicsMeant(question).map(({ slug }) => slug);
  if (!topics.length) return [];
  const left = new Set(question.excluded.map(({ slug }) => slug));
  const all = await parts.outcomes.list({ topics });
  return all
    .filter(
      ({ assessed, supplement_slug: slug }) =>
        assessed && !left.has(slug) && isOfKind(question.text, book.terms.supplements.get(slug)?.category ?? ''),
    )
    .map((grade) => gradeFor(grade, question))
    .toSorted(bySureness);
};

/** Builds the same question for a single supplement. */
const askedOf = (question: Question, supplement: SupplementRow, topicSlug: string): Question => {
  const topics = question.topics.filter(({ slug }) => slug === topicSlug);
  const goal = (question.conditions[0] ?? topics[0])?.name ?? '';
  const rest = restOfWhich(question);
  const text = `Does ${supplement.name} help ${[goal, rest].filter(Boolean).join(' ')}?`;
  return { ...question, text, searchText: text, supplements: [supplement], topics, rest };
};

/** Returns the best item: those with the direction of the grade first, then the strongest. */
const bestOf = (items: readonly EvidenceItem[], direction: string): EvidenceItem | undefined =>
  items
    .filter((item) => isInPeople(item) && !isRegistered(item))
    .toSorted((a, b) => Number(b.direction === direction) - Number(a.direction === direction) || byStrength(a, b))[0];

const lineOf = async (asking: Asking, grade: OutcomeGrade): Promise<Line | null> => {
  const { parts, question, request, book } = asking;
  const supplement = book.terms.supplements.get(grade.supplement_slug);
  const topic = book.terms.topics.get(grade.topic_slug);
  if (!supplement || !topic) return null;
  const own = askedOf(question, supplement, topic.slug);
  const found = await retrieve({ evidence: parts.evidence, book, inVerticals: true }, own, request);
  // Words that no source mentions may change the whole question, so nothing is listed for this supplement.
  if (found.partly && own.rest) return null;
  const main = found.fitting.filter(({ row }) => row.supplements[0] === supplement.slug);
  const item = bestOf(itemsOf({ ...asking, question: own }, main), grade.direction);
  if (!item) return null;
  const partly = found.partly || !namesCondition(asking, item);
  return { supplement, topic: topic.name, grade, item, partly };
};

/**
 * Returns whether a source mentions a condition of the question: headache at altitude is not migraine. Returns true when the
 * question names no condition.
 */
const namesCondition = ({ question, book }: Asking, { row }: EvidenceItem): boolean => {
  const asked = new Set(question.conditions.map(({ slug }) => slug));
  const told = `${textOf(row).slice(0, 4_000)} ${row.population}`;
  return !asked.size || namesInText(book, told).some(({ kind, slug }) => kind === 'condition' && asked.has(slug));
};

const linesOf = async (asking: Asking, grades: readonly OutcomeGrade[]): Promise<readonly Line[]> => {
  const most = Math.min(MOST_LINES, asking.request.max_citations);
  const lines: Line[] = [];
  const used = new Set<string>();
  for (const grade of grades.slice(0, MOST_TRIED)) {
    if (lines.length >= most) break;
    asking.signal.throwIfAborted();
    const line = await lineOf(asking, grade);
    // One source may support several supplements, but it is cited only once.
    if (!line || used.has(line.item.row.sourceId)) continue;
    used.add(line.item.row.sourceId);
    lines.push(line);
  }
  return lines;
};

const gradeWords = ({ grade }: Line): string => {
  return `certainty ${CERTAINTY_WORDS[grade.certainty].toLowerCase()}, direction ${directionInWords(grade)}`;
};

const headOf = (line: Line): string =>
  `**${line.supplement.name} and ${inSentence(line.topic)}:** ${gradeWords(line)}, ${line.grade.source_count === 1 ? '1 source' : `${line.grade.source_count} sources`}. [How it was graded](/evidence/${line.grade.vertical})`;

/** Returns the prefix for a quote that is on the wider outcome only. */
const beside = ({ partly }: Line, question: Question): string => (partly ? `Not on ${goalOf(question)} itself: ` : '');

const goalOf = ({ conditions, topics }: Question): string =>
  inSentence((conditions[0] ?? topics[0])?.name ?? 'this outcome');

const WHAT_ORDER_MEANS =
  'The order is by how certain the research is, not by how well something works or whom it suits. This is no recommendation: ask a doctor or pharmacist before you take anything.';

/** Returns whether the question asks for nothing narrower than an outcome, so that the list is the answer. */
export const asksForList = (question: Question): boolean =>
  asksForSupplements(question) && restOfWhich(question) === '';

/** Returns a note that names what was left out, or an empty string when nothing was. */
export const leftOutNote = ({ excluded }: Question): string =>
  excluded.length ? `_Left out, as the question asks: ${excluded.map(({ name }) => name).join(', ')}._` : '';

const openingOf = (lines: readonly Line[], graded: number, question: Question): string => {
  const goals = [...new Set(lines.map(({ topic }) => inSentence(topic)))].join(' and ');
  const count = graded === 1 ? '1 supplement has' : `${graded} supplements have`;
  const shown = graded > lines.length ? `; ${lines.length} of them ${lines.length === 1 ? 'is' : 'are'} listed` : '';
  const first = lines[0] ? `${lines[0].supplement.name} (${gradeWords(lines[0])})` : '';
  const wider = lines.every(({ partly }) => partly) ? `, none of them on ${goalOf(question)} itself` : '';
  const favour = lines.some(({ grade }) => grade.direction === 'positive') ? '' : ' None of them points in favour.';
  return `${count} graded sources on ${goals} in this base${wider}${shown}, ${lines.length === 1 ? 'namely' : 'the most certain first:'} ${first}.${favour}`;
};

const write = (asking: Asking, lines: readonly Line[], graded: number): AnswerText => {
  const { question, request } = asking;
  const text = new AnswerText();
  text.note(leftOutNote(question));
  text.claim(
    openingOf(lines, graded, question),
    lines.map((_, at) => at + 1),
  );
  lines.forEach((line, at) => {
    text.note(headOf(line));
    text.claim(`${beside(line, question)}${attributedQuote(line.item, request.audience)}`, [at + 1], 'item');
  });
  text.note(`_${WHAT_ORDER_MEANS}_`);
  text.note(`_${NOT_SAFE_NOTE}_`);
  const pages = question.conditions.map(({ slug, name }) => `[${name}](/conditions/${slug})`);
  if (pages.length) text.note(`More on it: ${pages.join(', ')}`);
  return text;
};

/**
 * Returns the confidence of the list. It is never above the most certain entry and never above `low`, because these are
 * findings on different supplements.
 */
const confidenceOf = (lines: readonly Line[]): Confidence => {
  const full = lines.filter(({ partly }) => !partly);
  const best = Math.max(0, ...full.map(({ grade }) => sureness(grade)));
  return CONFIDENCES[Math.min(best, CONFIDENCES.indexOf('low'))] ?? 'very_low';
};

/**
 * Yields the events of such a question and returns whether it was answered. Yields nothing when no graded source can be
 * quoted.
 */
export async function* listSupplements(asking: Asking): AsyncGenerator<AskEvent, boolean> {
  const { parts, request, question, warnings } = asking;
  if (!asksForSupplements(question)) return false;
  const grades = await gradesFor(asking);
  const lines = await linesOf(asking, grades);
  if (!lines.length) return false;
  const citations = lines.map(({ item }, at) => citationOf(item, at + 1));
  yield { type: 'sources', citations };
  yield status('generating', 0.5);
  const graded = new Set(grades.map(({ supplement_slug: slug }) => slug)).size;
  const text = write(asking, lines, graded);
  yield status('verifying', 0.9);
  for (const piece of text.pieces) {
    yield { type: 'delta', text: piece.text };
    const [n] = piece.citations;
    const line = piece.citations.length === 1 && n ? lines[n - 1] : undefined;
    if (n && line) yield { type: 'citation', n, source_id: line.item.row.sourceId, quote: line.item.quote.text };
  }
  yield {
    type: 'final',
    answer: answerBody(parts, request, {
      status: 'answered',
      answer: text.text,
      summary: openingOf(lines, graded, question),
      confidence: confidenceOf(lines),
      claims: [...text.claims],
      citations,
      evidence_balance: balanceOf(lines.map(({ item }) => item)),
      coverage: rounded(Math.max(...lines.map(({ item }) => item.coverage))),
      follow_ups: lines
        .slice(0, 3)
        .map(
          ({ supplement, topic }) =>
            `What do studies say about ${inSentence(supplement.name)} and ${inSentence(topic)}?`,
        ),
      resolved: [...question.resolved],
      warnings: [...warnings],
    }),
  };
  return true;
}
