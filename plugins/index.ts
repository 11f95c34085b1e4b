/** Every plugin, in reading order. A new feature is a line here. */
import type { AnyPlugin } from '#core/plugin.ts';
import { agentsPlugin } from './agents/index.ts';
import { answersPlugin } from './answers/index.ts';
import { articlesPlugin } from './articles/index.ts';
import { biomarkersPlugin } from './biomarkers/index.ts';
import { catalogPlugin } from './catalog/index.ts';
import { developersPlugin } from './developers/index.ts';
import { devicesPlugin } from './devices/index.ts';
import { evidencePlugin } from './evidence/index.ts';
import { explorePlugin } from './explore/index.ts';
import { feedbackPlugin } from './feedback/index.ts';
import { findingsPlugin } from './findings/index.ts';
import { interactionsPlugin } from './interactions/index.ts';
import { keysPlugin } from './keys/index.ts';
import { labsPlugin } from './labs/index.ts';
import { outcomesPlugin } from './outcomes/index.ts';
import { pagesPlugin } from './pages/index.ts';
import { platformPlugin } from './platform/index.ts';
import { productsPlugin } from './products/index.ts';
import { snapshotsPlugin } from './snapshots/index.ts';
import { vocabularyPlugin } from './vocabulary/index.ts';
import { wearablesPlugin } from './wearables/index.ts';
import { webhooksPlugin } from './webhooks/index.ts';

export const plugins: readonly AnyPlugin[] = [
  keysPlugin,
  devicesPlugin,
  vocabularyPlugin,
  evidencePlugin,
  findingsPlugin,
  outcomesPlugin,
  interactionsPlugin,
  productsPlugin,
  biomarkersPlugin,
  catalogPlugin,
  articlesPlugin,
  labsPlugin,
  wearablesPlugin,
  explorePlugin,
  answersPlugin,
  agentsPlugin,
  feedbackPlugin,
  webhooksPlugin,
  pagesPlugin,
  developersPlugin,
  platformPlugin,
  snapshotsPlugin,
];
