import type { LabelPatch } from '../label.ts';

/** What a file of labels gives, one after the other: what it tells of a label, or what is wrong at a place. */
export type LabelEvent =
  | { readonly type: 'label'; readonly patch: LabelPatch }
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

export const problemAt = (file: string, line: number | null, message: string): LabelEvent => ({
  type: 'problem',
  at: line === null ? file : `${file}, line ${line}`,
  message,
});

/** The id of a label, or null for anything but a whole number that fits the column. */
export const readLabelId = (value: unknown): number | null => {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= 2_147_483_647 ? id : null;
};
