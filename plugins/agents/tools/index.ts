import type { AgentTool } from '../tool.ts';
import { askTool } from './ask.ts';
import { getSource, searchEvidence } from './evidence.ts';
import { listFindings } from './findings.ts';
import { checkInteractions } from './interactions.ts';
import { getProduct, searchProducts } from './products.ts';
import { getSupplement } from './supplements.ts';

export const tools: readonly AgentTool[] = [
  searchEvidence,
  getSource,
  listFindings,
  checkInteractions,
  getSupplement,
  searchProducts,
  getProduct,
  askTool,
];
