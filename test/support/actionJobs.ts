// Jobs of action.yml on a runner where npm, gh and our own command only tell what they were called with.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ACTION, type ActionRun, runAction } from './actionRunner.ts';

/** A command in the place of ours: it keeps its words, writes reports, and fails where a source is called bad. */
const STUB = `const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const [command, ...words] = process.argv.slice(2);
appendFileSync('calls', JSON.stringify([command, ...words]) + '\\n');
if (command === 'cook') {
  const sources = words.slice(words.indexOf('--') + 1);
  const results = sources.map((source) => ({
    source,
    status: source.includes('bad') ? 'failed' : 'ok',
    outputs: source.includes('bad') ? [] : [{ path: 'tiles/a_1.untold' }, { path: 'tiles/' + source + '.json' }],
  }));
  if (!sources.includes('no report')) writeFileSync(words[words.indexOf('--report') + 1], JSON.stringify({ results }));
  mkdirSync(process.env.UNTOLD_CACHE_DIR + '/content', { recursive: true });
  for (const source of sources) writeFileSync(process.env.UNTOLD_CACHE_DIR + '/content/' + source.replaceAll('/', '_'), '');
  process.exitCode = results.some(({ status }) => status === 'failed') ? 1 : 0;
}
`;

/** npm and gh in the place of those of the runner: they keep their words, and npm installs the command above. */
const NPM = `#!/bin/bash
printf '%s|' npm "$@" >> "$CALLS"; echo >> "$CALLS"
case "$1" in
  pack) touch "$3/untold-cook-9.9.9.tgz" ;;
  install) mkdir -p "$3/node_modules/untold-cook/bin"; cp "$STUB" "$3/node_modules/untold-cook/bin/untold.js" ;;
esac
`;
const GH = `#!/bin/bash
printf '%s|' gh "$@" >> "$CALLS"; echo >> "$CALLS"
rm -r "$SHELF/\${3//@/%40}"
`;

export interface Runner {
  readonly folder: string;
  /** Runs the action in `work/`, as a job of its own. */
  job(inputs: Readonly<Record<string, string>>, branch?: string): Promise<ActionRun>;
  /** The calls of our command since the last look; TEMP is a path of the job. */
  calls(): string[][];
  /** The calls of npm and gh since the last look, a line each. */
  tools(): string[];
}

export function stubbedRunner(): Runner {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold ci-')));
  for (const name of ['bin', 'checkout', 'action']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'stub.js'), STUB);
  writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
  writeFileSync(join(folder, 'bin/gh'), GH, { mode: 0o755 });
  let jobs = 0;
  return {
    folder,
    job: (inputs, branch = 'main') =>
      runAction(inputs, {
        action: ACTION,
        actionPath: join(folder, 'action'),
        workspace: join(folder, 'checkout'),
        temp: join(folder, `temp ${++jobs}`),
        shelf: join(folder, 'shelf'),
        branch,
        variables: {
          PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
          CALLS: join(folder, 'tools'),
          STUB: join(folder, 'stub.js'),
          SHELF: join(folder, 'shelf'),
        },
      }),
    calls: () => {
      const path = join(folder, 'checkout/calls');
      const lines = readFileSync(path, 'utf8').trim().split('\n');
      rmSync(path);
      return lines.map((line) =>
        (JSON.parse(line) as string[]).map((word) => (word.includes('/temp ') ? 'TEMP' : word)),
      );
    },
    tools: () => {
      const path = join(folder, 'tools');
      const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
      rmSync(path, { force: true });
      return text.split('\n').map((line) => line.replaceAll(folder, '').replace(/temp \d+/g, 'temp'));
    },
  };
}
