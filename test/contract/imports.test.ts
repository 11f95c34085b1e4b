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

/** Resolves `#core/x.ts` and `./x.ts` to paths from the root, and returns package names unchanged. */
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
/** The composition root, which connects core, plugins and generate. */
const COMPOSITION = ['core/cli.ts'];

describe('source code', () => {
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

  it('is read with the imports of each file', () => {
    assert.ok(files.length > 150);
    assert.ok(files.find(({ path }) => path === 'plugins/keys/index.ts')?.imports.includes('core/plugin.ts'));
  });

  it('imports only core, packages and the list of migrations in core', () => {
    const allowed = ({ path }: SourceFile, target: string): boolean =>
      COMPOSITION.includes(path) ||
      inside(target, 'core') ||
      target === 'migrations/index.ts' ||
      isPackage(target) ||
      target.startsWith('node:');
    assert.deepEqual(breaches(allowed, 'core'), []);
  });

  it('imports only core, its own folder and the index of other plugins in a plugin', () => {
    const allowed = ({ path }: SourceFile, target: string): boolean => {
      const own = path.split('/').slice(0, 2).join('/');
      const isIndex = /^plugins\/[a-z]+\/index\.ts$/.test(target);
      // The report reader process has no database, so it imports the pure modules of the book instead of the plugin.
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

  it('declares every plugin that a plugin imports as a dependency', () => {
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

  it('imports only core and generate in generate, no project code in migrations, and test only in test', () => {
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

  it('imports each restricted package only in the folder that owns it', () => {
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

  it('calls process.exit only in core/cli.ts and core/main.ts', () => {
    const enders = files
      .filter(({ path, text }) => !inside(path, 'test') && !inside(path, 'bench') && text.includes('process.exit('))
      .map(({ path }) => path);
    assert.deepEqual(enders.sort(), ['core/cli.ts', 'core/main.ts']);
  });
});
