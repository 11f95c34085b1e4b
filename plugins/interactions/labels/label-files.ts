/**
 * Reads labels from files, folders and archives, in either format. An unreadable label is reported, and the others are still
 * read.
 */
import { basename } from 'node:path';
import { bytesOf, filesUnder } from '#core/import/input-files.ts';
import { jsonObjects } from '#core/import/json-objects.ts';
import { decodeText } from '#core/import/text-stream.ts';
import { reasonOf, UnreadableInput } from '#core/import/unreadable-input.ts';
import { isZip, type ZipMember, zipMembers } from '#core/import/zip-members.ts';
import { type DrugLabel, UnusableLabel } from './label.ts';
import { parseOpenFdaLabel } from './openfda-label.ts';
import { LONGEST_LABEL, parseSplLabel } from './spl-label.ts';

export type LabelEvent =
  | { readonly type: 'label'; readonly label: DrugLabel }
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

const WANTED = /\.(?:json|xml|zip)(?:\.gz)?$/i;
const LABEL_FILE = /\.(?:json|xml)$/i;
const ARCHIVE = /\.zip$/i;
/**
 * Maximum size of an inner archive in bytes. DailyMed's archives contain one archive for each label, with its images; larger ones
 * contain no label.
 */
const LARGEST_INNER = 128 * 1024 * 1024;

interface Source {
  /** Location for an error message. */
  readonly at: string;
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const problem = (at: string, message: string): LabelEvent => ({ type: 'problem', at, message });

/** Reads until the first text that is not blank, to tell XML from JSON, and returns it together with the complete stream. */
const withFirst = async (
  chunks: AsyncIterable<string>,
): Promise<{ readonly first: string; readonly all: AsyncIterable<string> }> => {
  const rest = chunks[Symbol.asyncIterator]();
  let first = '';
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    first += next.value;
    if (first.trimStart()) break;
  }
  async function* all(): AsyncGenerator<string> {
    if (first) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { first: first.replace(/^\ufeff/, '').trimStart(), all: all() };
};

const wholeText = async (chunks: AsyncIterable<string>): Promise<string> => {
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > LONGEST_LABEL) throw new UnreadableInput('is longer than 32 million characters');
    parts.push(chunk);
  }
  return parts.join('');
};

const tried = (at: string, parse: () => DrugLabel): LabelEvent => {
  try {
    return { type: 'label', label: parse() };
  } catch (error) {
    if (error instanceof UnusableLabel) return problem(at, error.message);
    return problem(at, `is no well-formed XML: ${(error as Error).message}`);
  }
};

async function* labelsOf({ at, bytes }: Source, signal: AbortSignal): AsyncGenerator<LabelEvent> {
  const { first, all } = await withFirst(decodeText(bytes(signal)).chunks);
  if (first === '') throw new UnreadableInput('is empty');
  if (/^(?:<!doctype\s+html|<html)/i.test(first)) throw new UnreadableInput('holds an HTML page, not drug labels');
  if (first.startsWith('<')) {
    const xml = (await wholeText(all)).replace(/^\ufeff/, '');
    yield tried(at, () => parseSplLabel(xml));
  } else if (/^[{[]/.test(first)) {
    for await (const { json, line } of jsonObjects(all, 'results'))
      yield tried(`${at} › line ${line}`, () => parseOpenFdaLabel(json));
  } else throw new UnreadableInput('holds neither JSON nor XML');
}

const inMemory = async (member: ZipMember, signal: AbortSignal): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of member.bytes(signal)) {
    size += part.length;
    if (size > LARGEST_INNER) throw new UnreadableInput('is an archive of more than 128 MB within another');
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/** Yields the labels in an archive and in the archives within it, one level deep. */
async function* labelsInZip(
  archive: string | Buffer,
  name: string,
  { signal, depth }: { readonly signal: AbortSignal; readonly depth: number },
): AsyncGenerator<LabelEvent> {
  let found = 0;
  for (const member of await zipMembers(archive)) {
    const isArchive = ARCHIVE.test(member.name) && depth < 1;
    if (!isArchive && !LABEL_FILE.test(member.name)) continue;
    found += 1;
    const at = `${name} › ${member.name}`;
    try {
      if (isArchive) yield* labelsInZip(await inMemory(member, signal), at, { signal, depth: depth + 1 });
      else yield* labelsOf({ at, bytes: (until) => member.bytes(until) }, signal);
    } catch (error) {
      signal.throwIfAborted();
      yield problem(at, reasonOf(error));
    }
  }
  if (!found) throw new UnreadableInput('is an archive without a file of this kind (.json, .xml)');
}

/** Yields every label below a path, in the order of the names. */
export async function* labelsAt(path: string, signal: AbortSignal): AsyncGenerator<LabelEvent> {
  try {
    for await (const file of filesUnder(path, WANTED)) {
      try {
        if (await isZip(file.path)) yield* labelsInZip(file.path, file.name, { signal, depth: 0 });
        else yield* labelsOf({ at: file.name, bytes: (until) => bytesOf(file, until) }, signal);
      } catch (error) {
        signal.throwIfAborted();
        yield problem(file.name, reasonOf(error));
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    yield problem(basename(path), reasonOf(error));
  }
}
