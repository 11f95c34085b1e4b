import { strict as assert } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const FOLDERS = ['core', 'plugins', 'generate', 'migrations', 'bench', 'test'];

interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
  readonly text: string;
}

/** `#core/x.ts` and `./x.ts` as paths from the root; packages by name. */
const resolveImport = (from: string, specifier: string): string => {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return relative(root, join(root, from, '..', specifier));
  return specifier;
};

const readAll = async (): Promise<readonly SourceFile[]> => {
  const paths = (
    await Promise.all(
      FOLDERS.map((folder) =>
        readdir(join(root, folder), { recursive: true }).then((names) => names.map((name) => join(folder, name))),
      ),
    )
  ).flat();
  return Promise.all(
    paths
      .filter((path) => path.endsWith('.ts'))
      .map(async (path) => {
        const text = await readFile(join(root, path), 'utf8');
        const found = [...text.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)/g)];
        return { path, text, imports: found.map((match) => resolveImport(path, match[1] ?? match[2] ?? '')) };
      }),
  );
};

const inside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const isPackage = (path: string): boolean =>
  !FOLDERS.some((folder) => inside(path, folder)) && !path.startsWith('node:');
/** The composition root: it brings core, plugins and generate together. */
const COMPOSITION = ['core/cli.ts'];

describe('who may import whom', () => {
  let files: readonly SourceFile[];
  before(async () => {
    files = await readAll();
  });

  const breaches = (allowed: (file: SourceFile, target: string) => boolean, folder: string): string[] =>
    files
      .filter(({ path }) => inside(path, folder))
      .flatMap((file) =>
        file.imports.filter((target) => !allowed(file, target)).map((target) => `${file.path} imports ${target}`),
      );

  it('finds the files and their imports', () => {
    assert.ok(files.length > 150);
    assert.ok(files.find(({ path }) => path === 'plugins/keys/index.ts')?.imports.includes('core/plugin.ts'));
  });

  it('core imports core, packages and the list of migrations', () => {
    const allowed = ({ path }: SourceFile, target: string): boolean =>
      COMPOSITION.includes(path) ||
      inside(target, 'core') ||
      target === 'migrations/index.ts' ||
      isPackage(target) ||
      target.startsWith('node:');
    assert.deepEqual(breaches(allowed, 'core'), []);
  });

  it('a plugin imports core, its own folder, and the index of other plugins', () => {
    const allowed = ({ path }: SourceFile, target: string): boolean => {
      const own = path.split('/').slice(0, 2).join('/');
      const isIndex = /^plugins\/[a-z]+\/index\.ts$/.test(target);
      // The process that reads reports has no database: it takes the pure parts of the book, and not the plugin.
      const isBook =
        path === 'plugins/labs/reading/book.ts' && /^plugins\/biomarkers\/(book|marker|units)\.ts$/.test(target);
      return (
        inside(target, 'core') ||
        inside(target, own) ||
        isIndex ||
        isBook ||
        isPackage(target) ||
        target.startsWith('node:')
      );
    };
    assert.deepEqual(breaches(allowed, 'plugins'), []);
  });

  it('a plugin declares every plugin it imports as a dependency', () => {
    const missing = files.flatMap(({ path, imports }) => {
      const own = /^plugins\/([a-z]+)\//.exec(path)?.[1];
      const index = files.find((file) => file.path === `plugins/${own}/index.ts`)?.text ?? '';
      const declared = /dependencies: \[([^\]]*)\]/.exec(index)?.[1] ?? '';
      const wanted = imports
        .map((target) => /^plugins\/([a-z]+)\/index\.ts$/.exec(target)?.[1])
        .filter((name) => name && name !== own);
      return own
        ? wanted.filter((name) => !declared.includes(`${name}Plugin`)).map((name) => `${path} uses ${name}`)
        : [];
    });
    assert.deepEqual(missing, []);
  });

  it('generate imports core and itself, migrations import no project code, and nothing imports test', () => {
    const generateMay = (_: SourceFile, target: string): boolean =>
      inside(target, 'core') || inside(target, 'generate') || isPackage(target) || target.startsWith('node:');
    assert.deepEqual(breaches(generateMay, 'generate'), []);
    const migrationsMay = ({ path }: SourceFile, target: string): boolean =>
      path === 'migrations/index.ts' || isPackage(target);
    assert.deepEqual(breaches(migrationsMay, 'migrations'), []);
    const outside = files
      .filter(({ path }) => !inside(path, 'test'))
      .flatMap(({ path, imports }) =>
        imports.filter((target) => inside(target, 'test')).map((target) => `${path} imports ${target}`),
      );
    assert.deepEqual(outside, []);
  });

  it('keeps each outside thing in the one place that owns it', () => {
    const owners: readonly [RegExp, readonly string[]][] = [
      [/^(koa|@koa\/.*|koa-.*)$/, ['core/http']],
      [/^pug$/, ['core/render']],
      [/^@qdrant\//, ['core/search']],
      [/^(@mikro-orm\/migrations|@electric-sql\/.*)$/, ['core/db', 'migrations']],
      [/^node-cron$/, ['core/jobs']],
      [/^sitemap$/, ['generate']],
    ];
    const strays = files
      .filter(({ path }) => !inside(path, 'test') && !inside(path, 'bench'))
      .flatMap(({ path, imports }) =>
        imports.flatMap((target) =>
          owners
            .filter(([name, folders]) => name.test(target) && !folders.some((folder) => inside(path, folder)))
            .map(() => `${path} imports ${target}`),
        ),
      );
    assert.deepEqual(strays, []);
  });

  it('reads process.env in core/config.ts only', () => {
    const readers = files
      .filter(({ path, text }) => !inside(path, 'test') && !inside(path, 'bench') && text.includes('process.env'))
      .map(({ path }) => path);
    assert.deepEqual(readers, ['core/config.ts']);
  });

  it('ends the process in core/main.ts and on a second Ctrl-C only', () => {
    const enders = files
      .filter(({ path, text }) => !inside(path, 'test') && !inside(path, 'bench') && text.includes('process.exit('))
      .map(({ path }) => path);
    assert.deepEqual(enders.sort(), ['core/cli.ts', 'core/main.ts']);
  });
});
