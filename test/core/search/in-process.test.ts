import { openInProcessIndex } from '#core/search/in-process.ts';
import { describeSearchIndex } from './index-contract.ts';

const fields = { title: 3, terms: 2, abstract: 1 };

describeSearchIndex('in this process', () => openInProcessIndex({ folder: null, fields }));
