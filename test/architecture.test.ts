// The rooms of src/ and the arrows between them, as the design draws them; and what only one room may do.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ATTRIBUTES } from '../src/geometry/mesh/attributes.ts';

const SRC = resolve(import.meta.dirname, '../src');

/** Which rooms a room may import, besides itself and diagnostics, which is open to all but the command line. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  cli: ['index.ts'],
  'index.ts': ['bytes', 'library', 'config', 'cook', 'output', 'importers', 'scene'],
  library: [
    'bytes',
    'config',
    'cook',
    'workers',
    'output',
    'formats',
    'importers',
    'raster',
    'textures',
    'viewer',
    'engine',
    'scene',
  ],
  viewer: ['bytes', 'textures', 'formats', 'raster', 'kernel', 'engine', 'scene'],
  cook: [
    'bytes',
    'config',
    'workers',
    'importers',
    'animation',
    'tiling',
    'geometry',
    'textures',
    'formats',
    'output',
    'raster',
    'zone',
    'engine',
    'scene',
  ],
  config: ['bytes', 'importers', 'tiling', 'textures', 'formats', 'engine', 'scene'],
  workers: ['zone', 'raster', 'kernel', 'geometry', 'textures', 'formats', 'tiling', 'output', 'engine', 'scene'],
  output: ['bytes', 'formats', 'tiling', 'scene'],
  formats: ['bytes', 'kernel', 'geometry', 'textures', 'tiling', 'engine', 'scene'],
  animation: ['scene'],
  geometry: ['kernel', 'scene'],
  zone: ['kernel', 'geometry', 'scene'],
  kernel: [],
  textures: ['kernel', 'bytes', 'engine', 'scene'],
  raster: ['kernel', 'scene'],
  tiling: ['engine', 'scene'],
  importers: ['formats', 'textures', 'kernel', 'bytes', 'scene'],
  engine: [],
  bytes: [],
  scene: [],
  diagnostics: [],
};

/**
 * What a folder below importers/usd may import of importers/usd besides itself. The readers of layers do not know of
 * composition, and composition does not know of geometry. A file follows the rule of the deepest folder named here.
 */
