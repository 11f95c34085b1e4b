/**
 * Implements `npm run import -- recalls <path…>`: imports recalls of the authority and links them to products when the match
 * is certain.
 */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { type Change, recordChanges } from '#core/db/change-log.ts';
import { withLease } from '#core/db/lease.ts';
import { PROBLEMS_KEPT } from '#core/import/resumable-import.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { Context, Importer } from '#core/plugin.ts';
import { type Recall, recallEvents } from './importers/recalls.ts';
import { CATALOGUE_LEASE } from './importing.ts';
import { type Link, linkRecall, readBrands } from './recall-linking.ts';
import type { ProductServices } from './services.ts';

const BATCH = 500;

interface RecallCounts {
  read: number;
  added: number;
  changed: number;
  unchanged: number;
  linked: number;
  skipped: number;
}

type StoredRecall = Recall & Link;

const COLUMNS = `recall_number as "recallNumber", dsld_ids as "dsldIds", linked_by as "linkedBy",
  product_type as "productType", description, firm, classification, status, reason, codes,
  to_char(initiation_date, 'YYYY-MM-DD') as "initiationDate", to_char(report_date, 'YYYY-MM-DD') as "reportDate",
  source_url as "sourceUrl"`;

const digestOf = (recall: StoredRecall): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(recall).sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex');

const readKnown = async (em: EntityManager, numbers: readonly string[]): Promise<ReadonlyMap<string, StoredRecall>> => {
  const rows = (await em.execute(
    `select ${COLUMNS} from product_recall where recall_number in (select value from jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify(numbers)],
  )) as StoredRecall[];
  return new Map(rows.map((row) => [row.recallNumber, row]));
};

/** Gives products whose recalls changed a new change number, so that their pages are updated. */
const touchProducts = (em: EntityManager, ids: readonly number[]): Promise<unknown> =>
  em.execute(
    `update product set change_number = nextval('product_change'), updated_at = now() where dsld_id in
     (select value::int from jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify([...new Set(ids)])],
  );

/** Returns one change for each product that a recall newly names. */
const recallChanges = (recall: StoredRecall, before: StoredRecall | undefined): Change[] =>
  recall.dsldIds
    .filter((id) => !before?.dsldIds.includes(id))
    .map((id) => ({
      kind: 'product.recalled',
      subjectType: 'product',
      subjectId: String(id),
      data: {
        recall_number: recall.recallNumber,
        classification: recall.classification,
        status: recall.status,
      },
    }));

const applyRecalls = async (
  em: EntityManager,
  recalls: ReadonlyMap<string, Recall>,
  brands: Awaited<ReturnType<typeof readBrands>>,
): Promise<Omit<RecallCounts, 'read' | 'skipped'>> => {
  const known = await readKnown(em, [...recalls.keys()]);
  const counts = { added: 0, changed: 0, unchanged: 0, linked: 0 };
  const rows: StoredRecall[] = [];
  const changes: Change[] = [];
  for (const recall of recalls.values()) {
    const row = { ...recall, ...(await linkRecall(em, recall, brands)) };
    const before = known.get(recall.recallNumber);
    if (row.linkedBy) counts.linked += 1;
    if (before && digestOf(before) === digestOf(row)) counts.unchanged += 1;
    else {
      counts[before ? 'changed' : 'added'] += 1;
      rows.push(row);
      changes.push(...recallChanges(row, before));
    }
  }
  const updatedAt = new Date().toISOString();
  await bulkUpsert(
    em,
    'product_recall',
    ['recallNumber'],
    rows.map((row) => ({ ...row, updatedAt })),
  );
  await touchProducts(
    em,
    rows.flatMap(({ dsldIds }) => dsldIds),
  );
  await recordChanges(em, changes);
  return counts;
};

const importRecalls = async (
  { db, signal }: Context<ProductServices>,
  path: string,
  note: (at: string, message: string) => void,
): Promise<RecallCounts> => {
  const total: RecallCounts = { read: 0, added: 0, changed: 0, unchanged: 0, linked: 0, skipped: 0 };
  const brands = await db.read(readBrands);
  let batch = new Map<string, Recall>();
  const write = async (): Promise<void> => {
    signal.throwIfAborted();
    const counts = await db.write((em) => applyRecalls(em, batch, brands));
    for (const [name, count] of Object.entries(counts)) total[name as keyof typeof counts] += count;
    batch = new Map();
  };
  for await (const event of recallEvents(path, signal)) {
    if (event.type === 'problem') {
      total.skipped += 1;
      note(event.at, event.message);
      continue;
    }
    total.read += 1;
    batch.set(event.recall.recallNumber, event.recall);
    if (batch.size >= BATCH) await write();
  }
  await write();
  if (total.added + total.changed > 0) {
    const data = { ...total };
    await db.write((em) =>
      recordChanges(em, [{ kind: 'product.imported', subjectType: 'catalogue', subjectId: 'recalls', data }]),
    );
  }
  return total;
};

const importPath = async (
  context: Context<ProductServices>,
  path: string,
  out: (line: string) => void,
): Promise<boolean> => {
  const problems: string[] = [];
  try {
    const done = await withLease(context.db, CATALOGUE_LEASE, { waitSeconds: 60 }, () =>
      importRecalls(context, path, (at, message) => problems.push(`  skipped ${at}: ${message}`)),
    );
    if (!done) {
      out(`${path}: another import has been holding the catalogue for over a minute; try again when it is done.`);
      return false;
    }
    const { read, added, changed, unchanged, linked, skipped } = done.result;
    out(
      `${path}: ${read} recalls read, ${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped; ${linked} tied to products`,
    );
    for (const line of problems.slice(0, PROBLEMS_KEPT)) out(line);
    if (problems.length > PROBLEMS_KEPT) out(`  … and ${problems.length - PROBLEMS_KEPT} more`);
    return skipped === 0;
  } catch (error) {
    if (context.signal.aborted) throw error;
    out(`${path}: ${reasonOf(error)}`);
    return false;
  }
};

export const recallImporter: Importer<ProductServices> = {
  id: 'recalls',
  summary: 'recalls: openFDA enforcement reports on food and drugs (JSON)',
  run: async (context, paths, out) => {
    let clean = true;
    for (const path of paths) clean = (await importPath(context, path, out)) && clean;
    return clean;
  },
};
