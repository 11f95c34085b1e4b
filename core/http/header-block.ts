/** Headers that are built once for many responses, as a list for node:http and as bytes for a socket. */
export interface HeaderBlock {
  /** Names and values alternately. */
  readonly list: readonly string[];
  /** One line for each header, and the empty line that ends the head. */
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

/** Returns the block with additional or replaced headers. */
export const withHeaders = ({ list }: HeaderBlock, more: Readonly<Record<string, string>>): HeaderBlock => {
  const headers: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) headers[list[at] as string] = list[at + 1] as string;
  return headerBlock({ ...headers, ...more });
};
