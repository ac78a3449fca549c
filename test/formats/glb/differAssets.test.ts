// Every glTF of the shared assets: what the GLB of it has otherwise, by an independent reader, is what the table lists.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untold } from '../../support/command.ts';
import { differencesOf, reader } from './differ.ts';
import { issuesOf } from './khronos.ts';

const ASSETS = resolve(import.meta.dirname, '../../../../shared/assets/gltf');
const sources = existsSync(ASSETS)
  ? readdirSync(ASSETS, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(gltf|glb)$/.test(name))
      .sort()
  : [];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-assets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(sources.length === 0)(
  `${sources.length || 'no'} files of shared/assets/gltf are the same as GLB`,
  async () => {
    const pattern = join(folder, '{name}.glb');
    const all = sources.map((name) => join(ASSETS, name));
    const { code, stderr } = await untold(folder, ['cook', ...all, '--out-each', pattern]);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const io = await reader();
    const found: Record<string, unknown> = {};
    const listed = new Set<string>();
    for (const source of all) {
      const file = join(folder, basename(source).replace(/\.[^.]*$/, '.glb'));
      const { table, others } = differencesOf(await io.read(source), await io.read(file));
      const issues = [...(await issuesOf(readFileSync(file))).values()];
      for (const one of table) listed.add(one);
      if (others.length + issues.length > 0) found[basename(source)] = [...others, ...issues];
    }
    expect(found).toEqual({});
    expect([...listed]).toEqual(['equal meshes are one, with the name of the first']);
  },
);
