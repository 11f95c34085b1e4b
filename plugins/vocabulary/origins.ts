/** Origin of a statement in the database: a field of the API, and a small mark on pages. */
import { Type } from 'typebox';

/**
 * `opened`: an editor read a cited source. `label`: the sentence of a label is quoted. `data_file`: a data file names the page or
 * paper, and no editor has opened it. `practice`: general professional knowledge, pending a source.
 */
export const ORIGINS = ['opened', 'label', 'data_file', 'practice'] as const;
export type Origin = (typeof ORIGINS)[number];
export const OriginCode = Type.Unsafe<Origin>({ type: 'string', enum: [...ORIGINS] });

interface Mark {
  readonly sign: string;
  /** Two or three words, for readers who cannot see the sign. */
  readonly word: string;
  readonly legend: string;
}

export const ORIGIN_MARKS: Readonly<Record<Origin, Mark>> = {
  opened: { sign: '●', word: 'source read', legend: 'an editor read a source that is cited' },
  label: { sign: '◐', word: 'label quoted', legend: 'a sentence of the medicine’s label is quoted' },
  data_file: { sign: '○', word: 'source named', legend: 'a data file names the source; read it before you rely on it' },
  practice: { sign: '◇', word: 'professional knowledge', legend: 'general professional knowledge, pending a source' },
};

/** Legend of a page. */
export const LegendView = Type.Array(Type.Object({ sign: Type.String(), legend: Type.String() }));
export const ORIGIN_LEGEND = ORIGINS.map((code) => ({
  sign: ORIGIN_MARKS[code].sign,
  legend: ORIGIN_MARKS[code].legend,
}));

export const OriginView = Type.Object({ code: OriginCode, sign: Type.String(), word: Type.String() });

export const originView = (code: Origin): { code: Origin; sign: string; word: string } => {
  const { sign, word } = ORIGIN_MARKS[code];
  return { code, sign, word };
};

/** Returns the origin of a note: it cites sources that editors read, or names the page of an authority, or neither. */
export const originOfNote = (note: {
  readonly origin?: Origin | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly authority?: unknown;
}): Origin => {
  if (note.origin) return note.origin;
  if (note.sources?.length) return 'opened';
  return note.authority ? 'data_file' : 'practice';
};
