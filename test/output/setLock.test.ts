// Who may write a set: rules for the lock of a cook that lives, that is gone, and that nobody here can know.

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { OutputSet } from '../../src/output/outputSet.ts';
import { lockSet } from '../../src/output/setLock.ts';
import { workFolderOf } from '../../src/output/workFolder.ts';

let base: string;
let lock: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'untold-lock-'));
  lock = join(base, '.city.json.lock');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const take = (wait = 0) => lockSet(join(base, 'city.json'), wait);

function refusal(action: () => unknown): { code: string; message: string } | null {
  try {
    action();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const [{ code, message }] = error.diagnostics;
    return { code, message };
  }
  return null;
}

/** What a lock of this process holds, with changes. */
function holder(changes: Readonly<Record<string, unknown>>): string {
  const held = take();
  const text = readFileSync(lock, 'utf8');
  held.release();
  return `${JSON.stringify({ ...JSON.parse(text), ...changes })}\n`;
}

function touched(secondsAgo: number): void {
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(lock, time, time);
}

describe('lockSet', () => {
  it('lets one cook in, names it to the next, and leaves nothing', () => {
    const held = take();
    expect(held.isHeld()).toBe(true);
    expect(refusal(() => take())).toEqual({
      code: 'UC4004',
      message: `this process (${process.pid}) holds .city.json.lock`,
    });
    expect(readdirSync(base)).toEqual(['.city.json.lock']);
    held.release();
    expect(readdirSync(base)).toEqual([]);
    take().release();
  });

  it('locks sets of one folder apart', () => {
    const city = take();
    const town = lockSet(join(base, 'town.json'), 0);
    town.release();
    city.release();
    expect(readdirSync(base)).toEqual([]);
  });

  it('takes over from a process of this host and boot that is gone', () => {
    writeFileSync(lock, holder({ pid: 999_999_999 }));
    const held = take();
    expect(held.isHeld()).toBe(true);
    held.release();
    expect(readdirSync(base)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('knows a process by when it began, for numbers are given out again', () => {
    writeFileSync(lock, holder({ began: '1' }));
    take().release();
    expect(readdirSync(base)).toEqual([]);
  });

  it.each([
    ['host', { host: 'elsewhere', pid: 1 }, 'process 1 on host elsewhere'],
    ['boot', { boot: 'another boot', pid: 999_999_999 }, 'process 999999999 on host'],
    ['process namespace', { namespace: 'pid:[1]', pid: 1 }, 'process 1 on host'],
  ])('believes a heartbeat of the last minute of another %s, and no older one', (_, changes, who) => {
    writeFileSync(lock, holder(changes));
    touched(50);
    expect(refusal(() => take())?.message).toContain(who);
    touched(61);
    const held = take();
    expect(held.isHeld()).toBe(true);
    held.release();
  });

  it('takes over from this very process after a minute without a heartbeat', () => {
    writeFileSync(lock, holder({}));
    touched(61);
    take().release();
    expect(readdirSync(base)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('takes nothing from a process that runs, however long it was silent', () => {
    const sleeper = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const stat = readFileSync(`/proc/${sleeper.pid}/stat`, 'utf8');
    const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    writeFileSync(lock, holder({ pid: sleeper.pid, began }));
    touched(3_600);
    expect(refusal(() => take())?.message).toContain(`process ${sleeper.pid} on host`);
    sleeper.kill();
  });

  it('leaves a lock to the cook that is just removing it, and removes it where that was killed', () => {
    const texts = [{ pid: 999_999_999 }, { host: 'elsewhere' }, { pid: 999_999_998 }].map(holder);
    writeFileSync(lock, texts[0]);
    const breaker = join(workFolderOf(base), 'city.json.lock-breaker');
    mkdirSync(dirname(breaker), { recursive: true });
    writeFileSync(breaker, texts[1]);
    expect(refusal(() => take())?.code).toBe('UC4004');
    writeFileSync(breaker, texts[2]);
    take().release();
    expect(readdirSync(base)).toEqual([]);
  });

  it.each(['', '{', 'null', '{"host":1}', '{"host":"a","token":"b","pid":-1}'])(
    'gives a lock that says nothing (%j) its minute',
    (text) => {
      writeFileSync(lock, text);
      expect(refusal(() => take())).toMatchObject({ message: 'an unknown process holds .city.json.lock' });
      touched(61);
      take().release();
    },
  );

  it('waits for a cook that is about to end, where it is told to', () => {
    writeFileSync(lock, holder({ host: 'elsewhere' }));
    const ending = spawn(process.execPath, ['-e', `setTimeout(() => fs.rmSync(${JSON.stringify(lock)}), 300)`]);
    take(60_000).release();
    expect(readdirSync(base)).toEqual([]);
    ending.kill();
  });

  it('removes what was left by cooks that were killed while they took the lock, and nothing of those that live', () => {
    const [dead, living] = [holder({ pid: 999_999_999 }), holder({})];
    mkdirSync(join(base, '.cooking'));
    writeFileSync(join(base, '.cooking/city.json.lock-0123'), dead);
    writeFileSync(join(base, '.cooking/city.json.lock-4567'), living);
    take().release();
    expect(readdirSync(join(base, '.cooking'))).toEqual(['city.json.lock-4567']);
  });

  it('never removes the lock of whoever took the set over', () => {
    const held = take();
    const other = holderOfOther();
    writeFileSync(lock, other);
    expect(held.isHeld()).toBe(false);
    held.release();
    expect(readFileSync(lock, 'utf8')).toBe(other);
  });
});

const holderOfOther = () =>
  `${JSON.stringify({ host: 'elsewhere', boot: 'b', namespace: '', pid: 1, began: null, token: 't' })}\n`;

describe('OutputSet', () => {
  const open = () => OutputSet.open({ base, main: 'city.json', earlier: () => new Map(), force: false });

  it('holds its lock until it is committed or discarded', () => {
    for (const end of ['commit', 'discard'] as const) {
      const set = open();
      expect(refusal(open)?.code).toBe('UC4004');
      set.write('city.json', new Uint8Array(2));
      set[end]();
      expect(existsSync(lock)).toBe(false);
    }
  });

  it('moves nothing in when another cook has taken the set over', () => {
    const set = open();
    set.write('city/a.untold', new Uint8Array(2));
    set.write('city.json', new Uint8Array(2));
    writeFileSync(lock, holderOfOther());
    expect(refusal(() => set.commit())?.code).toBe('UC4005');
    set.discard();
    expect(readdirSync(base)).toEqual(['.city.json.lock']);
  });
});
