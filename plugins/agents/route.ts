/** Defines POST /mcp: the Model Context Protocol over streamable HTTP, without sessions; requests are independent. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Type } from 'typebox';
import { defineRoute, type Reply, type Route } from '#core/plugin.ts';

const VERSION = '1.0.0';
/** Deadline of a request, longer than the time limit of an answer. */
const DEADLINE_SECONDS = 120;

const Message = Type.Object(
  { jsonrpc: Type.Literal('2.0'), method: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: true, description: 'One JSON-RPC 2.0 message of the Model Context Protocol; no batches.' },
);

/** Headers of the protocol, which are forwarded to the MCP server; all others were already processed. */
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'];

const passedOn = (headers: Readonly<Record<string, string | undefined>>): Headers => {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && (PASSED_ON.includes(name) || name.startsWith('mcp-'))) kept.set(name, value);
  return kept;
};

const replyOf = (response: Response): Reply => {
  const type = response.headers.get('content-type') ?? '';
  const body = response.body ? Readable.fromWeb(response.body as ReadableStream) : '';
  return { status: response.status, headers: { 'Cache-Control': 'no-store' }, type: type || 'text/plain', body };
};

const mcpRoute = defineRoute<undefined, { body: typeof Message }>({
  id: 'agents.mcp',
  method: 'POST',
  path: '/mcp',
  summary: 'The Model Context Protocol, for agents: read-only tools over search, sources, interactions, products, ask',
  description:
    'Streamable HTTP without sessions; revisions 2025-03-26 to 2026-07-28. The same keys and quotas as the API: one request, one call. Without a key the tools of the limited class work; search_evidence, get_source and ask need one. An answer of a tool is at most about 4,000 tokens, and says what was left out and how to get the rest.',
  tag: 'Agents',
  access: 'limited',
  isForPrograms: true,
  request: { body: Message },
  deadlineSeconds: DEADLINE_SECONDS,
  replies: [
    { status: 200, mediaType: 'application/json', description: 'The JSON-RPC answer' },
    { status: 200, mediaType: 'text/event-stream', description: 'The same as one event, for clients before 2026' },
    { status: 202, mediaType: 'text/plain', description: 'A notification was taken' },
    { status: 400, mediaType: 'application/json', description: 'A JSON-RPC error of the protocol' },
    { status: 404, mediaType: 'application/json', description: 'A JSON-RPC error: no such method or tool' },
    { status: 406, mediaType: 'application/json', description: 'A JSON-RPC error: `Accept` names no type of ours' },
  ],
  raises: ['validation_failed', 'malformed_json'],
  handle: async ({ config, log, requestId }, { body, headers, call }) => {
    // These modules are loaded on the first call of an agent.
    const [{ createMcpHandler }, { createServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./server.ts'),
    ]);
    const url = new URL('/mcp', config.text('BASE_URL'));
    const onFault = (error: unknown) => log.error('agent_tool_failed', { request_id: requestId, error });
    const handler = createMcpHandler(() => createServer({ call, version: VERSION, websiteUrl: url.origin, onFault }), {
      // The tools do not change at run time, so there is nothing to subscribe to.
      maxSubscriptions: 0,
    });
    const request = new Request(url, { method: 'POST', headers: passedOn(headers), body: JSON.stringify(body) });
    return replyOf(await handler.fetch(request, { parsedBody: body }));
  },
});

export const agentRoutes: readonly Route[] = [mcpRoute as unknown as Route];
