/** Defines the type of a tool: its description for agents, and how it builds its result from routes of the API. */
import type { Static, TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { CallRoute } from '#core/plugin.ts';

/** Members that every tool result has in addition to its own. */
const envelope = {
  truncated: Type.Boolean({ description: 'Something was left out to keep the answer small.' }),
  left_out: Type.Array(Type.String(), { description: 'What was shortened, as `/path: shown of all`.' }),
  next: Type.Union(
    [Type.Null(), Type.Object({ tool: Type.String(), arguments: Type.Record(Type.String(), Type.Unknown()) })],
    { description: 'The call that gets what comes after; null when there is nothing more.' },
  ),
};

export interface ToolAnswer<T> {
  readonly value: T;
  /** Arguments for a call of the same tool that returns what follows. */
  readonly next?: Readonly<Record<string, unknown>> | null;
  /** Paths in the value that are never shortened. */
  readonly kept?: readonly string[];
}

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  readonly output: TObject;
  run(given: Readonly<Record<string, unknown>>, call: CallRoute): Promise<ToolAnswer<object>>;
}

interface ToolOf<I extends TObject, O extends TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  run(given: Static<I>, call: CallRoute): Promise<ToolAnswer<Static<O>>>;
}

/** Defines a tool with inferred types, and adds the members of every result to its output schema. */
export const defineTool = <I extends TObject, O extends TObject>(tool: ToolOf<I, O>): AgentTool => ({
  ...(tool as unknown as AgentTool),
  output: Type.Object({ ...tool.output.properties, ...envelope }),
});

/** Calls a route and returns its JSON body; the route's schema defines the type. */
export const ask = async <T extends TSchema>(
  call: CallRoute,
  routeId: string,
  request: Parameters<CallRoute>[1],
): Promise<Static<T>> => (await call(routeId, request)).body as Static<T>;

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Warnings = Type.Array(Type.Object({ code: Type.String(), message: Type.String() }));
