/** Names fields and finds their lines, for reviews of content. */
import { linesOf } from '../content-file.ts';
import type { ContentFile } from '../plugin.ts';
import type { LineFinder } from './reviewed.ts';

export interface FieldLocations {
  at(...pointer: readonly (string | number)[]): { readonly field: string; readonly line: LineFinder };
  /** Returns a function for the line of an offset in the text after the front matter. */
  inBody(body: string): (offset: number) => LineFinder;
}

export const locateFields = (file: ContentFile): FieldLocations => {
  const lines = linesOf(file);
  return {
    at: (...pointer) => ({ field: pointer.join('.'), line: () => lines.ofField(pointer) }),
    inBody: (body) => {
      const from = file.text.lastIndexOf(body);
      return (offset) => () => lines.ofOffset(from + offset);
    },
  };
};
