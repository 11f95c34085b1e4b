/** Exports, moves and deletes the questions and answers of a device. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Holding } from '#plugins/devices/index.ts';
import { deviceOwner } from './caller.ts';
import { answersOf } from './store.ts';

interface Parts {
  /** Ends the questions in progress of an owner, so that nothing of them is stored afterwards. */
  cancel(owner: string): Promise<void>;
}

const countOf = async (em: EntityManager, owner: string): Promise<number> => {
  const [row] = (await em.execute('select count(*)::int as n from answer where owner = ?', [owner])) as unknown as {
    n: number;
  }[];
  return row?.n ?? 0;
};

export const answerHolding = ({ cancel }: Parts): Holding => {
  const left: string[] = [];
  return {
    name: 'answers',
    tables: ['answer', 'answer_stream', 'answer_stream_event'],
    counts: async (em, device) => {
      const count = await countOf(em, deviceOwner(device));
      return count ? [{ what: 'questions with their answers', count }] : [];
    },
    exported: async (em, device) => ({
      answers: (await answersOf(em, deviceOwner(device))).map(({ answer, request, rerunOf, expiresAt }) => ({
        ...answer,
        request,
        rerun_of: rerunOf,
        expires_at: expiresAt,
      })),
    }),
    resources: async () => [],
    erase: async (em, device) => {
      const owner = deviceOwner(device);
      left.push(owner);
      // The streams first, because the writer of an answer holds a lock on its stream.
      await em.execute('delete from answer_stream where owner = ?', [owner]);
      await em.execute('delete from answer where owner = ?', [owner]);
    },
    move: async (em, { from, to }) => {
      for (const table of ['answer_stream', 'answer'])
        await em.execute(`update ${table} set owner = ? where owner = ?`, [deviceOwner(to), deviceOwner(from)]);
    },
    erased: async () => {
      for (const owner of left.splice(0)) await cancel(owner);
    },
  };
};
