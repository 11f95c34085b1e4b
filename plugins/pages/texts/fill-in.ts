/**
 * What an instance puts into a text: `{{contact}}`, and `{{if contact}}…{{else}}…{{end}}` for what differs where a fact
 * is not there. Nothing is nested.
 */

/** "" means that this instance does not have it. Values are Markdown. */
export type Facts = Readonly<Record<string, string>>;

const CHOICE = /\{\{if ([a-z_]+)\}\}([\s\S]*?)(?:\{\{else\}\}([\s\S]*?))?\{\{end\}\}/g;
const PLACE = /\{\{([a-z_]+)\}\}/g;

export const fillIn = (text: string, facts: Facts): string =>
  text
    .replace(CHOICE, (_, name: string, having: string, lacking = '') => (facts[name] ? having : lacking))
    .replace(PLACE, (_, name: string) => facts[name] ?? '');

export interface Mistake {
  readonly words: string;
  /** Where it begins, from 0. */
  readonly at: number;
}

/** The first thing between braces that is no fact, or a choice that does not end; null when all is well. */
export const mistakeIn = (text: string, known: readonly string[]): Mistake | null => {
  const unknown = [...text.matchAll(/\{\{(?:if )?([^{}]*)\}\}/g)].find(
    ([, name = '']) => !['else', 'end', ...known].includes(name),
  );
  if (unknown) return { at: unknown.index, words: `"${unknown[1]}" is no fact: ${known.join(', ')}` };
  const left = text.replace(CHOICE, (whole) => ' '.repeat(whole.length));
  const open = /\{\{(?:if [a-z_]+|else|end)\}\}/.exec(left);
  return open && { at: open.index, words: `${open[0]} has no partner; choices are not nested` };
};

/** A value that somebody typed, so that Markdown reads nothing into it. */
export const asText = (value: string): string => value.replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&');
