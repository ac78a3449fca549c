// The flags of `untoldengine export-tiles`, in the order of its documents. Those that have the name and the values of an option
// of `untold cook` are that option.

import { COMMAND_OPTIONS } from '../../index.ts';
import { info, refused, same } from './exporterFlag.ts';
import { BLENDER, COLOR_GRADE_LUT, COMPRESS_GEOMETRY, OLDER, OPTIMIZE } from './sharedFlags.ts';

type CookOption = (typeof COMMAND_OPTIONS.cook)[number];

/** An option of `untold cook` that the exporter has too. */
function asInCook<N extends CookOption['name']>(name: N) {
  const option = COMMAND_OPTIONS.cook.find(
    (row): row is Extract<CookOption, { readonly name: N }> => row.name === name,
  );
  if (!option) throw new Error(`cook has no option ${name}`);
  return same({ ...option, instead: `use --${name}` });
}

const DISTANCES = 'distances follow from measured deviations';
const PARTS = 'use --select for a part of a USD stage, or --only TILE for a tile that --dry-run lists';

export const EXPORT_TILES_FLAGS = [
  same({
    name: 'input',
    kind: { type: 'path' },
    placeholder: 'SCENE',
    description: 'the source: USD, USDZ, and glTF too; no .blend file',
    instead: 'give the source as a word: `untold cook SCENE --out DIR`',
  }),
  same({
    name: 'output-dir',
    kind: { type: 'path' },
    placeholder: 'DIR',
    description: 'the folder of the payloads; the manifest is written beside it, as <scene>.json',
    instead: 'use --out DIR with the folder above it: payloads go to DIR/<scene>/',
  }),
  BLENDER,
  same({
    name: 'tile-size-x',
    kind: { type: 'number', minimum: 0.1, maximum: 10_000, integer: false },
    placeholder: 'METRES',
    description: 'edge of a cell; as --tile-size-z, because cells are square',
    default: 25,
    instead: 'use --tile-size; cells are square',
  }),
  same({
    name: 'tile-size-z',
    kind: { type: 'number', minimum: 0.1, maximum: 10_000, integer: false },
    placeholder: 'METRES',
    description: 'edge of a cell; as --tile-size-x, because cells are square',
    default: 25,
    instead: 'use --tile-size; cells are square',
  }),
  info('tile-size-y', 'METRES', 'cells are as high as the scene', 'leave it out: cells are as high as the scene'),
  asInCook('auto-tile-size'),
  same({
    name: 'quadtree',
    kind: { type: 'flag' },
    description: 'a quadtree on each floor instead of a grid',
    instead: 'use --partition quadtree',
  }),
  same({
    name: 'kdtree',
    kind: { type: 'flag' },
    description: 'a k-d tree on each floor instead of a grid',
    instead: 'use --partition kdtree',
  }),
  asInCook('min-objects-per-tile-tier'),
  asInCook('scene-profile'),
  asInCook('tier-radius'),
  asInCook('untagged-semantic-tier'),
  asInCook('floor-count'),
  asInCook('floor-band-height'),
  info(
    'visible-only',
    null,
    'it is so without it',
    'leave it out: only visible meshes are cooked unless --all-meshes is given',
  ),
  asInCook('all-meshes'),
  same({
    name: 'generate-lod',
    kind: { type: 'flag' },
    description: 'levels of detail for each tile; otherwise none',
    instead: 'use --lod auto, which is the default',
  }),
  same({
    name: 'generate-hlod',
    kind: { type: 'flag' },
    description: 'a proxy for each far tile; otherwise none',
    instead: 'use --hlod auto, which is the default',
  }),
  same({
    name: 'lod-level',
    kind: { type: 'list' },
    placeholder: 'DIST:RATIO',
    description: `with --generate-lod: a level with at most this share of the triangles; again for more. ${DISTANCES}, not from DIST`,
    default: ['0.30:0.5', '0.78:0.2'],
    instead: `use --lod with the shares of triangles, as --lod 0.5,0.2; ${DISTANCES}`,
  }),
  same({
    name: 'hlod-level',
    kind: { type: 'list' },
    placeholder: 'SUFFIX:DIST:RATIO',
    description: `with --generate-hlod: at most this share of the triangles; the first counts, as in the engine. ${DISTANCES}, not from DIST; files end in _hlod`,
    default: ['_hlod:1.0:0.10'],
    instead: `use --hlod with the share of triangles, as --hlod 0.1; ${DISTANCES}`,
  }),
  COMPRESS_GEOMETRY,
  OPTIMIZE,
  same({
    name: 'parallel-workers',
    kind: { type: 'number', minimum: 0, maximum: 256, integer: true },
    placeholder: 'N',
    description: 'threads; 0: one for each core',
    default: 0,
    instead: 'use --jobs N',
  }),
  same({
    name: 'dry-run',
    kind: { type: 'flag' },
    description: 'print the plan and write nothing',
    instead: 'use --dry-run',
  }),
  info(
    'write-manifest-in-dry-run',
    null,
    'a plan writes nothing',
    'use --dry-run, with --json for a document of all tiles',
  ),
  refused('debug-aabb-only', null, 'no boxes are written', 'look at <scene>.plan.svg, the map beside each manifest'),
  refused('sample', null, 'no sample of the tiles is cooked', PARTS),
  refused('sample-fraction', 'N', 'no sample of the tiles is cooked', PARTS),
  refused('perimeter', null, 'no ring of the tiles is cooked', PARTS),
  refused('perimeter-depth', 'N', 'no ring of the tiles is cooked', PARTS),
  ...OLDER,
  info('bake-resolution', 'N', 'nothing is baked', 'leave it out: nothing is baked'),
  info('no-bake-cache', null, 'nothing is baked', 'leave it out: nothing is baked'),
  COLOR_GRADE_LUT,
] as const;
