import { defineEntity, p } from '@mikro-orm/core';
import type { Finding } from './vocabulary.ts';

/** A finding from content/ or from an import. */
export const FindingRow = defineEntity({
  name: 'FindingRow',
  tableName: 'finding',
  properties: {
    id: p.string().primary(),
    vertical: p.string(),
    /** File in content/, or "" for an import. */
    file: p.string(),
    finding: p.json<Finding>(),
    changedAt: p.datetime(),
  },
});
