// The completion scripts: that of bash runs, if there is a bash; the others are compared with the table of options.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/commandTable.ts';
import { COMMAND_OPTIONS } from '../../src/index.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';

let folder: string;
const scripts = new Map<string, string>();

beforeAll(async () => {
  folder = temporaryFolder();
  for (const name of [
    'my art/a b.glb',
    'my art/notes.txt',
    'x.usda',
    'y.json',
    'z.sarif',
    't.untold',
    'k.untoldpack',
    '*.txt',
  ]) {
    put(folder, name, '');
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await untold(folder, ['completion', shell]);
    expect(code).toBe(0);
    scripts.set(shell, stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What bash offers for the last word. */
function offered(...words: readonly string[]): string[] {
  const line = `${scripts.get('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _untold
for word in "\${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', line, 'bash', 'untold', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(0, -1).sort();
}

describe.skipIf(!has('bash'))('bash', () => {
  test.each([
    [['co'], ['completion', 'config', 'cook']],
    [
      ['cache', ''],
      ['--help', '-h', 'clear', 'info', 'prune'],
    ],
    [
      ['help', 'v'],
      ['validate', 'verify', 'view'],
    ],
    [['cook', '--hlod-l'], ['--hlod-levels']],
    [['cache', 'clear', '--k'], ['--kind']],
    [
      ['cook', '--no-c'],
      ['--no-cache', '--no-config'],
    ],
    [
      ['cook', '--lod-check', ''],
      ['geometry', 'pictures'],
    ],
    [['cook', '--lod-check', '=', 'g'], ['geometry']],
    [
      ['cook', '--lod-check', '='],
      ['geometry', 'pictures'],
    ],
    [['cook', '--purpose', 'render,p'], ['render,proxy']],
    [
      ['cook', '--pipeline', ''],
      ['default', 'indoor', 'my art', 'outdoor', 'y.json'],
    ],
    [['cook', '--allow', 'UC1203,UC1098'], ['UC1203,UC1098']],
    [['cook', '--tile-size', ''], []],
    [
      ['cook', '--strict', ''],
      ['k.untoldpack', 'my art', 't.untold', 'x.usda', 'y.json'],
    ],
    [['cook', 'my\\ art/'], ['my art/a b.glb']],
    [['cook', '"my art/'], ['my art/a b.glb']],
    [
      ['cook', '-o', ''],
      ['k.untoldpack', 'my art', 't.untold'],
    ],
    [['cook', '--root', ''], ['my art']],
    [
      ['cook', '--report', ''],
      ['my art', 'y.json', 'z.sarif'],
    ],
    [['cook', '--depfile', ''], ['my art']],
    [
      ['validate', ''],
      ['k.untoldpack', 'my art', 't.untold', 'y.json'],
    ],
    [
      ['verify', ''],
      ['k.untoldpack', 'my art', 't.untold', 'y.json'],
    ],
    [
      ['diff', ''],
      ['k.untoldpack', 'my art', 't.untold', 'y.json'],
    ],
    [
      ['view', ''],
      ['my art', 't.untold', 'x.usda', 'y.json'],
    ],
    [
      ['pack', ''],
      ['my art', 'x.usda'],
    ],
    [['explain', 'UC1098'], ['UC1098']],
    [
      ['completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
    [['nonsense', ''], []],
  ])('%j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  test('offers every option of every command', () => {
    for (const [name, options] of Object.entries(COMMAND_OPTIONS)) {
      const flags = offered(...name.split(' '), '--');
      for (const { name: option, kind } of options as readonly {
        name: string;
        kind: { type: string; on?: boolean };
      }[]) {
        expect(flags).toContain(kind.on === true ? `--no-${option}` : `--${option}`);
      }
      expect(flags).toContain('--help');
    }
  });
});

describe('zsh and fish', () => {
  test('name every command and option, and its choices', () => {
    const [zsh, fish] = [scripts.get('zsh') ?? '', scripts.get('fish') ?? ''];
    for (const { name, options } of COMMANDS) {
      const body = zsh.split(`\n_untold_${name.replace(' ', '_')}() {`)[1]?.split('\n}')[0] ?? '';
      const lines = fish.split('\n').filter((line) => line.startsWith(`complete -c untold -n '__untold_at ${name}'`));
      for (const { name: option, kind, short } of options) {
        const flag = kind.type === 'flag' && kind.on === true ? `no-${option}` : option;
        const isValue = kind.type !== 'flag';
        const ofZsh = body.split('\n').filter((line) => line.includes(`--${flag}${isValue ? '=' : ''}[`));
        const ofFish = lines.filter((line) => line.includes(` -l ${flag} `));
        expect([name, flag, ofZsh.length, ofFish.length]).toEqual([name, flag, 1, 1]);
        expect(ofFish[0].includes(' -x')).toBe(isValue);
        if (short !== undefined) expect(ofFish[0]).toContain(` -s ${short} `);
        const choices = 'choices' in kind && kind.choices ? kind.choices.join(' ') : '';
        expect([ofZsh[0], ofFish[0]]).toEqual([expect.stringContaining(choices), expect.stringContaining(choices)]);
      }
    }
  });

  test('name the extensions of every kind that a command takes', () => {
    const [zsh, fish] = [scripts.get('zsh') ?? '', scripts.get('fish') ?? ''];
    const taken = {
      cook: 'usd|usda|usdc|usdz|gltf|glb|json|untold|untoldpack|gali|bpx|mdl|xml',
      validate: 'usdz|glb|json|untold|untoldpack|untoldanim|utex|gali|bpx|mdl|ani|pak|vs3|ps3|vs4|ps4|asc|xml',
      verify: 'glb|json|untold|untoldpack|gali|bpx|mdl',
      diff: 'json|untold|untoldpack',
      render: 'usd|usda|usdc|usdz|gltf|glb|json|untold|untoldpack|gali|bpx|mdl|xml',
      unpack: 'usdz|bpx|pak',
    };
    for (const [command, extensions] of Object.entries(taken)) {
      const body = zsh.split(`\n_untold_${command}() {`)[1]?.split('\n}')[0] ?? '';
      expect(body).toContain(`*:argument:_files -g "*.(${extensions})"`);
      expect(fish).toContain(`'__untold_at ${command}' -a '(__untold_files "\\\\.(${extensions})\\\\$")'`);
    }
  });

  test.each(['bash', 'zsh', 'fish'])('%s finds no fault in its script', (shell) => {
    if (!has(shell)) return;
    const { status, stderr } = spawnSync(shell, ['-n', put(folder, `script.${shell}`, scripts.get(shell) ?? '')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

test('a shell without a script is refused', async () => {
  const { code, stderr } = await untold(folder, ['completion', 'bsh']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^error UC1003 .*bash, zsh, fish\n {2}did you mean bash\?/),
  ]);
  expect((await untold(folder, ['completion'])).code).toBe(2);
});
