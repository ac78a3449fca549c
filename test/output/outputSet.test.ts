import { spawnSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/bytes/sha256.ts';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { keepsOrder } from '../../src/output/ordered.ts';
import { OutputSet } from '../../src/output/outputSet.ts';
import { FolderSyncs, MAX_HELD } from '../../src/output/syncs.ts';

const text = (s: string) => new TextEncoder().encode(s);
let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'untold-output-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = (earlier: Record<string, string | null> = {}, force = false) =>
  OutputSet.open({ base, main: 'city.json', earlier: () => new Map(Object.entries(earlier)), force });

function codesOf(action: () => void): string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics.map((d) => d.code);
    throw error;
  }
  return [];
}

function inOwnProcess(body: string) {
  const module = new URL('../../src/output/outputSet.ts', import.meta.url).href;
  const openSets = new URL('../../src/output/openSets.ts', import.meta.url).href;
  const program = `import { OutputSet } from ${JSON.stringify(module)};
    import { discardUnfinished } from ${JSON.stringify(openSets)};${body}`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

/** Counts the calls of fs.fsync from now on until the answer is asked for. */
function countFolderSyncs(): () => number {
  const { fsync } = fs;
  let calls = 0;
  const counted = ((fd, done) => {
    // Files of other sets may still be on their way to the disk.
    if (fs.fstatSync(fd).isDirectory()) calls++;
    fsync(fd, done);
  }) as typeof fsync;
  Object.assign(fs, { fsync: counted });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { fsync });
    syncBuiltinESMExports();
    return calls;
  };
}