const USD_ARROWS: Readonly<Record<string, readonly string[]>> = {
  crate: ['layer.ts'],
  'crate/coding': ['crate/fault.ts'],
  text: ['layer.ts'],
  'text/values': ['layer.ts', 'text/cursor.ts'],
  compose: ['layer.ts'],
  'compose/values': ['layer.ts'],
  'compose/namespace': ['layer.ts', 'compose/findings.ts'],
  'compose/layers': ['layer.ts', 'compose/findings.ts', 'compose/limits.ts', 'compose/namespace', 'compose/values'],
  'compose/index': [
    'layer.ts',
    'compose/findings.ts',
    'compose/limits.ts',
    'compose/namespace',
    'compose/values',
    'compose/layers',
  ],
  'shade/network': ['layer.ts', 'notes.ts', 'compose/stage', 'compose/values'],
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => file.split(sep).join('/'))
  .sort();

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:type\s)?(?:[^'";]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/g;

interface Import {
  /** Relative to src/ for our own files, else the package's name. */
  readonly to: string;
  readonly own: boolean;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function importsOf(file: string): Import[] {
  const text = withoutComments(readFileSync(join(SRC, file), 'utf8'));
  return [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2];
    const own = name.startsWith('.');
    const to = own
      ? relative(SRC, resolve(SRC, dirname(file), name))
          .split(sep)
          .join('/')
      : name;
    return { to, own };
  });
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
/** The room of a file; a file of src/ itself is a room of its own. */
const room = (file: string) => file.split('/')[0];

/** The strongly connected components of more than one file (Tarjan 1972), each sorted, in order of their first files. */
function cycles(): string[][] {
  const found: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): void => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    open.push(file);
    for (const { to, own } of imports.get(file) ?? []) {
      if (!own || !imports.has(to)) continue;
      if (!numbers.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== number) return;
    const component = open.splice(open.indexOf(file)).sort();
    if (component.length > 1) found.push(component);
  };
  for (const file of files) if (!numbers.has(file)) visit(file);
  return found.sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

describe('imports', () => {
  test('are found at all', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.get('cli/main.ts')?.map((i) => i.to)).toEqual([
      'cli/terminal/host.ts',
      'cli/version.ts',
      'cli/commands/program.ts',
    ]);
    expect(imports.get('diagnostics/policy.ts')?.map((i) => i.to)).toEqual(['diagnostics/diagnostic.ts']);
  });

  test('lead to files that exist, with their extension', () => {
    const known = new Set(files);
    const dangling = files.flatMap((file) =>
      imports
        .get(file)!
        .filter((i) => i.own && !known.has(i.to))
        .map((i) => `${file} -> ${i.to}`),
    );
    expect(dangling).toEqual([]);
  });

  test('run along the arrows only', () => {
    const against = files.flatMap((file) => {
      const from = room(file);
      const allowed = ARROWS[from] ?? [];
      return imports
        .get(file)!
        .filter((i) => i.own && ![from, ...(from === 'cli' ? [] : ['diagnostics']), ...allowed].includes(room(i.to)))
        .map((i) => `${file} -> ${i.to}`);
    });
    expect(against).toEqual([]);
    expect(Object.keys(ARROWS).sort()).toEqual([...new Set(files.map(room))].sort());
  });

  test('are the ones that the table of docs/architecture.md lists', () => {
    const text = readFileSync(resolve(SRC, '../docs/architecture.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z.]+?)\/?` \|.*\| ([^|]*) \|$/gm)].map(([, name, list]) => [name, list]);
    const arrows = Object.entries(ARROWS).map(([name, list]) => [name, list.join(', ') || 'nothing']);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(arrows));
  });

  test('docs/architecture.md names each kind of interpolation at a cut', () => {
    const text = readFileSync(resolve(SRC, '../docs/architecture.md'), 'utf8');
    const [, count, said] = /`geometry\/cut` knows (\w+) kinds of\s+interpolation([\s\S]*?)A fourth/.exec(text) ?? [];
    const kinds = new Set(Object.values(ATTRIBUTES).map(({ cut }) => cut));
    expect(count).toBe('three');
    expect([...(said ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual([...kinds].sort());
  });

  test('keep the readers of layers, composition and geometry of USD apart', () => {
    const prefix = 'importers/usd/';
    const against = files
      .filter((file) => file.startsWith(prefix))
      .flatMap((file) => {
        const own = file.slice(prefix.length);
        const folders = Object.keys(USD_ARROWS).filter((folder) => own.startsWith(`${folder}/`));
        const folder = folders.sort((a, b) => b.length - a.length)[0];
        if (folder === undefined) return [];
        const isAllowed = (to: string) =>
          [folder, ...USD_ARROWS[folder]].some((allowed) => to === allowed || to.startsWith(`${allowed}/`));
        return imports
          .get(file)!
          .filter((i) => i.own && i.to.startsWith(prefix))
          .map((i) => i.to.slice(prefix.length))
          .filter((to) => !isAllowed(to))
          .map((to) => `${file} -> ${to}`);
      });
    expect(against).toEqual([]);
  });

  test('of the spine of a cook lead to nothing that stands around it', () => {
    const around = (file: string) => /^cook\/(kept|sideBySide|merge|cookSource\.ts|outcome\.ts)/.test(file);
    const against = files
      .filter((file) => file.startsWith('cook/') && !around(file))
      .flatMap((file) =>
        imports
          .get(file)!
          .filter((i) => around(i.to))
          .map((i) => `${file} -> ${i.to}`),
      );
    expect(against).toEqual([]);
  });

  test('of the steps of a cook lead to the interface of outputs alone, and no step asks for their kind', () => {
    const steps = files.filter((file) => file.startsWith('cook/steps/'));
    expect(steps.length).toBeGreaterThan(10);
    const against = steps.flatMap((file) =>
      imports
        .get(file)!
        .filter((i) => i.to.startsWith('cook/outputs/') && i.to !== 'cook/outputs/output.ts')
        .map((i) => `${file} -> ${i.to}`),
    );
    expect(against).toEqual([]);
    const asking = steps.filter((file) =>
      /target\.kind|isPack|\bassembly\b/.test(withoutComments(readFileSync(join(SRC, file), 'utf8'))),
    );
    expect(asking).toEqual([]);
  });

  test('have no cycles, type imports included', () => {
    expect(cycles()).toEqual([]);
  });

  test('of the engine and of bytes need nothing of ours', () => {
    const own = files
      .filter((file) => ['engine', 'bytes'].includes(room(file)))
      .flatMap((file) =>
        imports
          .get(file)!
          .filter((i) => room(i.to) !== room(file) && (i.own || room(file) === 'engine'))
          .map((i) => `${file} -> ${i.to}`),
      );
    expect(own).toEqual([]);
  });

  test('of the scene and of diagnostics need no package and no system', () => {
    const packages = files
      .filter((file) => ['scene', 'diagnostics'].includes(room(file)))
      .flatMap((file) =>
        imports
          .get(file)!
          .filter((i) => !i.own)
          .map((i) => `${file} -> ${i.to}`),
      );
    expect(packages).toEqual([]);
  });
});

test('the rooms of the library and of configuration have no cycles, even of types', () => {
  const mine = (file: string) => ['cli', 'index.ts', 'library', 'config'].includes(room(file));
  const done = new Set<string>();
  const cycles: string[] = [];
  const open: string[] = [];
  const visit = (file: string): void => {
    if (done.has(file)) return;
    const at = open.indexOf(file);
    if (at >= 0) {
      cycles.push([...open.slice(at), file].join(' -> '));
      return;
    }
    open.push(file);
    for (const i of imports.get(file) ?? []) if (i.own && mine(i.to)) visit(i.to);
    open.pop();
    done.add(file);
  };
  files.filter(mine).forEach(visit);
  expect(cycles).toEqual([]);
});

test('a cook that finds nothing changed loads nothing that cooks', () => {
  const reached = new Set([
    'cli/commands/cook.ts',
    'library/cook.ts',
    'cook/kept/cookRecord.ts',
    'output/cache/cache.ts',
  ]);
  for (const file of reached) {
    const text = withoutComments(readFileSync(join(SRC, file), 'utf8'));
    for (const [statement, to] of text.matchAll(/^(?:import|export)\b[^;']*?from '(\.[^']+)';$/gm)) {
      if (!/^\w+ type\b/.test(statement))
        reached.add(relative(SRC, resolve(SRC, dirname(file), to)).replaceAll(sep, '/'));
    }
  }
  const cooking = /^(?:workers|raster|zone|cook\/(?:steps|zone|outputs\/tileSet))\/|output\/outputSet/;
  expect([...reached].filter((file) => cooking.test(file))).toEqual([]);
  expect(reached.size).toBeGreaterThan(100);
});

test('nothing but the start of the command line reads, writes or ends the process', () => {
  const touching = files.filter((file) => {
    const text = withoutComments(readFileSync(join(SRC, file), 'utf8'));
    return /\bconsole\.|process\.(env|cwd|argv|std\w+|exit|exitCode|abort|on|once|\w+Listener|chdir|umask|title|emitWarning)\b/.test(
      text,
    );
  });
  // Threads look for the program again, which is of the process: they get no environment of a call.
  expect(touching).toEqual(['textures/encode/astcenc.ts']);
});
