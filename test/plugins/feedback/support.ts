import { systemContext } from '#core/system-context.ts';
import { feedbackCommand } from '#plugins/feedback/commands.ts';
import { feedbackPlugin } from '#plugins/feedback/index.ts';
import type { TestService } from '../../support/service.ts';

/** Runs the command in this process, and returns its exit status and output. */
export const runFeedback = async ({ runtime }: TestService, ...args: string[]) => {
  const lines: string[] = [];
  const context = systemContext(runtime, feedbackPlugin, new AbortController().signal);
  const status = await feedbackCommand.run(context, args, (line) => lines.push(line));
  return { status, text: lines.join('\n') };
};
