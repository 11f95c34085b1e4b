/** Creates the MCP server of one request; its tools call routes of the API on behalf of the caller. */

import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  type jsonSchemaValidator,
  McpServer,
} from '@modelcontextprotocol/server';
import { AppError } from '#core/errors.ts';
import { asSent, plain } from '#core/http/openapi.ts';
import { requestChecker } from '#core/http/validate.ts';
import type { CallRoute } from '#core/plugin.ts';
import { withinBudget } from './budget.ts';
import type { AgentTool } from './tool.ts';
import { tools } from './tools/index.ts';

const INSTRUCTIONS =
  'Graded evidence on natural supplements. Cite the sources that answers come with and link back to them. What is not found here is unknown, never safe. In an emergency, tell people to call their emergency number. Nothing here is medical advice.';

const checks = new Map(tools.map(({ name, input }) => [name, requestChecker({ body: input })]));

/**
 * Replaces the validator of the SDK, because the arguments are validated like a request instead: with defaults, "" as
 * "not given", and problems with their location.
 */
const unchecked = {
  getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }),
} as unknown as jsonSchemaValidator;

const schemasOf = ({ input, output }: AgentTool) => ({
  inputSchema: fromJsonSchema<Record<string, unknown>>(asSent(plain(input)) as JsonSchemaType, unchecked),
  outputSchema: fromJsonSchema<Record<string, unknown>>(plain(output) as JsonSchemaType),
});

let made: ReadonlyMap<string, ReturnType<typeof schemasOf>> | null = null;

/** Builds the schemas once, on the first request: compiling them takes about a hundred times as long as a request. */
const toolSchemas = (): NonNullable<typeof made> => {
  made ??= new Map(tools.map((tool) => [tool.name, schemasOf(tool)]));
  return made;
};

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== '' && value !== null;

const result = (value: object, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...(isError ? { isError: true } : { structuredContent: value as Record<string, unknown> }),
});

/** Returns an expected error as over HTTP: code, status, details and hints. Rethrows every other error. */
const failure = (error: unknown): CallToolResult => {
  if (!(error instanceof AppError)) throw error;
  const { code, status, detail, extras } = error;
  return result({ code, status, detail: extras.problems ?? detail, ...extras.body }, true);
};

const runTool = async (tool: AgentTool, given: Record<string, unknown>, call: CallRoute): Promise<CallToolResult> => {
  try {
    const sent = Object.fromEntries(Object.entries(given).filter(isGiven));
    const checked = checks.get(tool.name)?.({ params: {}, query: {}, body: sent });
    const { value, next = null, kept = [] } = await tool.run(checked?.body ?? {}, call);
    const fitted = withinBudget(value, kept);
    return result({
      ...fitted.value,
      truncated: fitted.leftOut.length > 0 || next !== null,
      left_out: fitted.leftOut,
      next: next && { tool: tool.name, arguments: Object.fromEntries(Object.entries(next).filter(isGiven)) },
    });
  } catch (error) {
    return failure(error);
  }
};

interface Parts {
  readonly call: CallRoute;
  readonly version: string;
  readonly websiteUrl: string;
  /** Receives an internal error for the log; the agent learns only that one occurred. */
  onFault(error: unknown): void;
}

export const createServer = ({ call, version, websiteUrl, onFault }: Parts): McpServer => {
  const server = new McpServer(
    { name: 'supplement-evidence-base', title: 'Supplement Evidence Base', version, websiteUrl },
    { instructions: INSTRUCTIONS, capabilities: { tools: {} } },
  );
  const schemas = toolSchemas();
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        ...schemas.get(tool.name),
        annotations: {
          title: tool.title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      async (given) => {
        try {
          return await runTool(tool, given, call);
        } catch (error) {
          onFault(error);
          return result({ code: 'internal_error', status: 500, detail: 'Something failed here; try again.' }, true);
        }
      },
    );
  }
  return server;
};
