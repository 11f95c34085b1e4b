/** Every migration, in order. Each file imports no project code, so that it means tomorrow what it meant when written. */
import { CoreTables } from './0001-core-tables.ts';
import { Keys } from './0002-keys.ts';
import { VocabularyTables } from './0003-vocabulary.ts';
import { Evidence } from './0004-evidence.ts';

export const migrations = [
  { name: '0001-core-tables', class: CoreTables },
  { name: '0002-keys', class: Keys },
  { name: '0003-vocabulary', class: VocabularyTables },
  { name: '0004-evidence', class: Evidence },
] as const;
