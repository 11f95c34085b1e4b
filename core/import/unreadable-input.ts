/** An error for a file, member or stream that cannot be read at all; its message is a predicate that follows the name. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read (permission denied)',
  EPERM: 'may not be read (permission denied)',
  EISDIR: 'is a folder',
  ELOOP: 'is a link that points to itself',
  ENAMETOOLONG: 'has a name too long for this machine',
  EMFILE: 'could not be opened: too many files are open',
  EIO: 'could not be read from the disk',
  Z_BUF_ERROR: 'ends in the middle of its gzip data: the file is cut short',
  Z_DATA_ERROR: 'has damaged gzip data from here on',
};

/** Returns the reason as a predicate without paths or a stack. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof UnreadableInput) return error.message;
  if (!(error instanceof Error)) return `could not be read: ${String(error)}`;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? `could not be read: ${error.message}`;
};
