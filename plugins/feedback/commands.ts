/** Implements `npm run feedback`, with which operators list, read and close feedback. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '#core/plugin.ts';
import { pathOf } from './change-path.ts';
import { OUTCOME_WORDS } from './outcomes.ts';
import { closeFeedback, reopenFeedback } from './triage.ts';
import { CHANGE_HELP, type ParsedArgs, parseTriageArguments, USAGE } from './triage-arguments.ts';

const SHOWN = 100;
const FIRST = 80;

interface Line {
  readonly id: string;
  readonly status: string;
  readonly at: Date | string;
  readonly kind: string;
  readonly about: string;
  readonly text: string;
}

const STATUS = "concat(status, ' (' || nullif(outcome, '') || ')') as status";

const LIST = `select id, ${STATUS}, created_at as at, category as kind, concat_ws(' ', nullif(target_type, ''), nullif(target_id, ''),
    nullif(page_url, '')) as about, message as text from feedback where status = 'open' or ?
  union all
  select id, ${STATUS}, created_at, 'answer ' || rating, answer_id || ' ' || reasons::text, comment from answer_feedback
    where status = 'open' or ?
  order by at desc limit ?`;

/** Replaces control characters, because text from strangers must not move the cursor or color the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}+|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');

const list = async (em: EntityManager, all: boolean, out: (line: string) => void): Promise<number> => {
  const rows = (await em.execute(LIST, [all, all, SHOWN])) as unknown as Line[];
  for (const { id, status, at, kind, about, text } of rows) {
    const line = printable(text);
    const start = line.length > FIRST ? `${line.slice(0, FIRST)}…` : line;
    out([id, new Date(at).toISOString(), status, kind, printable(about), start].filter(Boolean).join('  '));
  }
  if (!rows.length) out(all ? 'Nobody has written yet.' : 'Nothing is open.');
  return 0;
};

const CHANGE =
  'left join (select feedback_id, path as changed, note as public_note from feedback_change) c on feedback_id = id';
const ONE = `select row_to_json(f) as row from
  (select feedback.*, changed, public_note from feedback ${CHANGE}) f where id = ?`;
const ONE_ANSWER = `select row_to_json(f) as row from
  (select id, answer_id, rating, reasons, comment, question, answer_excerpt, status, created_at, closed_at, outcome,
     changed, public_note from answer_feedback ${CHANGE}) f where id = ?`;

const show = async (em: EntityManager, id: string, out: (line: string) => void): Promise<number> => {
  type Found = { row: Readonly<Record<string, unknown>> }[];
  const [found] = [
    ...((await em.execute(ONE, [id])) as unknown as Found),
    ...((await em.execute(ONE_ANSWER, [id])) as unknown as Found),
  ];
  if (!found) {
    out(`No feedback has the id ${printable(id)}.`);
    return 1;
  }
  // The device that sent the message is not shown, for privacy.
  for (const [name, value] of Object.entries({ ...found.row, device: null })) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (value !== null && text !== '') out(`${name}: ${printable(text)}`);
  }
  return 0;
};

type Closing = Extract<ParsedArgs, { action: 'close' }>;

const close = async (em: EntityManager, wish: Closing, out: (line: string) => void): Promise<number> => {
  const { id, outcome, change, note } = wish;
  const path = change === null ? null : await pathOf(em, change);
  if (change !== null && path === null) {
    out(`${printable(change)} names no page. ${CHANGE_HELP}`);
    return 1;
  }
  if (!(await closeFeedback(em, id, { outcome, path, note }))) {
    out(`No feedback has the id ${printable(id)}.`);
    return 1;
  }
  out(outcome ? `${id} is closed: ${OUTCOME_WORDS[outcome].toLowerCase()}.` : `${id} is closed.`);
  if (note) out(`Readers see at /feedback, with a link to ${path}: ${note}`);
  return 0;
};

const reopen = async (em: EntityManager, id: string, out: (line: string) => void): Promise<number> => {
  const isOpen = await reopenFeedback(em, id);
  out(isOpen ? `${id} is open again.` : `No feedback with its words has the id ${printable(id)}.`);
  return isOpen ? 0 : 1;
};

export const feedbackCommand: Command = {
  id: 'feedback',
  summary: 'list, show, close and reopen what readers wrote',
  usage: USAGE,
  run: async ({ db }, args, out) => {
    const wish = parseTriageArguments(args);
    switch (wish.action) {
      case 'list':
        return db.read((em) => list(em, wish.isAll, out));
      case 'show':
        return db.read((em) => show(em, wish.id, out));
      case 'close':
        return db.write((em) => close(em, wish, out));
      case 'reopen':
        return db.write((em) => reopen(em, wish.id, out));
      default:
        if (wish.why) out(wish.why);
        out(`usage: npm run ${USAGE}`);
        return 2;
    }
  },
};
