// Each feature of glTF in a small scene: what the GLB of it has otherwise, by an independent reader, is what the table lists; what
// is lost has its code; and the validator of the Khronos Group finds nothing that it does not find in the source.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGlb } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { DIFFERENCES, differencesOf, reader } from './differ.ts';
import { SCENES } from './differScenes.ts';
import { issuesOf } from './khronos.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-differ-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('docs/formats.md lists every difference with its code', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/formats.md'), 'utf8');
  const [, section = ''] = /^### GLB of glTF$([\s\S]*?)^### /m.exec(text) ?? [];
  const missing = Object.entries(DIFFERENCES).filter(
    ([words, code]) => !section.includes(words) || (code !== null && !section.includes(code)),
  );
  expect(missing).toEqual([]);
});

for (const [name, { scene, edit, differs = [] }] of Object.entries(SCENES)) {
  test(name, async () => {
    const stem = name.replace(/\W+/g, '-');
    const [from, to] = [join(folder, `${stem}.glb`), join(folder, `${stem}.out.glb`)];
    writeFileSync(from, buildGlb(scene, edit));
    const { code, stderr, stdout } = await untold(folder, ['cook', from, '--out', to, '--verbose']);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const io = await reader();
    const { table, others } = differencesOf(await io.read(from), await io.read(to));
    expect(others).toEqual([]);
    expect([...table].sort()).toEqual([...differs].sort());
    for (const one of differs) {
      const said = DIFFERENCES[one];
      if (said !== null) expect(stdout + stderr).toContain(said);
    }
    const [theirs, ours] = [await issuesOf(readFileSync(from)), await issuesOf(readFileSync(to))];
    expect([...ours].filter(([issue]) => !theirs.has(issue))).toEqual([]);
  });
}
