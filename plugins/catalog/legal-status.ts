/** Legal status of a supplement that is banned or restricted, which its page states above everything else. */
import { type Static, Type } from 'typebox';
import { dayInWords, LinkView } from '#plugins/evidence/index.ts';
import { legalStatusOf, type Terms } from '#plugins/vocabulary/index.ts';

export const LegalStatusView = Type.Object({
  kind: Type.String(),
  /** "Banned", "Restricted". */
  word: Type.String(),
  statement: Type.String(),
  authority: Type.Union([LinkView, Type.Null()]),
  /** "February 2026", or "". */
  asOf: Type.String(),
});
export type LegalStatusView = Static<typeof LegalStatusView>;

const months = new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'long', timeZone: 'UTC' });

/** Formats a year, a month or a day with the precision that is known. */
const dateInWords = (date: string): string => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return dayInWords(`${date}T00:00:00Z`);
  return /^\d{4}-\d{2}$/.test(date) ? months.format(new Date(`${date}-01T00:00:00Z`)) : date;
};

export const legalStatusView = (terms: Terms, slug: string): LegalStatusView | null => {
  const status = legalStatusOf(terms, slug);
  if (!status) return null;
  const { kind, statement, authority, statusAsOf } = status;
  return {
    kind,
    word: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    statement: statement.trim(),
    authority: authority && { name: authority.name, href: authority.address },
    asOf: dateInWords(statusAsOf),
  };
};
