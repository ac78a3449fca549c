// Pictures of cooked sets, and the page of `untold view`: codes UC5000-UC5099.

import type { CodeEntry } from '../../entry.ts';

export const RENDER = {
  UC5000: {
    severity: 'error',
    exit: 2,
    title: 'a file that the command does not take, or several sets',
    cause:
      '`untold render`, `untold view`, `untold check` and `untold diff` each take the kinds of files that their help names, or a folder. What a file is, its content decides. `view` shows one output, and `render` draws one into a file; of a folder with several, `render --out FOLDER` draws each, and `check` and `diff` take all.',
    remedy: 'name another file, cook the source first, or name one of the outputs',
  },
  UC5001: {
    severity: 'error',
    exit: 2,
    title: 'the set has no such tile',
    cause: 'The manifest lists no tile with this id.',
    remedy: 'see the ids with `untold inspect` of the manifest',
  },
  UC5002: {
    severity: 'error',
    exit: 2,
    title: 'no tile has this level',
    cause: 'No tile of the set has the level that is to be drawn or compared.',
    remedy: 'cook with --lod or --hlod, or choose another level',
  },
  UC5003: {
    severity: 'warning',
    title: 'texture not drawn',
    cause:
      "The image file of a texture is missing, damaged or of a format that is not decoded. The material's factor is drawn without the texture.",
    remedy: 'cook again, or check the set with `untold validate`',
  },
  UC5004: {
    severity: 'warning',
    title: 'nothing is in the picture',
    cause: 'No triangle of the set covers a pixel of the picture: it shows the background alone.',
    remedy: 'choose another --camera or --level',
  },
  UC5005: {
    severity: 'error',
    exit: 3,
    title: 'the port cannot be used',
    cause: 'Another program listens on the port of --port, or the system does not give it to this user.',
    remedy: 'leave --port out to get a free one, or choose another',
  },
  UC5006: {
    severity: 'warning',
    title: 'the browser was not started',
    cause:
      'With --open the system is asked to show the page: by open on macOS, xdg-open on Linux, rundll32 on Windows. That program is missing or has failed.',
    remedy: 'open the address that is printed',
  },
  UC5007: {
    severity: 'error',
    exit: 2,
    title: 'no such morph target',
    cause: '--morph names a morph target that no mesh of the picture has.',
    remedy: 'give one of the names that `untold inspect` lists for the file',
  },
} as const satisfies Record<string, CodeEntry>;
