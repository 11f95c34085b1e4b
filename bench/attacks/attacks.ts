/** Defines the attacks: each is a series of requests that a caller without a key can send from a few addresses. */
import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  readonly url: string;
  readonly agent: Agent;
}

/** Number of responses by status; "closed" counts connections closed without a response. */
export type Outcome = Readonly<Record<string, number>>;

export interface Attack {
  readonly name: string;
  run(target: Target): Promise<Outcome>;
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/**
 * Returns an address of a /24 documentation range; several addresses are used so that the limit of one address does not hide the
 * cost of a request.
 */
const addressOf = (at: number): string => `203.0.113.${1 + (at % 250)}`;

const send = ({ url, agent }: Target, { method = 'POST', path, headers = {}, body }: Sent, from: string) =>
  new Promise<string>((resolve) => {
    const sent = request(`${url}${path}`, {
      method,
      agent,
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from, ...headers },
    });
    sent.on('response', (reply) => {
      reply.resume().on('close', () => resolve(String(reply.statusCode)));
    });
    sent.on('error', () => resolve('closed'));
    sent.end(body);
  });

const tally = (words: readonly string[]): Outcome => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

/** Sends `count` requests, `atOnce` of them concurrently, rotating through the addresses. */
const repeat =
  (count: number, atOnce: number, make: (at: number) => Sent, addresses = 8) =>
  async (target: Target): Promise<Outcome> => {
    const words: string[] = [];
    let next = 0;
    const one = async (): Promise<void> => {
      while (next < count) {
        const at = next;
        next += 1;
        words.push(await send(target, make(at), addressOf(at % addresses)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return tally(words);
  };

const form = (boundary: string, parts: readonly { head: string; body: Buffer | string }[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, body }) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const FORM = { 'Content-Type': 'multipart/form-data; boundary=x' };
const list = (count: number, item: string): string => Array<string>(count).fill(item).join(',');
const numbers = `{"supplements":[${list(500_000, '1')}]}`;
const names = `{"supplements":[${list(45_000, '"ginko bilobba 12345"')}]}`;
/** Returns the longest list of misspelt names that the schema allows. */
const misspelt = (at: number, kind: string): string =>
  JSON.stringify(Array.from({ length: 30 }, (_, index) => `${kind}xotryn ${at}-${index} ${'abcdefgh '.repeat(9)}`));
const objects = `{"supplements":[${list(200_000, '{}')}],"drugs":[${list(100_000, '[]')}]}`;
const members = `{${Array.from({ length: 80_000 }, (_, at) => `"a${at}":1`).join(',')}}`;
const deep = (levels: number): string => `{"message":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const tenMegabytes = `{"dailies":[${list(1_200_000, '{"a":1}')}]}`;
const batch = `[${list(15_000, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')}]`;
const manyFields = Array.from({ length: 90_000 }, (_, at) => `a[${at % 90}]=1`).join('&');
const nestedFields = `a${'[b]'.repeat(300_000)}=1`;
const manyParts = form(
  'x',
  Array.from({ length: 20_000 }, (_, at) => ({ head: `name="f${at}"`, body: 'v' })),
);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(19.4 * 1024 * 1024, 'a')]);
const report = form(
  'x',
  ['consent', ...Array.from({ length: 5 }, (_, at) => `report-${at}`)].map((name) =>
    name === 'consent'
      ? { head: 'name="consent"', body: 'true' }
      : { head: `name="files"; filename="${name}.pdf"\r\nContent-Type: application/pdf`, body: pdf },
  ),
);

/** Opens connections whose bodies begin and never end; all of them stay open together. */
const halfOpen =
  (count: number, bytes: number, addresses: number) =>
  async ({ url }: Target): Promise<Outcome> => {
    const { hostname, port } = new URL(url);
    const sockets: Socket[] = [];
    const words: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      let isTold = false;
      const note = (word: string): void => {
        if (!isTold) words.push(word);
        isTold = true;
      };
      socket.on('data', (chunk: Buffer) => note(/^HTTP\/1.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? '?'));
      socket.on('error', () => note('closed'));
      socket.on('close', () => note('closed'));
      socket.write(
        `POST /api/interactions/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Forwarded-For: ${addressOf(at % addresses)}\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(bytes, '1'));
      if (at % 20 === 0) await once(socket, 'connect').catch(() => null);
    }
    await sleep(6_000);
    const answered = words.length;
    for (const socket of sockets) socket.destroy();
    await sleep(500);
    return { ...tally(words.slice(0, answered)), open: count - answered };
  };

export const attacks: readonly Attack[] = [
  {
    name: 'list of 500,000 numbers to /api/interactions/check, 16 times',
    run: repeat(16, 4, () => ({ path: '/api/interactions/check', body: numbers })),
  },
  {
    name: 'list of 45,000 misspelt names to the same, 16 times',
    run: repeat(16, 4, () => ({ path: '/api/interactions/check', body: names })),
  },
  {
    name: 'lists of 300,000 objects and lists to the same, 16 times',
    run: repeat(16, 4, () => ({ path: '/api/interactions/check', body: objects })),
  },
  {
    name: 'longest stacks of names that nobody knows, 16 times',
    run: repeat(16, 4, (at) => ({
      path: '/api/interactions/check',
      body: `{"supplements":${misspelt(at, 'ma')},"drugs":${misspelt(at, 'wa')},"foods":${misspelt(at, 'fo')}}`,
    })),
  },
  {
    name: 'object of 80,000 members to /api/feedback, 16 times',
    run: repeat(16, 4, () => ({ path: '/api/feedback', body: members })),
  },
  {
    name: '10 MB to /wearables/push/garmin/x, 8 times',
    run: repeat(8, 4, () => ({ path: `/wearables/push/garmin/${'x'.repeat(40)}`, body: tenMegabytes })),
  },
  {
    name: 'body nested 100,000 deep to /api/feedback, 40 times',
    run: repeat(40, 4, () => ({ path: '/api/feedback', body: deep(100_000) })),
  },
  {
    name: 'batch of 15,000 messages to /mcp, 16 times',
    run: repeat(16, 4, () => ({ path: '/mcp', body: batch })),
  },
  {
    name: 'form of 90,000 bracketed fields, 16 times',
    run: repeat(16, 4, () => ({
      path: '/developers/sandbox',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: manyFields,
    })),
  },
  {
    name: 'form with a field nested 300,000 deep, 16 times',
    run: repeat(16, 4, () => ({
      path: '/developers/sandbox',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: nestedFields,
    })),
  },
  {
    name: 'multipart body of 20,000 parts to /blood-test/upload, 16 times',
    run: repeat(16, 4, () => ({ path: '/blood-test/upload', headers: FORM, body: manyParts })),
  },
  {
    name: 'query of 4,000 parameters to a live page, 400 times',
    run: repeat(400, 8, () => ({
      method: 'GET',
      path: `/search?${list(4_000, 'a=1').replaceAll(',', '&').slice(0, 15_000)}`,
    })),
  },
  {
    name: 'search pages, 2,000 times from one address',
    run: repeat(2_000, 16, (at) => ({ method: 'GET', path: `/search?q=magnezium+sleeep+${at}` }), 1),
  },
  {
    name: 'pages that do not exist, 4,000 times from one address',
    run: repeat(4_000, 16, (at) => ({ method: 'GET', path: `/supplements/none-${at}` }), 1),
  },
  {
    name: 'graph data, 400 times from one address',
    run: repeat(400, 8, () => ({ method: 'GET', path: '/graph-data' }), 1),
  },
  {
    name: 'eight reports of 97 MB at the same time',
    run: repeat(8, 8, () => ({ path: '/blood-test/upload', headers: FORM, body: report })),
  },
  { name: '600 half-open bodies of 1 MB from one address', run: halfOpen(600, 1_040_000, 1) },
  { name: '600 half-open bodies of 1 MB from 200 addresses', run: halfOpen(600, 1_040_000, 200) },
];
