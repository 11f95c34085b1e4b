/** Checks the files in `deploy/` as far as possible without a container engine. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { allSettings } from '#core/boot.ts';
import { plugins } from '../../plugins/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string): Promise<string> => readFile(join(root, 'deploy', name), 'utf8');
/** The settings of this program; other variables belong to the container engine or to other services. */
const isSetting = new Set(allSettings(plugins).map(({ name }) => name));
/** Variables that Node.js reads. */
const FOREIGN = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE']);

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: unknown;
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
}

describe('deploy/', () => {
  it('has a proxy configuration that sends Strict-Transport-Security', async () => {
    assert.match(await read('Caddyfile'), /^\theader Strict-Transport-Security "max-age=31536000"$/m);
  });

  it('has a Compose file with known settings, existing volumes, pinned images and no secret values', async () => {
    const text = await read('compose.yaml');
    const file = parse(text, { merge: true }) as {
      services: Readonly<Record<string, Service>>;
      volumes: Readonly<Record<string, null>>;
    };
    const nodes = [file.services['app-1'], file.services['app-2']];
    for (const node of nodes) {
      assert.deepEqual(
        Object.keys(node?.environment ?? {}).filter((name) => !isSetting.has(name) && !FOREIGN.has(name)),
        [],
      );
      assert.equal(node?.read_only, true);
      assert.equal(node?.ports, undefined, 'only the proxy is reached from outside');
    }
    assert.deepEqual(
      nodes.map((node) => node?.environment?.GENERATE_PAGES),
      ['auto', 'off'],
      'one writes pages',
    );
    for (const [name, { image, volumes = [] }] of Object.entries(file.services)) {
      assert.match(image, /^supplement-evidence-base$|:[\w.-]*\d[\w.-]*$/, `${name} names a version`);
      for (const volume of volumes) {
        const [from = ''] = volume.split(':');
        assert.ok(from.startsWith('.') ? existsSync(join(root, 'deploy', from)) : from in file.volumes, volume);
      }
    }
    const asked = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    const offered = [...(await read('env.example')).matchAll(/^([A-Z_]+)=(.*)$/gm)];
    assert.deepEqual([...new Set(asked)].toSorted(), offered.map(([, name = '']) => name).toSorted());
    for (const [, name, value] of offered)
      if (name !== 'BASE_URL') assert.equal(value, '', `${name} has no value here`);
  });

  it('has a Dockerfile that copies existing files, does not run as root and has a liveness check', async () => {
    const text = await read('Dockerfile');
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
    assert.deepEqual(
      copied.filter((name) => !existsSync(join(root, name))),
      [],
    );
    const ignored = await read('Dockerfile.dockerignore');
    for (const name of copied) assert.ok(ignored.includes(`!${name}\n`), `${name} reaches the build`);
    assert.match(text, /^USER node$/m);
    assert.match(text, /^HEALTHCHECK [\s\S]*\/healthz/m);
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const major = String(dependencies.node).split('.')[0];
    for (const [, version] of text.matchAll(/^FROM node:(\d+)/gm)) assert.equal(version, major);
    for (const [, name = ''] of text.matchAll(/\b([A-Z_]+)=[^\s]*/g))
      assert.ok(isSetting.has(name) || FOREIGN.has(name), name);
  });

  it('has Kubernetes manifests with a sufficient termination grace period and a single writer', async () => {
    const documents = parseAllDocuments(await read('kubernetes.yaml'));
    assert.deepEqual(
      documents.flatMap(({ errors }) => errors),
      [],
    );
    const objects = documents.map((document) => document.toJS()) as Record<string, never>[];
    const deployments = objects.filter(({ kind }) => kind === 'Deployment') as unknown as {
      spec: {
        replicas: number;
        strategy: { type?: string };
        template: {
          spec: { terminationGracePeriodSeconds: number; containers: { env: { name: string; value: string }[] }[] };
        };
      };
    }[];
    const [reader, writer] = deployments;
    const value = (of: typeof reader, name: string): string | undefined =>
      of?.spec.template.spec.containers[0]?.env.find((each) => each.name === name)?.value;
    assert.deepEqual(
      [writer?.spec.replicas, writer?.spec.strategy.type, value(writer, 'GENERATE_PAGES')],
      [1, 'Recreate', 'auto'],
    );
    assert.equal(value(reader, 'GENERATE_PAGES'), 'off');
    const grace = reader?.spec.template.spec.terminationGracePeriodSeconds ?? 0;
    assert.ok(grace > Number(value(reader, 'DRAIN_SECONDS')) + 25 + 10);
    assert.ok(objects.some(({ kind }) => kind === 'PodDisruptionBudget'));
  });

  it('has a hardened systemd unit that stops with SIGTERM and a timeout of at least 40 seconds', async () => {
    const text = await read('supplement-evidence-base.service');
    for (const line of [
      'KillSignal=SIGTERM',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'DynamicUser=yes',
      'CapabilityBoundingSet=',
    ])
      assert.ok(text.split('\n').includes(line), line);
    const [, seconds = '0'] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? [];
    assert.ok(Number(seconds) >= 40);
  });
});
