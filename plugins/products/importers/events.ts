import type { LabelPatch } from '../label.ts';

/** An event of a label file: the data of a label, or a problem with its location. */
export type LabelEvent =
  | { readonly type: 'label'; readonly patch: LabelPatch }
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

export const problemAt = (file: string, line: number | null, message: string): LabelEvent => ({
  type: 'problem',
  at: line === null ? file : `${file}, line ${line}`,
  message,
});

/**
 * Maximum length of a name. A longer one indicates a corrupt file: the longest name of a real label has some 250 characters.
 */
const LONGEST_NAME = 1_000;

/** Returns the event of a label, or a problem when the data cannot be a label. */
export const labelAt = (place: { readonly file: string; readonly line: number }, patch: LabelPatch): LabelEvent => {
  const { name = '', brand = '' } = patch.told;
  const wrong = name.length > LONGEST_NAME ? 'name' : brand.length > LONGEST_NAME ? 'brand' : null;
  if (!wrong) return { type: 'label', patch };
  return problemAt(place.file, place.line, `the ${wrong} has more than ${LONGEST_NAME} characters`);
};

/** Parses the id of a label. Returns null for anything but a whole number that fits the column. */
export const readLabelId = (value: unknown): number | null => {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= 2_147_483_647 ? id : null;
};
