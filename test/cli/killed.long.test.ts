// Cooks that are killed for real, at each rename over an existing set: `untold validate` finds the old or the new set whole
// before any other cook, and the next cook succeeds and leaves no litter.

import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ends the process with SIGKILL instead of the rename (of a set's file, or of the lock) with the number in KILL_AT. */
const KILLER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
const rename = fs.renameSync;
let renames = 0;
fs.renameSync = (from, to) => {
  if (isMainThread && ++renames === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL');
  rename(from, to);
};
syncBuiltinESMExports();
`;

function cookKilledAt(rename: number, args: readonly string[]): { killed: boolean; code: number | null } {
  const killer = pathToFileURL(put(folder, 'killer.mjs', KILLER)).href;
  const { signal, status } = spawnSync(process.execPath, ['--import', killer, BIN, ...args], {
    cwd: folder,
    env: environment({ KILL_AT: String(rename) }),
  });
  return { killed: signal === 'SIGKILL', code: status };
}

/** Three squares far apart, on tiles of their own, and a texture. */
function scene(size: number): string {
  const gltf = JSON.parse(squareGltf({ size, image: 'red.png' })) as { scenes: { nodes: number[] }[] };
  gltf.scenes[0].nodes = [0, 1, 2];
  return JSON.stringify(gltf);
}

describe.each([
  ['a set of tiles', ['--out', 'tiles']],
  ['a set of tiles that shares its textures', ['--out', 'tiles', '--share-textures']],
  ['a single file', ['--out', 'tiles/town.untold']],
])('%s', (_, out) => {
  test('stands whole when the cook is killed at any rename, and the next cook leaves no litter', async () => {
    put(folder, 'red.png', RED_PNG);
    put(folder, 'town.gltf', scene(1));
    expect((await untold(folder, ['cook', 'town.gltf', ...out])).code).toBe(0);
    cpSync(join(folder, 'tiles'), join(folder, 'old'), { recursive: true });
    const old = contents(join(folder, 'old'));
    put(folder, 'town.gltf', scene(2));
    const fresh = out.map((word) => word.replace('tiles', 'fresh'));
    expect((await untold(folder, ['cook', 'town.gltf', ...fresh])).code).toBe(0);
    const wanted = contents(join(folder, 'fresh'));

    let at = 1;
    for (; ; at++) {
      rmSync(join(folder, 'tiles'), { recursive: true });
      cpSync(join(folder, 'old'), join(folder, 'tiles'), { recursive: true });
      const { killed, code } = cookKilledAt(at, ['cook', 'town.gltf', ...out]);
      if (!killed) {
        expect(code).toBe(0);
        break;
      }
      const main = out[1].includes('/') ? 'town.untold' : 'town.json';
      const found = await untold(folder, ['validate', '--strict', `tiles/${main}`]);
      expect([at, found.code, found.stderr]).toEqual([at, 0, expect.stringMatching(/valid\n$/)]);
      expect([old[main], wanted[main]]).toContain(contents(join(folder, 'tiles'))[main]);
      const next = await untold(folder, ['cook', 'town.gltf', ...out]);
      expect([at, next.code]).toEqual([at, 0]);
      expect(contents(join(folder, 'tiles'))).toEqual(wanted);
    }
    // The journal, at least one payload, and the main file.
    expect(at).toBeGreaterThan(3);
    expect(contents(join(folder, 'tiles'))).toEqual(wanted);
  });

  test('that another cook writes ends the second with exit code 3 and names the first', async () => {
    put(folder, 'red.png', RED_PNG);
    put(folder, 'town.gltf', scene(1));
    const main = out[1].includes('/') ? 'town.untold' : 'town.json';
    const holder = { host: 'builder-7', boot: 'b', namespace: '', pid: 1, began: null, token: 't' };
    const lock = put(folder, `tiles/.${main}.lock`, `${JSON.stringify(holder)}\n`);
    const ran = await untold(folder, ['cook', 'town.gltf', ...out, '--lock-timeout', '0.3']);
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('UC4004')]);
    expect(ran.stderr).toMatch(/process 1 on host builder-7 holds \S+: waiting/);
    expect(ran.stderr).toContain('process 1 on host builder-7');
    expect(filesBelow(join(folder, 'tiles'))).toEqual([`.${main}.lock`]);
    rmSync(lock);
    expect((await untold(folder, ['cook', 'town.gltf', ...out])).code).toBe(0);
    expect(filesBelow(join(folder, 'tiles')).filter((path) => path.startsWith('.'))).toEqual([]);
  });
});

describe('parts of a set that two machines cook', () => {
  const part = (index: number) => ['cook', 'town.gltf', '--out', `part${index}`, '--shard', `${index}/2`];
  const merge = ['merge', 'part0', 'part1', '--out', 'tiles'];

  /** Cooks the set of a scene as a whole, and gives its files. */
  async function whole(size: number, out: string): Promise<Record<string, string>> {
    put(folder, 'town.gltf', scene(size));
    expect((await untold(folder, ['cook', 'town.gltf', '--out', out])).code).toBe(0);
    return contents(join(folder, out));
  }

  test('a merge that is killed at any rename leaves the earlier set or the new one, and the next merge is whole', async () => {
    put(folder, 'red.png', RED_PNG);
    const old = await whole(1, 'old');
    const wanted = await whole(2, 'fresh');
    for (const index of [0, 1]) expect((await untold(folder, part(index))).code).toBe(0);
    let at = 1;
    for (; ; at++) {
      rmSync(join(folder, 'tiles'), { recursive: true, force: true });
      cpSync(join(folder, 'old'), join(folder, 'tiles'), { recursive: true });
      const { killed, code } = cookKilledAt(at, merge);
      if (!killed) {
        expect(code).toBe(0);
        break;
      }
      const found = await untold(folder, ['validate', '--strict', 'tiles/town.json']);
      expect([at, found.code, found.stderr]).toEqual([at, 0, expect.stringMatching(/valid\n$/)]);
      expect([old['town.json'], wanted['town.json']]).toContain(contents(join(folder, 'tiles'))['town.json']);
      expect([at, (await untold(folder, merge)).code]).toEqual([at, 0]);
      expect(contents(join(folder, 'tiles'))).toEqual(wanted);
    }
    expect(at).toBeGreaterThan(3);
    expect(contents(join(folder, 'tiles'))).toEqual(wanted);
  });

  test('a part whose cook is killed at any rename is never a set, merges as it was or not at all, and is whole again', async () => {
    put(folder, 'red.png', RED_PNG);
    const wanted = await whole(2, 'fresh');
    put(folder, 'town.gltf', scene(1));
    expect((await untold(folder, part(0))).code).toBe(0);
    cpSync(join(folder, 'part0'), join(folder, 'before'), { recursive: true });
    put(folder, 'town.gltf', scene(2));
    expect((await untold(folder, part(1))).code).toBe(0);
    let at = 1;
    for (; ; at++) {
      rmSync(join(folder, 'part0'), { recursive: true });
      cpSync(join(folder, 'before'), join(folder, 'part0'), { recursive: true });
      const { killed, code } = cookKilledAt(at, part(0));
      if (!killed) {
        expect(code).toBe(0);
        break;
      }
      expect([at, (await untold(folder, ['validate', 'part0'])).code]).not.toEqual([at, 0]);
      rmSync(join(folder, 'tiles'), { recursive: true, force: true });
      // The part of the earlier scene does not go with the other one; that of the new scene does.
      if ((await untold(folder, merge)).code === 0) expect(contents(join(folder, 'tiles'))).toEqual(wanted);
      expect([at, (await untold(folder, part(0))).code]).toEqual([at, 0]);
      rmSync(join(folder, 'tiles'), { recursive: true, force: true });
      expect([at, (await untold(folder, merge)).code]).toEqual([at, 0]);
      expect(contents(join(folder, 'tiles'))).toEqual(wanted);
    }
    expect(at).toBeGreaterThan(3);
  });
});

test('many sources side by side: each set stands whole or not at all when the command is killed', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) put(folder, `sources/${name}.gltf`, squareGltf());
  expect((await untold(folder, ['cook', 'sources', '--out', 'fresh'])).code).toBe(0);
  const wanted = contents(join(folder, 'fresh'));
  // Each set takes four renames: journal, folder of payloads, manifest, plan map.
  for (const at of [2, 7, 11, 16, 24]) {
    rmSync(join(folder, 'tiles'), { recursive: true, force: true });
    expect(cookKilledAt(at, ['cook', 'sources', '--out', 'tiles']).killed).toBe(true);
    const manifests = readdirSync(join(folder, 'tiles')).filter((name) => /^[a-f]\.json$/.test(name));
    for (const manifest of manifests) {
      const found = await untold(folder, ['validate', '--strict', `tiles/${manifest}`]);
      expect([at, found.code, found.stderr]).toEqual([at, 0, expect.stringMatching(/valid\n$/)]);
    }
    expect((await untold(folder, ['cook', 'sources', '--out', 'tiles'])).code).toBe(0);
    expect(contents(join(folder, 'tiles'))).toEqual(wanted);
    expect(readdirSync(join(folder, 'tiles')).filter((name) => name.startsWith('.'))).toEqual([]);
  }
});
