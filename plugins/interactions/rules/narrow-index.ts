/**
 * Medicines and classes with a narrow therapeutic index: the dose that helps is near the dose that harms, so that doctors measure
 * levels or effects. General professional knowledge, for which no source has been opened yet: it may raise a warning and never
 * lowers one. What is not listed is unknown, not wide.
 */
export const NARROW_INDEX: ReadonlySet<string> = new Set([
  'aminophylline',
  'carbamazepine',
  'cardiac-glycosides',
  'clozapine',
  'cyclosporine',
  'digoxin',
  'everolimus',
  'flecainide',
  'levothyroxine',
  'lithium',
  'methotrexate',
  'phenobarbital',
  'phenytoin',
  'procainamide',
  'quinidine',
  'sirolimus',
  'tacrolimus',
  'theophylline',
  'thyroid-medicines',
  'valproate',
  'vitamin-k-antagonists',
  'warfarin',
]);
