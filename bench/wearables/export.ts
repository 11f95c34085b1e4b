/**
 * Reads a synthetic health export of 2 GB (or the given megabytes) with the bare saxes parser and with our reader, in turn:
 * reports MB/s, the peak memory of the reading process, and the event loop delay of this process, which represents the site.
 * Usage: node bench/wearables/export.ts [megabytes]
 */
import { execFile } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ZipArchive } from 'archiver';
import { createExportReader, type ExportFile } from '#plugins/wearables/phone-export/process.ts';
import { writeMadeUpExport } from './made-up.ts';

const MB = 1e6;
const MEGABYTES = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 2_000);
const RUNS = 3;

/** Returns the peak memory of any child process in MB, as reported by Linux; 0 on other systems. */
const watchMemory = (): (() => number) => {
  let most = 0;
  const look = async (): Promise<void> => {
    const threads = await readdir('/proc/self/task').catch(() => []);
    for (const thread of threads) {
      const children = await readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '');
      for (const child of children.split(' ').filter(Boolean)) {
        const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '');
        most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      }
    }
  };
  const timer = setInterval(() => void look(), 100);
  return () => {
    clearInterval(timer);
    return most;
  };
};

interface Figures {
  readonly perSecond: number;
  readonly memory: number;
  readonly delay: number | null;
  readonly records: number;
}

const bare = async (path: string, bytes: number): Promise<Figures> => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bare.ts'), path]);
  const { elements, seconds, megabytes } = JSON.parse(stdout) as Record<'elements' | 'seconds' | 'megabytes', number>;
  return { perSecond: bytes / MB / seconds, memory: megabytes, delay: null, records: elements };
};

/** Measures from the call to the result, including the start of the process. */
const ours = async (file: ExportFile): Promise<Figures> => {
  const reader = createExportReader();
  const memory = watchMemory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  const reading = await reader.read(file);
  const seconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  await reader.stop();
  if (reading.outcome !== 'read') throw new Error(`the export was not read: ${reading.outcome}`);
  return {
    perSecond: reading.bytes / MB / seconds,
    memory: memory(),
    delay: delay.percentile(99) / 1e6,
    records: reading.records,
  };
};

const row = (name: string, { perSecond, memory, delay, records }: Figures, base: Figures): void =>
  console.log(
    `| ${name} | ${perSecond.toFixed(0)} | ${((100 * perSecond) / base.perSecond).toFixed(0)} % | ${memory.toFixed(0)} | ${delay === null ? '' : delay.toFixed(1)} | ${records.toLocaleString('en')} |`,
  );

const zipped = async (path: string, to: string): Promise<void> => {
  const zip = new ZipArchive({ zlib: { level: 6 } });
  zip.append(createReadStream(path), { name: 'apple_health_export/export.xml' });
  await Promise.all([pipeline(zip, createWriteStream(to)), zip.finalize()]);
};

const folder = await mkdtemp(join(tmpdir(), 'ekb-phone-export-'));
try {
  const [xml, zip, sealed] = ['export.xml', 'export.zip', 'sealed.bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const days = await writeMadeUpExport(xml, MEGABYTES * MB);
  await zipped(xml, zip);
  const key = { key: randomBytes(32).toString('base64'), iv: randomBytes(16).toString('base64') };
  const cipher = createCipheriv('aes-256-ctr', Buffer.from(key.key, 'base64'), Buffer.from(key.iv, 'base64'));
  await pipeline(createReadStream(zip), cipher, createWriteStream(sealed));
  const [xmlBytes, zipBytes] = [(await stat(xml)).size, (await stat(zip)).size];
  console.log(
    `A made-up export: ${(xmlBytes / MB).toFixed(0)} MB of XML, ${(zipBytes / MB).toFixed(0)} MB packed, ${days} days.\n`,
  );
  console.log(
    '| | MB/s of XML | of bare saxes | most memory, MB | delay of the site, p99, ms | elements or records |\n|---|---|---|---|---|---|',
  );
  for (let run = 1; run <= RUNS; run += 1) {
    const base = await bare(xml, xmlBytes);
    row(`${run}: bare saxes, XML`, base, base);
    row(`${run}: ours, XML`, await ours({ path: xml, key: null, name: 'export.xml', bytes: xmlBytes }), base);
    row(`${run}: ours, ZIP under a key`, await ours({ path: sealed, key, name: 'export.zip', bytes: zipBytes }), base);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
