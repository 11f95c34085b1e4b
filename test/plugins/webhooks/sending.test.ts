import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { isPublicAddress } from '#plugins/webhooks/sending/address-rule.ts';
import { type SendRules, send, sendRules } from '#plugins/webhooks/sending/send.ts';
import { type Receiver, startReceiver, status } from './support.ts';

const NEVER = new AbortController().signal;
const tls = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../fixtures/tls', `hooks.${name}.pem`), 'utf8');

const post = (url: string, rules: Partial<SendRules> = {}, allowPrivate = true) =>
  send({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' }, { ...sendRules(allowPrivate), ...rules }, NEVER);

/** Starts a TCP server whose responses the test controls. */
const rawServer = async (speak: (socket: Socket) => void): Promise<{ url: string; stop(): Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

describe('the addresses that a webhook may reach', () => {
  for (const address of ['8.8.8.8', '93.184.216.34', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001:80e::200e'])
    it(`include ${address}`, () => assert.equal(isPublicAddress(address), true));

  const refused: Readonly<Record<string, readonly string[]>> = {
    'this machine': ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    'links, and metadata addresses on them': ['169.254.1.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fec0::1'],
    'metadata addresses elsewhere': ['fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
    'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    'reserved and documentation ranges': [
      ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '240.0.0.1', '192.88.99.1'],
      ...['2001:db8::1', '3fff::1', '100::1', '5f00::1', '4000::1', '2001:2::1', '2001:20::1'],
    ],
    'IPv4 inside IPv6': ['::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
    NAT64: ['64:ff9b::10.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1'],
    '6to4 and Teredo': ['2002:7f00:1::', '2002:a00:1::1', '2001:0:5ef5:79fd::1'],
    'anything that is no address': ['', 'localhost', '10.1', '0x7f000001', '2130706433', 'fe80::1%eth0', '8.8.8.8 '],
  };
  for (const [name, addresses] of Object.entries(refused))
    for (const address of addresses)
      it(`exclude ${name}: ${JSON.stringify(address)}`, () => assert.equal(isPublicAddress(address), false));
});

describe('sending to a receiver', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  it('refuses a name that resolves to a private address, even beside a public one', async () => {
    const https = `https://hooks.example.org:${receiver.port}/`;
    for (const addresses of [
      ['127.0.0.1'],
      ['10.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
    ]) {
      const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const sent = await post(https, { resolve }, false);
      assert.deepEqual([sent.failure, sent.status], ['address_refused', null], addresses.join());
    }
    assert.equal(receiver.requests.length, 0);
  });

  it('refuses a URL that could not be registered, as after a change of the rules', async () => {
    for (const url of [
      receiver.url,
      `https://127.0.0.1:${receiver.port}/`,
      'https://localhost:2000/',
      'gopher://a.example/',
    ])
      assert.equal((await post(url, {}, false)).failure, 'url_refused', url);
    assert.equal(receiver.requests.length, 0);
  });

  it('connects to the address that was checked, even if the DNS answer changes afterwards', async () => {
    const other = await startReceiver('127.0.0.2');
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const isAllowed = (address: string): boolean => address === '127.0.0.1';
    const sent = await post(`http://rebind.example.org:${receiver.port}/hook`, { resolve, isAllowed });
    assert.deepEqual([sent.failure, sent.status, asked], [null, 204, 1]);
    assert.deepEqual([receiver.requests.length, other.requests.length], [1, 0]);
    assert.equal(receiver.requests[0]?.headers.host, `rebind.example.org:${receiver.port}`);
    const second = await post(`http://rebind.example.org:${receiver.port}/hook`, { resolve, isAllowed });
    assert.equal(second.failure, 'address_refused');
    await other.stop();
  });

  it('sends the host name in TLS, and rejects a certificate for another host or of an unknown authority', async () => {
    const names: unknown[] = [];
    const server = createTlsServer({ key: tls('key'), cert: tls('cert') }, (request, response) => {
      names.push((request.socket as unknown as { servername: string }).servername);
      response.end();
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const rules = { resolve, ca: tls('cert') };
    assert.equal((await post(`https://hooks.example.org:${port}/`, rules)).failure, null);
    assert.deepEqual(names, ['hooks.example.org']);
    assert.equal((await post(`https://other.example.org:${port}/`, rules)).failure, 'certificate_refused');
    assert.equal((await post(`https://hooks.example.org:${port}/`, { resolve })).failure, 'certificate_refused');
    assert.equal(names.length, 1);
    await new Promise((done) => server.close(done));
  });

  it('ignores the proxy settings of the environment', async () => {
    const proxy = await startReceiver();
    const usual = http.globalAgent;
    http.globalAgent = new http.Agent({ proxyEnv: { HTTP_PROXY: proxy.url } });
    try {
      await new Promise((resolve) => http.get(receiver.url, resolve).on('error', resolve));
      assert.deepEqual([receiver.requests.length, proxy.requests.length], [0, 1], 'others follow it');
      assert.equal((await post(receiver.url)).status, 204);
    } finally {
      http.globalAgent = usual;
    }
    assert.deepEqual([receiver.requests.length, proxy.requests.length], [1, 1]);
    await proxy.stop();
  });

  it('times out when the receiver never responds', async () => {
    const silent = await rawServer(() => undefined);
    assert.equal((await post(silent.url, { timeoutMs: 200 })).failure, 'timeout');
    await silent.stop();
  });

  it('times out when the name server never responds', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    assert.equal((await post('http://slow.example.org/', { resolve, timeoutMs: 100 })).failure, 'timeout');
  });

  it('distinguishes an unknown name from a failed connection', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    assert.equal((await post('http://nowhere.example.org/', { resolve })).failure, 'name_not_found');
    const gone = await startReceiver();
    await gone.stop();
    assert.equal((await post(gone.url)).failure, 'connection_failed');
  });

  it('treats a reset, a truncated response or invalid HTTP as a failed connection', async () => {
    for (const speak of [
      (socket: Socket) => socket.resetAndDestroy(),
      (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()),
      (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 200')),
      (socket: Socket) => socket.once('data', () => socket.end('hello\r\n\r\n')),
      (socket: Socket) => socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)),
    ]) {
      const server = await rawServer(speak);
      assert.equal((await post(server.url)).failure, 'connection_failed');
      await server.stop();
    }
  });

  it('reads at most 16 KB of a response, and then closes the connection', async () => {
    let written = 0;
    const ended = Promise.withResolvers<void>();
    receiver.answers = [
      (_, response) => {
        const chunk = Buffer.alloc(65_536, 'x');
        response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': String(2 ** 30) });
        const more = (): void => {
          while (!response.destroyed && written < 2 ** 30) {
            written += chunk.length;
            if (!response.write(chunk)) return;
          }
        };
        response.on('drain', more).on('close', ended.resolve);
        more();
      },
    ];
    const sent = await post(receiver.url);
    assert.deepEqual([sent.failure, sent.status, sent.body.length], [null, 200, 16_384]);
    await ended.promise;
    assert.ok(written < 2 ** 26, `${written} bytes were written`);
  });

  it('accepts a status received in time, even if the body never ends', async () => {
    receiver.answers = [(_, response) => void response.writeHead(202, { 'Content-Type': 'text/plain' }).write('taken')];
    const sent = await post(receiver.url, { timeoutMs: 300 });
    assert.deepEqual([sent.failure, sent.status, sent.body.toString()], [null, 202, 'taken']);
  });

  for (const [code, failure] of [
    [200, null],
    [299, null],
    [300, 'redirected'],
    [308, 'redirected'],
    [400, 'status'],
    [410, 'gone'],
    [500, 'status'],
  ] as const) {
    it(`classifies status ${code} as ${failure ?? 'a success'}`, async () => {
      receiver.answers = [status(code, { Location: '/elsewhere' })];
      assert.equal((await post(receiver.url)).failure, failure);
      assert.equal(receiver.requests.length, 1);
    });
  }

  it('throws an error when the server stops', async () => {
    const silent = await rawServer(() => undefined);
    const stopping = new AbortController();
    const sending = send({ url: silent.url, headers: {}, body: '{}' }, sendRules(true), stopping.signal);
    setTimeout(() => stopping.abort(new Error('the server stops')), 50);
    await assert.rejects(sending, /the server stops/);
    await silent.stop();
  });
});
