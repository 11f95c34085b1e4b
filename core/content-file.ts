/**
 * Parses the files that editors write: YAML and front matter, validated against a schema. Errors name the file, line and field.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import type * as Yaml from 'yaml';
import { ContentError } from './errors.ts';
import { createAjv } from './http/validate.ts';
import { requireOnce } from './lazy.ts';
import type { ContentFile } from './plugin.ts';

/** Loads the YAML parser. It and Ajv are loaded on demand, because they are needed only when a file has changed. */
const yaml = () => requireOnce<typeof Yaml>('yaml');
let ajv: ReturnType<typeof createAjv> | null = null;
const compiled = new WeakMap<TSchema, ValidateFunction>();

const checkerOf = (schema: TSchema) => {
  const known = compiled.get(schema);
  if (known) return known;
  ajv ??= createAjv();
  const check = ajv.compile(schema);
  compiled.set(schema, check);
  return check;
};

interface Parsed {
  readonly document: Yaml.Document;
  readonly lines: Yaml.LineCounter;
  /** Number of lines in the file above the YAML. */
  readonly above: number;
}

const parse = (path: string, text: string, above: number): Parsed => {
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [problem] = document.errors;
  if (problem) throw new ContentError(path, lines.linePos(problem.pos[0]).line + above, problem.message);
  return { document, lines, above };
};

const lineOf = ({ document, lines, above }: Parsed, pointer: readonly string[]): number | null => {
  for (let depth = pointer.length; depth >= 0; depth -= 1) {
    const node = depth ? document.getIn(pointer.slice(0, depth), true) : document.contents;
    if (yaml().isNode(node) && node.range) return lines.linePos(node.range[0]).line + above;
  }
  return null;
};

const checked = <T extends TSchema>(path: string, parsed: Parsed, schema: T): Static<T> => {
  const value: unknown = parsed.document.toJS();
  const check = checkerOf(schema);
  if (check(value)) return value as Static<T>;
  const error = check.errors?.[0];
  const pointer = (error?.instancePath ?? '').split('/').slice(1);
  const allowed = (error?.params as { allowedValues?: string[] } | undefined)?.allowedValues;
  const extra = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
  const words = `${error?.message}${allowed ? `: ${allowed.join(', ')}` : ''}${extra ? `: "${extra}"` : ''}`;
  throw new ContentError(
    path,
    lineOf(parsed, extra ? [...pointer, extra] : pointer),
    `${pointer.length ? `field ${pointer.join('.')} ` : ''}${words}`,
  );
};

/** Parses a YAML file and validates it against a schema. */
export const readYaml = <T extends TSchema>({ path, text }: ContentFile, schema: T): Static<T> =>
  checked(path, parse(path, text, 0), schema);

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Returns functions that find the line of a field or an offset; the file is parsed when the first field is requested. */
export const linesOf = ({ path, text }: ContentFile) => {
  let parsed: Parsed | null = null;
  const open = (): Parsed => {
    const front = path.endsWith('.md') ? FRONT_MATTER.exec(text)?.[1] : undefined;
    return front === undefined ? parse(path, text, 0) : parse(path, front, 1);
  };
  return {
    /** Returns the line of a field in the front matter or in a YAML file. */
    ofField: (pointer: readonly (string | number)[]): number | null => {
      parsed ??= open();
      return lineOf(parsed, pointer.map(String));
    },
    ofOffset: (at: number): number => text.slice(0, Math.max(0, at)).split('\n').length,
  };
};

/** Returns the line of a field, for errors that a schema cannot detect. */
export const lineOfField = (file: ContentFile, pointer: readonly (string | number)[]): number | null =>
  linesOf(file).ofField(pointer);

/** Parses a Markdown file with front matter between two `---` lines. */
export const readFrontMatter = <T extends TSchema>(
  { path, text }: ContentFile,
  schema: T,
): { data: Static<T>; body: string } => {
  const match = FRONT_MATTER.exec(text);
  if (!match) throw new ContentError(path, 1, 'front matter between two lines of --- is needed');
  return { data: checked(path, parse(path, match[1] ?? '', 1), schema), body: text.slice(match[0].length).trim() };
};
