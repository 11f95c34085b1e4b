/** Exports, moves and deletes a device's votes, reports and choices on label pictures. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Holding } from '#plugins/devices/index.ts';
import { rowsOf } from './rows.ts';
import { auditNameOf } from './voter.ts';

const VOTES = 'select image_id, direction, at from label_image_vote where voter = ? order by image_id';
const REPORTS = 'select image_id, reason, at from label_image_report where voter = ? order by image_id';
const CHOICES = `select image_id, dsld_id, at from label_image_audit where who = ? and what = 'primary' order by id`;

/** The counts of an image are computed from its votes and reports, so that those of a deleted device no longer count. */
const COUNT = `update label_image i set
    upvotes = (select count(*) from label_image_vote v where v.image_id = i.image_id and v.direction = 'up'),
    downvotes = (select count(*) from label_image_vote v where v.image_id = i.image_id and v.direction = 'down'),
    reports = (select count(*) from label_image_report r where r.image_id = i.image_id and r.counts)
  where image_id in (select value::int from jsonb_array_elements_text(?::jsonb))`;

/** Deletes the rows of a voter, except, when `unless` is given, those of images without a row of `unless`. */
const DELETE = (table: string): string =>
  `delete from ${table} where voter = ? and (?::text is null or image_id in (select image_id from ${table} where voter = ?))
   returning image_id`;

/** Deletes reports with their reasons, and votes and their reversals with their voter. These entries concern nobody else. */
const DELETE_ENTRIES = `delete from label_image_audit where (what in ('vote', 'report') and who = ?)
  or before->>'voter' = ? or after->>'voter' = ?`;

const recount = async (em: EntityManager, imageIds: readonly number[]): Promise<void> => {
  if (imageIds.length) await em.execute(COUNT, [JSON.stringify([...new Set(imageIds)])]);
};

const deleteRows = async (em: EntityManager, voter: string, unless: string | null): Promise<readonly number[]> => {
  const images: number[] = [];
  for (const table of ['label_image_vote', 'label_image_report']) {
    const gone = await rowsOf<{ image_id: number }>(em, DELETE(table), [voter, unless, unless]);
    images.push(...gone.map(({ image_id }) => image_id));
  }
  return images;
};

const counted = (what: string, count: number) => (count ? [{ what, count }] : []);

export const imageHolding: Holding = {
  name: 'label-images',
  tables: ['label_image_vote', 'label_image_report', 'label_image_audit'],
  counts: async (em, device) => [
    ...counted('votes on label pictures', (await rowsOf(em, VOTES, [device])).length),
    ...counted('reports of label pictures', (await rowsOf(em, REPORTS, [device])).length),
    ...counted('choices of label pictures', (await rowsOf(em, CHOICES, [auditNameOf(device)])).length),
  ],
  exported: async (em, device) => ({
    label_image_votes: await rowsOf<object>(em, VOTES, [device]),
    label_image_reports: await rowsOf<object>(em, REPORTS, [device]),
    label_image_choices: await rowsOf<object>(em, CHOICES, [auditNameOf(device)]),
  }),
  resources: async () => [],
  erase: async (em, device) => {
    const images = await deleteRows(em, device, null);
    await recount(em, images);
    await em.execute(DELETE_ENTRIES, [auditNameOf(device), device, device]);
    // The history of an image remains, without the name.
    await em.execute("update label_image_audit set who = 'voter:gone' where who = ?", [auditNameOf(device)]);
  },
  move: async (em, { from, to }) => {
    // Each device has one vote and one report per image: when both devices have one, that of the remaining device wins.
    await recount(em, await deleteRows(em, from, to));
    for (const table of ['label_image_vote', 'label_image_report'])
      await em.execute(`update ${table} set voter = ? where voter = ?`, [to, from]);
    await em.execute('update label_image_audit set who = ? where who = ?', [auditNameOf(to), auditNameOf(from)]);
    for (const side of ['before', 'after'])
      await em.execute(
        `update label_image_audit set ${side} = jsonb_set(${side}, '{voter}', to_jsonb(?::text)) where ${side}->>'voter' = ?`,
        [to, from],
      );
  },
};