describe('OutputSet', () => {
  it('shows nothing before commit and everything after', () => {
    const set = open();
    set.write('city/a.untold', text('a'));
    set.write('city.json', text('{}'));
    expect(existsSync(join(base, 'city'))).toBe(false);
    expect(existsSync(join(base, 'city.json'))).toBe(false);
    set.commit();
    expect(readdirSync(base).sort()).toEqual(['city', 'city.json']);
    expect(readFileSync(join(base, 'city/a.untold'), 'utf8')).toBe('a');
  });

  it.each(['../city.json', '/etc/passwd', 'a/../../b', 'a//b', 'a\\b', '', '.', 'a\0b'])(
    'has no place for %j',
    (path) => {
      const set = open();
      expect(() => set.write(path, new Uint8Array(1))).toThrow('no place');
      set.discard();
      expect(readdirSync(base)).toEqual([]);
    },
  );

  it('gives the SHA-256 of what it wrote', () => {
    const set = open();
    expect(set.write('city.json', text('abc')).sha256).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    set.discard();
    expect(readdirSync(base)).toEqual([]);
  });

  it('removes the folders that it made when nothing is committed', () => {
    const set = OutputSet.open({ base: join(base, 'x/y'), main: 'city.json', earlier: () => new Map(), force: false });
    set.write('city.json', text('{}'));
    set.discard();
    expect(readdirSync(base)).toEqual([]);
  });

  it('replaces and removes only what the earlier set lists', () => {
    mkdirSync(join(base, 'city/Textures'), { recursive: true });
    writeFileSync(join(base, 'city.json'), 'old');
    writeFileSync(join(base, 'city/a.untold'), 'old a');
    writeFileSync(join(base, 'city/Textures/gone.png'), 'old texture');
    writeFileSync(join(base, 'city/notes.txt'), 'mine');
    writeFileSync(join(base, 'city/edited.png'), 'edited by hand');
    const set = open({
      'city.json': null,
      'city/a.untold': 'changed since',
      'city/Textures/gone.png': sha256Hex(text('old texture')),
      'city/edited.png': sha256Hex(text('as it was written')),
    });
    set.write('city/a.untold', text('new a'));
    set.write('city.json', text('new'));
    set.commit();
    expect(readFileSync(join(base, 'city/a.untold'), 'utf8')).toBe('new a');
    expect(readFileSync(join(base, 'city/notes.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(join(base, 'city')).sort()).toEqual(['a.untold', 'edited.png', 'notes.txt']);
  });

  it('refuses a foreign file, changes nothing, and takes it with force', () => {
    mkdirSync(join(base, 'city'));
    writeFileSync(join(base, 'city/a.untold'), 'foreign');
    for (const force of [false, true]) {
      const set = open({}, force);
      set.write('city/a.untold', text('ours'));
      set.write('city.json', text('{}'));
      if (force) {
        set.commit();
        expect(readFileSync(join(base, 'city/a.untold'), 'utf8')).toBe('ours');
      } else {
        expect(codesOf(() => set.commit())).toEqual(['UC4001']);
        set.discard();
        expect(readFileSync(join(base, 'city/a.untold'), 'utf8')).toBe('foreign');
        expect(readdirSync(base)).toEqual(['city']);
      }
    }
  });

  it('takes a file of the same content for its own', () => {
    mkdirSync(join(base, 'Textures'));
    writeFileSync(join(base, 'Textures/a.png'), 'same');
    const set = open();
    set.write('Textures/a.png', text('same'));
    set.write('city.json', text('{}'));
    set.commit();
    expect(readdirSync(base).sort()).toEqual(['Textures', 'city.json']);
  });

  it('refuses a file where a folder is needed, even with force', () => {
    writeFileSync(join(base, 'city'), 'a file');
    const set = open({}, true);
    set.write('city/a.untold', text('ours'));
    set.write('city.json', text('{}'));
    expect(codesOf(() => set.commit())).toEqual(['UC4001']);
    set.discard();
    expect(readFileSync(join(base, 'city'), 'utf8')).toBe('a file');
  });

  it('neither writes nor removes through a symbolic link', () => {
    mkdirSync(join(base, 'outside'));
    mkdirSync(join(base, 'city'));
    writeFileSync(join(base, 'outside/victim.txt'), 'keep');
    symlinkSync('../outside', join(base, 'city/link'));
    const removing = open({ 'city/link/victim.txt': sha256Hex(text('keep')) });
    removing.write('city.json', text('{}'));
    removing.commit();
    expect(readdirSync(join(base, 'outside'))).toEqual(['victim.txt']);
    const writing = open({ 'city.json': null }, true);
    writing.write('city/link/tile.untold', text('x'));
    writing.write('city.json', text('{}'));
    expect(codesOf(() => writing.commit())).toEqual(['UC4001']);
    writing.discard();
    expect(readdirSync(join(base, 'outside'))).toEqual(['victim.txt']);
  });

  it.each(['by its hash', 'by its bytes'])('notices a file that does not read back as written, %s', async (how) => {
    for (const found of ['[]', '{', '{}{}']) {
      const set = open();
      const bytes = text('{}');
      set.write('city.json', bytes);
      set.write('sound.json', bytes);
      const [staging] = readdirSync(join(base, '.cooking'));
      writeFileSync(join(base, '.cooking', staging, 'new/city.json'), found);
      const written = how === 'by its bytes' ? bytes : null;
      await expect(set.verify('city.json', async () => [], written)).rejects.toMatchObject({
        diagnostics: [{ code: 'UC4002' }],
      });
      await set.verify('sound.json', async () => [], written);
      set.discard();
    }
  });

  it('reads large files back into the same memory, and notices what differs', () => {
    const set = open();
    const files = new Map(
      ['b', 'aaa', 'cc', 'd'].map((content) => [`city/${content}.bin`, text(content.repeat(1000))]),
    );
    for (const [path, bytes] of files) set.write(path, bytes);
    const buffers: unknown[] = [];
    for (const [path, bytes] of files) {
      set.verifyLarge(path, (stored) => {
        expect(stored).toEqual(bytes);
        buffers.push(stored.buffer);
        return [];
      });
    }
    expect(buffers).toHaveLength(4);
    expect(buffers[2]).toBe(buffers[1]);
    expect(buffers[3]).toBe(buffers[1]);
    // Once: later calls do nothing.
    set.verifyLarge('city/b.bin', () => expect.fail());
    const [staging] = readdirSync(join(base, '.cooking'));
    for (const found of ['x'.repeat(5), 'xx', 'x']) {
      set.write(`city/${found}.bin`, text('xxxx'));
      writeFileSync(join(base, '.cooking', staging, `new/city/${found}.bin`), found);
      expect(() => set.verifyLarge(`city/${found}.bin`)).toThrow(
        expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'UC4002' })] }),
      );
    }
    set.discard();
  });

  it.skipIf(process.platform !== 'linux')('syncs many files while others are written, and moves all of them in', () => {
    const before = readdirSync('/proc/self/fd').length;
    const set = open();
    for (let i = 0; i < 200; i++) set.write(`city/tile_${i}.untold`, text(`tile ${i}`));
    set.write('city.json', text('{}'));
    set.commit();
    expect(readdirSync(join(base, 'city'))).toHaveLength(200);
    // Nothing of what waited to be synced stays open but what is being synced.
    expect(readdirSync('/proc/self/fd').length - before).toBeLessThanOrEqual(2);
  });

  // In a process of its own: a call that never returns would take the test runner with it.
  it.skipIf(process.platform !== 'linux')('is refused where the system makes no folder, at once', () => {
    const ran = inOwnProcess(`
      try {
        OutputSet.open({ base: '/proc/untold/x', main: 'city.json', earlier: () => new Map(), force: false });
      } catch (error) {
        console.log(error.diagnostics.map((d) => d.code).join());
      }`);
    expect([ran.signal, ran.stdout]).toEqual([null, 'UC4000\n']);
  });

  it('leaves nothing of itself when a process that discards unfinished sets ends on the way', () => {
    const ran = inOwnProcess(`
      process.on('exit', discardUnfinished);
      const base = ${JSON.stringify(join(base, 'x/y'))};
      const set = OutputSet.open({ base, main: 'city.json', earlier: () => new Map(), force: false });
      set.write('city.json', new Uint8Array(4));
      process.exit(130);`);
    expect(ran.status).toBe(130);
    expect(readdirSync(base)).toEqual([]);
  });

  it('clears stages that other cooks of the set have left, and none of other sets', () => {
    mkdirSync(join(base, '.cooking/city.json.cooking-999999999/new'), { recursive: true });
    mkdirSync(join(base, '.cooking/town.json.cooking-0'));
    const set = open();
    expect(readdirSync(join(base, '.cooking')).length).toBe(2);
    set.discard();
    expect(readdirSync(base)).toEqual(['.cooking']);
    expect(readdirSync(join(base, '.cooking'))).toEqual(['town.json.cooking-0']);
  });

  it('shares the last sync with the sets that are committed meanwhile, and holds their locks until then', async () => {
    const folders = new FolderSyncs();
    const ends = ['a', 'b', 'c'].map((name) => {
      const set = OutputSet.open({ base, main: `${name}.json`, earlier: () => new Map(), force: false });
      set.write(`${name}/x.untold`, text(name));
      set.write(`${name}.json`, text('{}'));
      return set.commitTogether(folders);
    });
    const sets = ['a', 'a.json', 'b', 'b.json', 'c', 'c.json'];
    const locks = ['.a.json.lock', '.b.json.lock', '.c.json.lock'];
    expect(readdirSync(base).sort()).toEqual([...locks, '.cooking', ...sets].sort());
    const synced = countFolderSyncs();
    folders.flush();
    expect(await Promise.all(ends)).toEqual([[], [], []]);
    // Where renames keep their order, the sync of the folder of all main files covers those below it.
    expect(synced()).toBe(keepsOrder(base) ? 1 : 4);
    expect(readdirSync(base).sort()).toEqual(sets);
  });

  it('syncs a folder once for as many sets as may wait for it, and again for the next', async () => {
    const synced = countFolderSyncs();
    const folders = new FolderSyncs();
    const ends = Array.from({ length: 2 * MAX_HELD + 1 }, () => folders.sync(base));
    folders.end();
    await Promise.all(ends);
    expect(synced()).toBe(3);
    // So 1,000 small sets, with two syncs each for their files, take 2.00 each.
    expect(MAX_HELD).toBeGreaterThanOrEqual(200);
  });

  it('waits in the end for the sets whose own files are not synced yet, also for one that fails', async () => {
    const synced = countFolderSyncs();
    const folders = new FolderSyncs();
    for (let i = 0; i < 4; i++) folders.expect();
    const ends: Promise<void>[] = [];
    const arrive = () => {
      ends.push(folders.sync(base));
      folders.arrive();
    };
    arrive();
    folders.end();
    arrive();
    folders.arrive();
    arrive();
    await Promise.all(ends);
    expect(synced()).toBe(1);
    await folders.sync(base);
  });

  it('finishes a set that was moved in when its cook is interrupted while it waits for the last sync', async () => {
    const moved = open();
    moved.write('city/a.untold', text('a'));
    moved.write('city.json', text('{}'));
    const folders = new FolderSyncs();
    const end = moved.commitTogether(folders);
    moved.discard();
    folders.end();
    expect(await end).toEqual([]);
    expect(readdirSync(join(base, 'city'))).toEqual(['a.untold']);
    expect(readdirSync(base).sort()).toEqual(['city', 'city.json']);
  });

  it('moves files for people in after the main file, which does not list them', () => {
    const set = open();
    set.write('city/a.untold', text('a'));
    set.writeBeside('city.plan.svg', text('<svg/>'));
    set.write('city.json', text('{}'));
    expect(set.listed.map(({ path }) => path)).toEqual(['city/a.untold']);
    expect(set.files.map(({ path }) => path)).toEqual(['city/a.untold', 'city.plan.svg', 'city.json']);
    expect(set.commit()).toEqual([]);
    expect(readFileSync(join(base, 'city.plan.svg'), 'utf8')).toBe('<svg/>');
  });

  it('says which folder cannot be made', () => {
    writeFileSync(join(base, 'file'), '');
    expect(
      codesOf(() => OutputSet.open({ base: join(base, 'file/x'), main: 'm', earlier: () => new Map(), force: false })),
    ).toEqual(['UC4000']);
  });
});

