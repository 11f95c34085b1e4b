/** Errors in content that no schema detects, reported in the same way as schema errors. */
import { lineOfField } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';

/**
 * Rejects a file.
 * @throws ContentError with the line of the field.
 */
export const refuse = (file: ContentFile, pointer: readonly (string | number)[], words: string): never => {
  throw new ContentError(file.path, lineOfField(file, pointer), `field ${pointer.join('.')}: ${words}`);
};

/** Rejects the second of two entries with the same value in `field`. */
export const refuseDoubles = <T>(
  file: ContentFile,
  entries: readonly T[],
  { field, noun }: { readonly field: keyof T & string; readonly noun: string },
): void => {
  const seen = new Set<unknown>();
  for (const [at, entry] of entries.entries()) {
    if (seen.has(entry[field])) refuse(file, [at, field], `${noun} "${entry[field]}" is listed twice`);
    seen.add(entry[field]);
  }
};
