/** Headers made once for many answers: as node:http takes them, and as they lie on the wire. */
export interface HeaderBlock {
  /** Names and values in turn. */
  readonly list: readonly string[];
  /** A line each, and the empty line that ends a head. */
  readonly bytes: Buffer;
}

export const headerBlock = (headers: Readonly<Record<string, string>>): HeaderBlock => ({
  list: Object.entries(headers).flat(),
  bytes: Buffer.from(
    `${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
    'latin1',
  ),
});

/** The block with more headers, or other values of those that it has. */
export const withHeaders = ({ list }: HeaderBlock, more: Readonly<Record<string, string>>): HeaderBlock => {
  const headers: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) headers[list[at] as string] = list[at + 1] as string;
  return headerBlock({ ...headers, ...more });
};
