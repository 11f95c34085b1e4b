/** Parses the arguments of `npm run labels`. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from '#core/errors.ts';
import { CANDIDATE_STATES, type CandidateState } from './candidate-table.ts';

export const USAGE = [
  'labels list [--state new|changed|moved|dismissed] [--supplement <slug>] [--medicine <name>] [--limit <n>]',
  'labels show <id>',
  'labels confirm <id> --affected <word> --mechanism <word> --severity <word> [--hours-before <n>] [--hours-after <n>] [--names supplement|class] [--medicine <name>] [--quote <words of the sentence>] [--note <sentence>] [--replace]',
  'labels dismiss <id or supplement/medicine …> --reason <why>',
].join('\n       ');

const OPTIONS = {
  content: { type: 'string' },
  state: { type: 'string' },
  supplement: { type: 'string' },
  medicine: { type: 'string' },
  limit: { type: 'string' },
  affected: { type: 'string' },
  mechanism: { type: 'string' },
  severity: { type: 'string' },
  'hours-before': { type: 'string' },
  'hours-after': { type: 'string' },
  names: { type: 'string' },
  quote: { type: 'string' },
  note: { type: 'string' },
  replace: { type: 'boolean' },
  reason: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

export type LabelOptions = { readonly [K in keyof typeof OPTIONS]?: K extends 'replace' ? boolean : string };

export interface LabelArguments {
  readonly action: 'list' | 'show' | 'confirm' | 'dismiss';
  readonly ids: readonly string[];
  readonly options: LabelOptions;
}

const refuse = (why: string): never => {
  throw new UsageError(`${why}\nusage: ${USAGE}`);
};

const ACTIONS = ['list', 'show', 'confirm', 'dismiss'] as const;

export const isState = (word: string): word is CandidateState => (CANDIDATE_STATES as readonly string[]).includes(word);

/**
 * Parses the arguments.
 * @throws UsageError with the usage.
 */
export const parseLabelArguments = (args: readonly string[]): LabelArguments => {
  let parsed: { values: LabelOptions; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return refuse((error as Error).message);
  }
  const { values: options, positionals } = parsed;
  const [word, ...ids] = positionals;
  const action = ACTIONS.find((one) => one === word) ?? refuse(`"${word ?? ''}" is no action of this command.`);
  if (action === 'list' ? ids.length : !ids.length) refuse(`${action} ${ids.length ? 'takes no id' : 'needs an id'}.`);
  if ((action === 'show' || action === 'confirm') && ids.length > 1) refuse(`${action} takes one id.`);
  if (action === 'dismiss' && !options.reason?.trim())
    refuse('dismiss needs --reason: the next reader wants to know why.');
  if (options.state && !isState(options.state)) refuse(`--state is one of ${CANDIDATE_STATES.join(', ')}.`);
  if (options.limit && !/^[1-9]\d{0,5}$/.test(options.limit)) refuse('--limit is a number of lines.');
  return { action, ids, options };
};
