// `npx tsx bench/zonePictures.ts FOLDER [hall|room|street …]`: what five eyes see of scenes and of what was cooked of them for a zone.
// The upper row of each picture is the source, the lower one the result. hall: problems around a pavilion (test/cook/zoneHall.ts);
// room: the sample town through a window; street: a town of a million triangles. `--small` writes the picture of the hall for docs/.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { render } from '../src/index.ts';
import { encodePng } from '../src/textures/encode/png.ts';
import { HALL_ZONE, hall } from '../test/cook/zoneHall.ts';
import { height, writeTown } from './town.ts';

const root = resolve(import.meta.dirname, '..');
const cli = join(root, 'bin/untold.js');

type Point = readonly [number, number, number];

interface Shown {
  readonly source: string;
  /** Options of the cook besides its files. */
  readonly options: readonly string[];
  /** Where each eye is, and the point that it looks at. */
  readonly eyes: readonly (readonly [Point, Point])[];
}

const boxText = (low: Point, high: Point): string => `box:${[...low, ...high].map((v) => v.toFixed(3)).join(',')}`;

function hallScene(folder: string): Shown {
  const source = join(folder, 'hall.glb');
  writeFileSync(source, hall());
  const { min, max } = HALL_ZONE;
  return {
    source,
    options: ['--viewer-zone', boxText(min, max), '--device', 'vision-pro'],
    eyes: [
      [
        [0, 1.6, 0.4],
        [0, 1.3, -5],
      ],
      [
        [-0.4, 1.4, -0.2],
        [-3, 1, -5],
      ],
      [
        [0.4, 1.8, 0],
        [4, 1.2, -6],
      ],
      [
        [0.3, 1.3, 0.3],
        [8, 1, 4],
      ],
      [
        [-0.3, 1.7, -0.4],
        [0, 0.2, 4],
      ],
    ],
  };
}

/** A room of 5 x 2.6 x 5 m above a street, whose wall in the north has a window of 2.4 x 1.4 m. It is tagged, so that it stays. */
function roomText(): string {
  const [x, y0, y1, z0, z1] = [2.5, 4, 6.6, 17.5, 22.5];
  const wall = (a: number, b: number, low: number, high: number): Point[] => [
    [a, low, z0],
    [b, low, z0],
    [b, high, z0],
    [a, high, z0],
  ];
  const faces: Point[][] = [
    [
      [-x, y0, z1],
      [x, y0, z1],
      [x, y0, z0],
      [-x, y0, z0],
    ],
    [
      [-x, y1, z0],
      [x, y1, z0],
      [x, y1, z1],
      [-x, y1, z1],
    ],
    [
      [-x, y0, z1],
      [-x, y0, z0],
      [-x, y1, z0],
      [-x, y1, z1],
    ],
    [
      [x, y0, z0],
      [x, y0, z1],
      [x, y1, z1],
      [x, y1, z0],
    ],
    [
      [x, y0, z1],
      [-x, y0, z1],
      [-x, y1, z1],
      [x, y1, z1],
    ],
    wall(-x, x, y0, 4.9),
    wall(-x, x, 6.3, y1),
    wall(-x, -1.2, 4.9, 6.3),
    wall(1.2, x, 4.9, 6.3),
  ];
  const points = faces.flat().map((point) => `(${point.join(', ')})`);
  return `#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "World"
{
    def "Town" ( references = @town.usda@ )
    {
    }
    def Mesh "Room" ( prepend apiSchemas = ["MaterialBindingAPI"] )
    {
        custom string untold_tile_policy = "always_loaded"
        int[] faceVertexCounts = [${faces.map(() => 4).join(', ')}]
        int[] faceVertexIndices = [${points.map((_, i) => i).join(', ')}]
        point3f[] points = [${points.join(', ')}]
        uniform token subdivisionScheme = "none"
        rel material:binding = </World/Paint>
    }
    def Material "Paint"
    {
        token outputs:surface.connect = </World/Paint/Shader.outputs:surface>
        def Shader "Shader"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor = (0.8, 0.74, 0.62)
            token outputs:surface
        }
    }
    def Cube "Window"
    {
        uniform token purpose = "guide"
        double size = 1
        double3 xformOp:translate = (0, 5.6, 17.5)
        float3 xformOp:scale = (2.4, 1.4, 0.02)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    }
}
`;
}