describe('bytes that wait for their paths', () => {
  /** More than stay in memory. */
  const large = (byte: number) => new Uint8Array(17e6).fill(byte);

  it('are moved into the set that names them', () => {
    const set = open();
    const [named, orphans] = [large(1), large(2)];
    expect(set.held.hold(sha256Hex(named), named)).toBe(true);
    expect(set.held.hold(sha256Hex(orphans), orphans)).toBe(true);
    expect(Buffer.compare(set.held.read(sha256Hex(named)), named)).toBe(0);
    set.writeHeld('city/Textures/a.utex', sha256Hex(named));
    expect(Buffer.compare(set.held.read(sha256Hex(named)), named)).toBe(0);
    expect(set.written).toEqual([{ path: 'city/Textures/a.utex', bytes: 17e6, sha256: sha256Hex(named) }]);
    set.write('city.json', text('{}'));
    set.commit();
    expect(Buffer.compare(readFileSync(join(base, 'city/Textures/a.utex')), named)).toBe(0);
    expect(readdirSync(base, { recursive: true }).sort()).toEqual(
      ['city', 'city.json', join('city', 'Textures'), join('city', 'Textures', 'a.utex')].sort(),
    );
  });

  it('stay with the caller while they are few, and leave nothing where the set is given up', () => {
    const set = open();
    expect(set.held.hold(sha256Hex(text('a')), text('a'))).toBe(false);
    expect(() => set.held.read(sha256Hex(text('a')))).toThrow('nothing is held');
    expect(set.held.hold(sha256Hex(large(3)), large(3))).toBe(true);
    set.discard();
    expect(readdirSync(base)).toEqual([]);
  });

  it('are staged once', () => {
    const set = open();
    const bytes = large(4);
    set.held.hold(sha256Hex(bytes), bytes);
    set.writeHeld('a.utex', sha256Hex(bytes));
    expect(() => set.writeHeld('b.utex', sha256Hex(bytes))).toThrow('moved twice');
    set.discard();
  });
});
