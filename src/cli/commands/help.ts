// The text that the help of each command shows after its options.

import { shippedPresets } from '../../index.ts';
import { table } from '../terminal/words.ts';

const EXIT_CODES = `Exit codes:
  0 complete  1 the scene has errors  2 command line  3 input/output  4 a bug  5 a limit  130, 143 interrupted
`;

export const TOP_HELP = `
Examples:
  untold cook town.glb --out tiles/           tiles/town.json and its tiles in tiles/town/
  untold cook chair.usdz --out chair.untold   one file
  untold validate tiles/                      every manifest, .untold file and texture below
  untold inspect --json scene.usdz            what is in a source
  untold render tiles/ --out town.png         a picture of what was cooked
  untold explain UC1203                       what a code means
  untold cache info                           what is kept from one cook to the next

${EXIT_CODES}`;

export const cookHelp = () => `
Sources are files, folders (searched for .usd, .usda, .usdc, .usdz, .gltf and .glb) and patterns (*, **, ?, [a-z],
{a,b}). A folder's hidden files are passed over; every real file is cooked once. Outputs are named after the source:
DIR/<scene>.json and DIR/<scene>/, or DIR/<sub>/<scene>.json when --root is given. The source - is standard input.

Presets:
${table(
  shippedPresets().map(({ name, description }) => [`  ${name}`, description]),
  new Set(),
).join('\n')}
  A preset is a JSON object with the names of these options as keys; paths in it are relative to its own folder. What
  a preset turns on, --no-OPTION turns off.

Examples:
  untold cook town.glb --out tiles/
  untold cook art/ --root art --pipeline outdoor --out tiles/
  untold cook 'art/**/*.gltf' --root art --out tiles/ --depfile tiles.d
  untold cook chair.usdz --out chair.untold --strict --allow UC3104
  untold cook town.glb --out tiles/ --json > report.json
  untold cook - --stdin-name chair.glb --textures keep --out - < chair.glb > chair.untold
  untold cook art/ --root art --out tiles/ --watch
  untold cook car.usd --out tiles/ --variant /Car:paint=red --variant lod=high
  untold cook town.usd --out tiles/ --select /Town/Harbour --exclude /Town/Harbour/Ships

${EXIT_CODES}`;

export const VALIDATE_HELP = `
Files are .untold files, .utex textures, manifests with all that they name, folders (searched for these) and patterns. An
error is what the engine refuses, crashes on or silently drops; a warning is what it shows differently from what the file
says.

Examples:
  untold validate tiles/
  untold validate tiles/town.json --json
  untold validate --strict chair.untold

${EXIT_CODES}`;

export const INSPECT_HELP = `
FILE is a source (USD, USDZ, glTF, GLB), a manifest, a .untold file or a .utex texture; what it is follows from its content.

Examples:
  untold inspect scene.usdz
  untold inspect --json tiles/town.json
  untold inspect --scene Night town.glb
  untold inspect --stage town.usd                        every prim, what is authored, and the arcs it comes by
  untold inspect --stage --select /Town/Harbour town.usd
  untold inspect tiles/town/Textures/wall.utex --png wall.png --mip 2

In the JSON of --stage vectors are arrays, matrices arrays of rows, quaternions (real, i, j, k); arrays of more than 64
elements are {length, first, last}; NaN, Infinity, -Infinity and whole numbers beyond 2^53 are texts.
`;

export const RENDER_HELP = `
FILE is drawn from what was written, as the engine would load it: base colours with their textures, cut-outs, blending
and emission in one fixed light. Equal files give equal pictures, byte by byte, on every machine.

Examples:
  untold render tiles/ --out town.png
  untold render tiles/town.json --out street.png --camera 12,1.7,30,0,3,0 --level streamed
  untold render tiles/ --out map.png --camera overview --size 2048x2048
  untold render tiles/ --out worst.png --sheet worst --json > levels.json
  untold render chair.untold --out chair.png --size 512x512

In the JSON of --sheet, ssim is the structural similarity of level and full detail (1: equal), deltaE their mean distance
in Oklab, silhouette the share of what either covers that one covers alone; psnr is null for equal pictures.

${EXIT_CODES}`;

export const EXPLAIN_HELP = `
Examples:
  untold explain UC1203
  untold explain            every code with its title
`;

export const CACHE_HELP = `
A cook keeps what took long to make, such as textures, and takes it from there when it is made of the same again. No byte
of the output depends on that. The cache is the folder of --cache-dir, else of UNTOLD_CACHE_DIR, else untold in the
user's folder for caches.

Examples:
  untold cache info
  untold cache clear --kind bake
  untold cook town.glb --out tiles/ --no-cache
`;
