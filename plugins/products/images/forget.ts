/** Erases the identity of voters and reporters after the retention period; the effects of their actions remain. */
import { inBatches } from '#core/db/batches.ts';
import type { Job } from '#core/plugin.ts';
import type { HasImages } from './services.ts';

const OLD = 'at < now() - make_interval(days => ?)';

/**
 * Votes continue to count, each under a random name: the cookie with which a vote was cast has expired by then. Its address
 * may then cast three other votes.
 */
const VOTES = `with old as (select image_id, voter from label_image_vote where ${OLD} and voter not like 'gone:%' limit ?),
  gone as (update label_image_vote v set voter = 'gone:' || gen_random_uuid(), address = '', network = '' from old
    where v.image_id = old.image_id and v.voter = old.voter returning 1)
  select count(*)::int as count from gone`;
const REPORTS = `with old as (select image_id, voter from label_image_report where ${OLD} and voter not like 'gone:%' limit ?),
  gone as (update label_image_report r set voter = 'gone:' || gen_random_uuid(), address = '', network = '', reason = '' from old
    where r.image_id = old.image_id and r.voter = old.voter returning 1)
  select count(*)::int as count from gone`;
/** These entries concern nobody else. An erased vote can no longer be undone. */
const ENTRIES = `with old as (select id from label_image_audit where ${OLD} and (what in ('vote', 'report')
    or (what = 'revert' and (jsonb_exists(before, 'voter') or jsonb_exists(after, 'voter')))) order by id limit ?),
  gone as (delete from label_image_audit where id in (select id from old) returning 1)
  select count(*)::int as count from gone`;
/** The history of an image remains and can be undone, without names. The names of administrators remain. */
const NAMES = `with old as (select id from label_image_audit
    where ${OLD} and who like 'voter:%' and who <> 'voter:gone' limit ?),
  gone as (update label_image_audit set who = 'voter:gone' where id in (select id from old) returning 1)
  select count(*)::int as count from gone`;

export const forgetVotersJob: Job<HasImages> = {
  id: 'forget_label_image_voters',
  summary: 'erase devices, addresses and reasons of old votes, choices and reports on label pictures',
  schedule: '11 3 * * *',
  timeoutSeconds: 600,
  run: async (context) => {
    const days = [context.config.integer('VOTERS_KEEP_DAYS')];
    return {
      entries: await inBatches(context, ENTRIES, days),
      names: await inBatches(context, NAMES, days),
      votes: await inBatches(context, VOTES, days),
      reports: await inBatches(context, REPORTS, days),
    };
  },
};
