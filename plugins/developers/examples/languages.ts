/** Writes an example call in each language. Every example is complete and runs unchanged once EKB_KEY is set. */
import { camelName, isForClients, snakeName } from '../operations.ts';
import type { ExampleCall } from './example-call.ts';

export interface CodeExample {
  readonly language: 'curl' | 'typescript' | 'python';
  readonly name: string;
  readonly code: string;
}

/** File names under which the clients are saved. */
export const TYPESCRIPT_FILE = 'evidence_base.ts';
export const PYTHON_FILE = 'evidence_base.py';

const isInPath = ({ operation }: ExampleCall, name: string): boolean => operation.path.includes(`{${name}}`);

/** Returns path and query, encoded as they are sent. */
export const addressOf = (call: ExampleCall): string => {
  const path = call.operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.given[name] ?? '')),
  );
  const query = Object.entries(call.given).filter(([name]) => !isInPath(call, name));
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return text ? `${path}?${text}` : path;
};

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const bodyLines = ({ operation, body }: ExampleCall): readonly string[] => {
  if (!operation.body) return [];
  if (operation.body.mediaType === 'multipart/form-data')
    return [
      "-F 'file=@front.jpg'",
      ...Object.entries(body as object).map(([name, value]) => `-F ${singleQuoted(`${name}=${value}`)}`),
    ];
  return ["-H 'Content-Type: application/json'", `-d ${singleQuoted(JSON.stringify(body))}`];
};

/** Returns the Accept header that the Model Context Protocol (/mcp) requires; other routes need none. */
const acceptLine = ({ operation }: ExampleCall): readonly string[] =>
  operation.path === '/mcp' ? ["-H 'Accept: application/json, text/event-stream'"] : [];

const needsKey = ({ operation }: ExampleCall): boolean => operation.access === 'key' || operation.access === 'admin';

export const curlOf = (call: ExampleCall, baseUrl: string): string => {
  const { method } = call.operation;
  const address = `"${baseUrl}${addressOf(call)}"`;
  const first = method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`;
  const key = needsKey(call) ? ['-H "Authorization: Bearer $EKB_KEY"'] : [];
  return [first, ...key, ...acceptLine(call), ...bodyLines(call)].join(' \\\n  ');
};

/** Formats JSON as a TypeScript literal, without quotes around names that need none. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')
    .replace(/"((?:[^"\\']|\\.)*)"/g, "'$1'");

const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/(?<=[:[,] ?)(true|false|null)(?=[,\s\]}])/g, (word) =>
      word === 'null' ? 'None' : `${word[0]?.toUpperCase()}${word.slice(1)}`,
    );

const typescriptOf = (call: ExampleCall): string => {
  const { operation, given, body } = call;
  const hasGiven = Object.keys(given).length > 0;
  const sent = [...(hasGiven ? [literal(given)] : []), ...(operation.body ? [literal(body)] : [])].join(', ');
  const method = `base.${camelName(operation.id)}(${sent})`;
  const isStream = operation.replies.some(({ mediaType }) => mediaType === 'text/event-stream');
  return [
    "import { env } from 'node:process';",
    `import { EvidenceBase } from './${TYPESCRIPT_FILE}';`,
    '',
    'const base = new EvidenceBase({ key: env.EKB_KEY });',
    isStream ? `for await (const event of ${method}) console.log(event);` : `console.log(await ${method});`,
  ].join('\n');
};

const pythonOf = (call: ExampleCall): string => {
  const { operation, given, body } = call;
  const sent = [
    ...Object.entries(given).map(([name, value]) => `${name}=${pythonLiteral(value)}`),
    ...(operation.body ? [`body=${pythonLiteral(body)}`] : []),
  ].join(', ');
  const method = `base.${snakeName(operation.id)}(${sent})`;
  const isStream = operation.replies.some(({ mediaType }) => mediaType === 'text/event-stream');
  return [
    'import os',
    'from evidence_base import EvidenceBase',
    '',
    'base = EvidenceBase(key=os.environ.get("EKB_KEY"))',
    ...(isStream ? [`for event in ${method}:`, '    print(event)'] : [`print(${method})`]),
  ].join('\n');
};

/** Returns examples in all three languages for an operation of the clients, and in curl alone for any other. */
export const codeExamples = (call: ExampleCall, baseUrl: string): readonly CodeExample[] => [
  { language: 'curl', name: 'curl', code: curlOf(call, baseUrl) },
  ...(isForClients(call.operation)
    ? ([
        { language: 'typescript', name: 'TypeScript', code: typescriptOf(call) },
        { language: 'python', name: 'Python', code: pythonOf(call) },
      ] as const)
    : []),
];
