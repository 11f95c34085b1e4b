/**
 * Limits the number of values in a JSON or form body. They are counted on the bytes before parsing, because a megabyte of
 * `1,1,1` takes a hundred times as long to validate as a megabyte of text.
 */
import { coreErrors } from '../errors.ts';

/** Maximum nesting depth: deeper than any schema here, and far below the limit of the call stack. */
export const MAX_DEPTH = 32;

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [0x22, 0x5c, 0x2c, 0x26];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

const tooComplex = (maxValues: number, msg: string) =>
  coreErrors.body_too_complex(
    { max_values: maxValues, max_depth: MAX_DEPTH },
    {
      problems: [{ type: 'too_complex', loc: ['body'], msg }],
      body: { max_values: maxValues, max_depth: MAX_DEPTH },
    },
  );

/** Returns the offset of the quote that ends a string; the length of the body when there is none. */
const endOfString = (body: Buffer, from: number): number => {
  for (let at = body.indexOf(QUOTE, from); at >= 0; at = body.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (body[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return body.length;
};

/**
 * Counts members of arrays and objects. Invalid JSON is counted in the same way and rejected later by the parser.
 * @throws AppError 422 body_too_complex
 */
export const checkJsonSize = (body: Buffer, maxValues: number): void => {
  let [values, depth] = [1, 0];
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at + 1);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) throw tooComplex(maxValues, `Input is nested deeper than ${MAX_DEPTH} levels`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (values > maxValues) throw tooComplex(maxValues, `Input has more than ${maxValues} values`);
  }
};

/** @throws AppError 422 body_too_complex */
export const checkFormSize = (body: Buffer, maxFields: number): void => {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) {
    fields += 1;
    if (fields > maxFields) throw tooComplex(maxFields, `Input has more than ${maxFields} fields`);
  }
};