function roomScene(folder: string): Shown {
  cpSync(join(root, 'samples/usda'), join(folder, 'usda'), { recursive: true });
  cpSync(join(root, 'samples/textures'), join(folder, 'textures'), { recursive: true });
  const source = join(folder, 'usda/room.usda');
  writeFileSync(source, roomText());
  return {
    source,
    options: [
      ...['--viewer-zone', boxText([-0.8, 5.1, 18.5], [0.8, 5.8, 21]), '--portal', 'prim:/World/Window'],
      ...['--device', 'vision-pro', '--search-path', folder],
    ],
    eyes: [
      [
        [0, 5.5, 20.8],
        [0, 5.5, 0],
      ],
      [
        [0.6, 5.6, 19],
        [-6, 4, 0],
      ],
      [
        [-0.6, 5.3, 19],
        [6, 4, 0],
      ],
      [
        [0.7, 5.7, 18.6],
        [0.5, 0, 2],
      ],
      [
        [0, 5.15, 18.6],
        [0, 8, 0],
      ],
    ],
  };
}

function streetScene(folder: string): Shown {
  const source = join(folder, 'town.glb');
  writeTown(1_000_000, source);
  const ground = height(25, 0) + 0.1;
  const at = (x: number, y: number, z: number): Point => [25 + x, ground + y, z];
  return {
    source,
    options: ['--viewer-zone', boxText(at(-2, 1.2, -2), at(2, 1.9, 2)), '--device', 'vision-pro'],
    eyes: [
      [at(0, 1.6, 0), at(40, 2, 0)],
      [at(-1.5, 1.3, 1), at(-10, 3, 12)],
      [at(1.5, 1.8, -1), at(-30, 1, 4)],
      [at(0.5, 1.5, 1.8), at(5, 4, -20)],
      [at(-1, 1.7, -1.5), at(1, 0, 2)],
    ],
  };
}

const SCENES: Readonly<Record<string, (folder: string) => Shown>> = {
  hall: hallScene,
  room: roomScene,
  street: streetScene,
};

interface Rows {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Pictures of one size beside each other, row above row, with a white line between them. */
function sheet(rows: readonly (readonly Rows[])[]): Rows {
  const GAP = 4;
  const { width: w, height: h } = rows[0][0];
  const width = rows[0].length * (w + GAP) - GAP;
  const full = rows.length * (h + GAP) - GAP;
  const rgb = new Uint8Array(width * full * 3).fill(255);
  for (const [j, row] of rows.entries()) {
    for (const [i, picture] of row.entries()) {
      for (let y = 0; y < h; y++) {
        const to = ((j * (h + GAP) + y) * width + i * (w + GAP)) * 3;
        rgb.set(picture.rgb.subarray(y * w * 3, (y + 1) * w * 3), to);
      }
    }
  }
  return { width, height: full, rgb };
}

async function drawn(file: string, [eye, target]: Shown['eyes'][number], size: string): Promise<Rows> {
  const { picture, diagnostics } = await render(file, { camera: [...eye, ...target].join(','), size });
  if (picture === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return picture;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { small: { type: 'boolean' } } });
const [out = 'zone-pictures', ...names] = positionals;
mkdirSync(out, { recursive: true });
for (const name of values.small ? ['hall'] : names.length > 0 ? names : Object.keys(SCENES)) {
  const folder = mkdtempSync(join(tmpdir(), 'untold-pictures-'));
  try {
    const { source, options, eyes } = SCENES[name](folder);
    const result = join(folder, 'seen.untold');
    const cook = spawnSync(process.execPath, [cli, 'cook', source, '--out', result, '--no-cache', ...options], {
      encoding: 'utf8',
    });
    process.stdout.write(`${name}:\n${cook.stdout}${cook.stderr.replaceAll(folder, '')}`);
    if (cook.status !== 0) throw new Error(`the cook ended with ${cook.status}`);
    const size = values.small ? '320x240' : '480x360';
    const rows: Rows[][] = [];
    for (const file of [source, result]) {
      const row: Rows[] = [];
      for (const eye of values.small ? eyes.slice(0, 3) : eyes) row.push(await drawn(file, eye, size));
      rows.push(row);
    }
    const { width, height: full, rgb } = sheet(rows);
    writeFileSync(join(out, values.small ? 'zone.png' : `${name}.png`), await encodePng(rgb, width, full, false));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
