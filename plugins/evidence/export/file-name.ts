/** Returns a name such as `evidence-magnesium-sleep-2026-11-21.csv`; characters that a slug cannot contain are replaced. */
export const exportFileName = (vertical: string | undefined, extension: string, at: Date): string => {
  const subject = (vertical ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `evidence-${subject || 'all'}-${at.toISOString().slice(0, 10)}.${extension}`;
};
