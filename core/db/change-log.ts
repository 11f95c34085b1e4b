/** The change log: the kinds of change, and the function that appends them. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ChangeLog } from './entities.ts';

/** The kinds of change that are relevant to readers or integrators. */
export type ChangeKind =
  | 'evidence.created'
  | 'evidence.updated'
  | 'evidence.tier_changed'
  | 'evidence.retracted'
  | 'evidence.removed'
  | 'outcome.grade_changed'
  | 'index.published'
  | 'product.imported'
  | 'product.created'
  | 'product.recalled'
  | 'product.market_status_changed'
  | 'label_image.created'
  | 'label_image.primary_changed'
  | 'content.changed'
  | 'interaction.created'
  | 'interaction.severity_changed'
  | 'feedback.created'
  | 'key.created'
  | 'key.deactivated'
  | 'key.activated'
  | 'key.rotated'
  | 'key.quota_warning'
  | 'pipeline.failed'
  | 'snapshot.published';

export interface Change {
  readonly kind: ChangeKind;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Appends changes in the transaction of `em`. */
export const recordChanges = async (em: EntityManager, changes: readonly Change[]): Promise<void> => {
  if (!changes.length) return;
  const at = new Date();
  await em.insertMany(
    ChangeLog,
    changes.map(({ kind, subjectType, subjectId, data = {} }) => ({
      at,
      kind,
      subjectType,
      subjectId,
      data: { ...data },
    })),
  );
};
