/** `npm run feedback`: what readers wrote, for those who run this instance. */
import { parseArgs } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '#core/plugin.ts';

const USAGE = 'feedback list [--all] | feedback show <id> | feedback close <id>';
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

const LIST = `select id, status, created_at as at, category as kind, concat_ws(' ', nullif(target_type, ''), nullif(target_id, ''),
    nullif(page_url, '')) as about, message as text from feedback where status = 'open' or ?
  union all
  select id, status, created_at, 'answer ' || rating, answer_id || ' ' || reasons::text, comment from answer_feedback
    where status = 'open' or ?
  order by at desc limit ?`;

/** What a stranger wrote must not move the cursor or colour the terminal. */
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

const ONE = 'select row_to_json(f) as row from feedback f where id = ?';
const ONE_ANSWER = `select row_to_json(f) as row from
  (select id, answer_id, rating, reasons, comment, question, answer_excerpt, status, created_at, closed_at
   from answer_feedback) f where id = ?`;

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
  for (const [name, value] of Object.entries(found.row)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (value !== null && text !== '') out(`${name}: ${printable(text)}`);
  }
  return 0;
};

const close = async (em: EntityManager, id: string, out: (line: string) => void): Promise<number> => {
  for (const table of ['feedback', 'answer_feedback']) {
    const rows = (await em.execute(
      `update ${table} set status = 'closed', closed_at = coalesce(closed_at, now()) where id = ? returning id`,
      [id],
    )) as unknown as { id: string }[];
    if (rows.length) {
      out(`${rows[0]?.id} is closed.`);
      return 0;
    }
  }
  out(`No feedback has the id ${printable(id)}.`);
  return 1;
};

export const feedbackCommand: Command = {
  id: 'feedback',
  summary: 'list, show and close what readers wrote',
  usage: USAGE,
  run: async ({ db }, [action, ...rest], out) => {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { all: { type: 'boolean' } },
      allowPositionals: true,
      strict: false,
    });
    const [id = ''] = positionals;
    if (action === 'list') return db.read((em) => list(em, values.all === true, out));
    if (action === 'show' && id) return db.read((em) => show(em, id, out));
    if (action === 'close' && id) return db.write((em) => close(em, id, out));
    out(`usage: npm run ${USAGE}`);
    return 2;
  },
};
