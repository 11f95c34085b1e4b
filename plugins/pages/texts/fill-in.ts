/**
 * Replaces the placeholders of a text by facts of this instance: `{{contact}}`, and `{{if contact}}…{{else}}…{{end}}` for
 * text that depends on whether the instance has a fact. Conditions cannot be nested.
 */

/** Values by name, as Markdown. "" means that this instance does not have the fact. */
export type Facts = Readonly<Record<string, string>>;

const CHOICE = /\{\{if ([a-z_]+)\}\}([\s\S]*?)(?:\{\{else\}\}([\s\S]*?))?\{\{end\}\}/g;
const PLACE = /\{\{([a-z_]+)\}\}/g;

export const fillIn = (text: string, facts: Facts): string =>
  text
    .replace(CHOICE, (_, name: string, having: string, lacking = '') => (facts[name] ? having : lacking))
    .replace(PLACE, (_, name: string) => facts[name] ?? '');

export interface Mistake {
  readonly words: string;
  /** Offset of its start, from 0. */
  readonly at: number;
}

/** Returns the first placeholder that names no known fact or the first unbalanced condition; null when the text is valid. */
export const mistakeIn = (text: string, known: readonly string[]): Mistake | null => {
  const unknown = [...text.matchAll(/\{\{(?:if )?([^{}]*)\}\}/g)].find(
    ([, name = '']) => !['else', 'end', ...known].includes(name),
  );
  if (unknown) return { at: unknown.index, words: `"${unknown[1]}" is no fact: ${known.join(', ')}` };
  const left = text.replace(CHOICE, (whole) => ' '.repeat(whole.length));
  const open = /\{\{(?:if [a-z_]+|else|end)\}\}/.exec(left);
  return open && { at: open.index, words: `${open[0]} has no partner; choices are not nested` };
};

/** Escapes a value that a person entered, so that Markdown treats it as plain text. */
export const asText = (value: string): string => value.replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&');
