/** Every migration, in order. Each file imports no project code, so that it means tomorrow what it meant when written. */
import { CoreTables } from './0001-core-tables.ts';
import { Keys } from './0002-keys.ts';
import { VocabularyTables } from './0003-vocabulary.ts';
import { Evidence } from './0004-evidence.ts';
import { VocabularyMore } from './0005-vocabulary-more.ts';
import { Drugs } from './0006-drugs.ts';
import { Interactions } from './0007-interactions.ts';
import { Products } from './0008-products.ts';
import { LabelImages } from './0009-label-images.ts';
import { ImportRuns } from './0010-import-runs.ts';
import { Answers } from './0011-answers.ts';
import { Feedback } from './0012-feedback.ts';
import { Outcomes } from './0013-outcomes.ts';
import { Trending } from './0014-trending.ts';
import { EvidenceWider } from './0015-evidence-wider.ts';
import { PageTexts } from './0016-page-texts.ts';
import { Biomarkers } from './0017-biomarkers.ts';
import { DevicesAndLabs } from './0018-devices-and-labs.ts';
import { Wearables } from './0019-wearables.ts';
import { SandboxKeys } from './0023-sandbox-keys.ts';

export const migrations = [
  { name: '0001-core-tables', class: CoreTables },
  { name: '0002-keys', class: Keys },
  { name: '0003-vocabulary', class: VocabularyTables },
  { name: '0004-evidence', class: Evidence },
  { name: '0005-vocabulary-more', class: VocabularyMore },
  { name: '0006-drugs', class: Drugs },
  { name: '0007-interactions', class: Interactions },
  { name: '0008-products', class: Products },
  { name: '0009-label-images', class: LabelImages },
  { name: '0010-import-runs', class: ImportRuns },
  { name: '0011-answers', class: Answers },
  { name: '0012-feedback', class: Feedback },
  { name: '0013-outcomes', class: Outcomes },
  { name: '0014-trending', class: Trending },
  { name: '0015-evidence-wider', class: EvidenceWider },
  { name: '0016-page-texts', class: PageTexts },
  { name: '0017-biomarkers', class: Biomarkers },
  { name: '0018-devices-and-labs', class: DevicesAndLabs },
  { name: '0019-wearables', class: Wearables },
  { name: '0023-sandbox-keys', class: SandboxKeys },
] as const;
