// The one table of options: every option of every command with its type, default, check and help. The command line takes
// its flags from it, presets their keys, the library its option types, schemas/preset.schema.json and docs/options.md
// their content.

import { COMPRESS_VALUES } from '../../formats/format.ts';
import { extensionOf, extensionsFor, KINDS } from '../../formats/kinds.ts';
import { DEFAULT_FORMAT, FORMAT_IDS, FORMATS } from '../../formats/registry.ts';
import { OUTPUT_EXTENSIONS } from '../fileKinds.ts';
import { ANIMATION_OPTIONS } from './animationOptions.ts';
import {
  CACHE,
  CACHE_DIR,
  CACHE_DRY_RUN,
  CACHE_KIND,
  CACHE_SIZE,
  EXPLAIN_REBUILD,
  FORCE_REBUILD,
  INCREMENTAL,
  MAX_AGE,
  MAX_SIZE,
  REMOTE_CACHE,
  REMOTE_CACHE_READ_ONLY,
} from './cacheOptions.ts';
import { DEVICE, DEVICE_FACTS, PLACE_OPTIONS as WHERE_OPTIONS } from './deviceOptions.ts';
import { IMPORT_OPTIONS } from './importOptions.ts';
import { COOK_LIMIT_OPTIONS, READ_LIMIT_OPTIONS, TIMEOUT_OPTIONS } from './limitOptions.ts';
import type { OptionSpec, OptionTable } from './option.ts';
import { TEXTURE_OPTIONS } from './textureOptions.ts';
import { TILING_OPTIONS } from './tilingOptions.ts';
import { ZONE_OPTIONS } from './zoneOptions.ts';

/** An option of a command, under its heading in the help. */
export interface CommandOption extends OptionSpec {
  readonly group: string;
}

type InGroup<T extends OptionTable> = { readonly [I in keyof T]: T[I] & { readonly group: string } };

/** Puts rows under a heading. */
function inGroup<const T extends OptionTable>(group: string, table: T): InGroup<T> {
  // map() gives an array, of which TypeScript does not know that it is as long as the table.
  return table.map((spec) => ({ ...spec, group })) as unknown as InGroup<T>;
}

/** The heading of options that decide what is printed; the help option is under it too. */
export const PRINT_GROUP = 'What is printed:';

const ROOT = {
  name: 'root',
  kind: { type: 'path' },
  placeholder: 'DIR',
  description:
    'asset root: files outside are refused; otherwise the nearest folder above a source that holds .git, if any',
} as const satisfies OptionSpec;

const EXTENSIONS = FORMAT_IDS.map((id) => FORMATS[id].extension).join(' or ');

const FILE_OPTIONS = inGroup('Files:', [
  {
    name: 'out',
    short: 'o',
    kind: { type: 'path', keepsSlash: true },
    placeholder: `DIR|FILE${FORMATS[DEFAULT_FORMAT].extension}`,
    files: OUTPUT_EXTENSIONS,
    description: `where to: a folder for a manifest and its tiles, or one file (exactly when it ends in ${EXTENSIONS}), or a pack with a file for each root object (${extensionOf('untoldpack')}); a folder whose name looks like a file's ends in a slash; - is standard output, for one file without textures`,
  },
  {
    name: 'out-each',
    kind: { type: 'path' },
    placeholder: 'PATTERN',
    description: `instead of --out: one file a source, as 'props/{dir}/{name}${FORMATS[DEFAULT_FORMAT].extension}'. {dir}: its folder below --root, else below the working folder; {name}; {ext}`,
  },
  {
    name: 'as-one',
    kind: { type: 'text' },
    placeholder: 'NAME',
    description:
      'cook all sources as one scene of this name, each below a root that has its own name, in one plan; with --out',
  },
  {
    name: 'textures-dir',
    kind: { type: 'path' },
    placeholder: 'DIR',
    description:
      'single files and packs: one folder for the textures of all, each once; otherwise Textures beside the file, with --out-each Textures where the pattern begins',
  },
  {
    name: 'share-textures',
    kind: { type: 'flag' },
    description:
      'sets of tiles: all of one --out keep their textures in its folder Textures, each once, for sets that are read from disk; otherwise each set has its own',
  },
  {
    name: 'on-clash',
    kind: { type: 'choice', choices: ['error', 'rename'] },
    placeholder: 'error|rename',
    description:
      'sources that would write the same output: fail, and the others are cooked; or rename: each takes its extension into its name, as ball_usdz',
    default: 'error',
  },
  {
    name: 'ignore',
    kind: { type: 'list' },
    placeholder: 'PATTERN',
    description:
      'pass over what matches in folders and patterns, as a line of .untoldignore does, relative to the working folder; !PATTERN takes back; again for more',
  },
  {
    name: 'include-dependencies',
    kind: { type: 'flag' },
    description: 'also cook layers of folders and patterns that other sources bring in',
  },
  { ...ROOT, description: `${ROOT.description}. When given, the folders below it are kept in the output` },
  {
    name: 'depfile',
    kind: { type: 'path' },
    placeholder: 'FILE.d',
    description: 'write a Make rule for each source with every file that was read',
  },
  {
    name: 'force',
    short: 'f',
    kind: { type: 'flag' },
    description: 'replace files that no earlier cook lists',
  },
  {
    name: 'fail-fast',
    kind: { type: 'flag' },
    description: 'stop at the first source that fails; otherwise the others are still cooked',
  },
]);

const LOCK_TIMEOUT = {
  name: 'lock-timeout',
  kind: { type: 'number', minimum: 0, maximum: 86_400, integer: false },
  placeholder: 'SECONDS',
  description: 'how long to wait for another cook that writes the same set',
  default: 60,
} as const satisfies OptionSpec;

const CONFIG = {
  name: 'config',
  kind: { type: 'path', searched: true },
  placeholder: 'FILE',
  description:
    'the project file; otherwise the nearest untold.config.json from the working folder up to the one that holds .git, or to the home folder; --no-config: none',
} as const satisfies OptionSpec;

/** Options of one run, which no preset holds. */
const RUN_OPTIONS = [
  ...inGroup('Files:', [
    {
      name: 'dry-run',
      kind: { type: 'flag' },
      description: 'print the plan (tiles, triangles, bytes expected, radii) and write nothing; --out is not needed',
    },
    {
      name: 'stdin-name',
      kind: { type: 'text' },
      placeholder: 'NAME',
      description:
        'with the source -: the path that standard input stands for; it names the scene, and relative paths begin there. Otherwise stdin',
    },
    {
      name: 'only',
      kind: { type: 'text' },
      placeholder: 'TILE',
      description: 'cook this tile alone and leave the others as the cook before wrote them; --dry-run lists the names',
    },
    {
      name: 'shard',
      kind: { type: 'text' },
      placeholder: 'I/N|auto',
      description:
        'cook part I, from 0, of N parts, for untold merge; auto: from the variables of GitLab, CircleCI, Buildkite, Bitbucket and Kubernetes, or UNTOLD_SHARD_INDEX and UNTOLD_SHARD_COUNT',
    },
    {
      name: 'jobs',
      short: 'j',
      kind: { type: 'number', minimum: 1, maximum: 256, integer: true },
      placeholder: 'N',
      description:
        'threads that cook tiles, or small sources side by side; otherwise one for each core. No byte of the output depends on it',
    },
    LOCK_TIMEOUT,
    {
      name: 'memory-limit',
      kind: { type: 'bytes', minimum: 1e8, maximum: 1e15 },
      placeholder: 'SIZE',
      description:
        'memory, like 4GB, beyond which no source is begun beside others; otherwise half of what the machine has. A single source may take more',
    },
  ]),
  ...inGroup('Cache:', [
    CACHE_DIR,
    CACHE_SIZE,
    CACHE,
    INCREMENTAL,
    FORCE_REBUILD,
    EXPLAIN_REBUILD,
    REMOTE_CACHE,
    REMOTE_CACHE_READ_ONLY,
  ]),
  ...inGroup('Settings:', [
    {
      name: 'pipeline',
      kind: { type: 'text' },
      placeholder: 'NAME|FILE',
      description: 'a preset: JSON whose keys are these options; options given here are stronger',
    },
    CONFIG,
  ]),
] as const;

const TILED = FORMAT_IDS.filter((id) => FORMATS[id].hasTiles).join(' and ');

/** What outputs are written as. No default: the name of the output says it where no option does. */
const FORMAT_OPTIONS = [
  {
    name: 'target',
    kind: { type: 'choice', choices: FORMAT_IDS },
    placeholder: FORMAT_IDS.join('|'),
    description: `what is written; otherwise what the name of --out FILE or --out-each ends in, and ${DEFAULT_FORMAT} for folders; folders hold ${TILED}`,
  },
  {
    name: 'meshopt',
    kind: { type: 'flag' },
    description: 'with --target glb: the same as --compress meshopt',
  },
  {
    name: 'optimize',
    kind: { type: 'flag' },
    description:
      'with --target glb: what one material draws becomes one mesh, for few draws; nodes, their names, pivots and clips are lost, skins and morph targets stay',
  },
  {
    name: 'layout',
    kind: { type: 'choice', choices: ['spec', 'crate'] },
    placeholder: 'spec|crate',
    description:
      'with --target bpx: the package as the published text has it, or as the package of Rust reads it; spec when left out',
  },
] as const satisfies OptionTable;

export const COOKING_OPTIONS = [
  {
    name: 'subdivide',
    kind: { type: 'number', minimum: 0, maximum: 3, integer: true },
    placeholder: 'N',
    description: 'USD: how often subdivision surfaces are refined; each time has four times the triangles',
    default: 0,
  },
  {
    name: 'missing-texture',
    kind: { type: 'choice', choices: ['error', 'drop', 'placeholder'] },
    placeholder: 'WHAT',
    description: 'what a texture that is missing or cannot be read means',
    default: 'error',
  },
  ...ZONE_OPTIONS,
  ...TEXTURE_OPTIONS,
  // Below the minimum, tiles outnumber objects; above the maximum, the engine's reach ends.
  {
    name: 'tile-size',
    kind: { type: 'number', minimum: 0.1, maximum: 10_000, integer: false },
    placeholder: 'METRES',
    description: 'edge of a grid cell',
    default: 25,
  },
  ...TILING_OPTIONS,
  {
    name: 'lod',
    kind: { type: 'ratios', max: 8 },
    placeholder: 'RATIOS|auto|none',
    description:
      'levels of detail for each tile: at most these shares of its triangles, as 0.5,0.2; auto: these two, but none for a scene of one tile. In a pack, a LOD chain for each model: auto: levels from where pictures of them look like the model; shares: those, from where the formula of the engine’s own cook says, as 0.5,0.15,0.03',
    default: 'auto',
  },
  {
    name: 'hlod',
    kind: { type: 'ratio' },
    placeholder: 'RATIO|auto|none',
    description:
      'a proxy (HLOD) for each far tile, with few materials: at most this share of its triangles, as 0.1; auto: this one, but none for a scene of one tile',
    default: 'auto',
  },
  {
    name: 'hlod-levels',
    kind: { type: 'number', minimum: 1, maximum: 4, integer: true },
    placeholder: 'N',
    description:
      'with --hlod: how many tiles share the HLOD cluster that replaces their own proxies: 2: 2x2, 3: 4x4, 4: 8x8; 1: none do',
    default: 1,
  },
  {
    name: 'hlod-texture-size',
    kind: { type: 'choice', choices: ['auto', 'none', '128', '256', '512', '1024'] },
    placeholder: 'auto|none|N',
    description:
      "with --hlod: pixels along a side of a proxy's atlas at most; auto: a texel for each pixel at the switch distance, up to 1024; none: palettes and whole images, nothing is baked",
    default: 'auto',
  },
  {
    name: 'lod-check',
    kind: { type: 'choice', choices: ['pictures', 'geometry'] },
    placeholder: 'HOW',
    description:
      'what decides from where a level is shown: pictures: it is drawn beside full detail and must look alike; geometry: its deviation alone',
    default: 'pictures',
  },
  {
    name: 'lod-quality',
    kind: { type: 'choice', choices: ['draft', 'good', 'best'] },
    placeholder: 'HOW',
    description: 'with --lod-check pictures: how alike a level must look',
    default: 'good',
  },
  {
    name: 'authored-lods',
    kind: { type: 'choice', choices: ['use', 'finest', 'keep'] },
    placeholder: 'use|finest|keep',
    description:
      'levels of detail made by hand (siblings X_LOD0, X_LOD1 …; glTF MSFT_lod; USD variant sets named LOD): use: full detail has the finest, levels of tiles and of models of packs the others; finest: the others are left out; keep: all are drawn',
    default: 'use',
  },
  {
    name: 'always-loaded',
    kind: { type: 'list' },
    placeholder: 'PATTERN',
    description:
      'objects that are loaded wherever the camera is, each for itself and in full detail, by name (Hero*) or path (/Town/Hero), with all below; as the tag untold_tile_policy = always_loaded; again for more',
  },
  {
    name: 'instances',
    kind: { type: 'choice', choices: ['auto', 'bake'] },
    placeholder: 'auto|bake',
    description: 'meshes of several placements: auto stores them once where that makes the file smaller, bake never',
    default: 'auto',
  },
  {
    name: 'find-copies',
    kind: { type: 'choice', choices: ['auto', 'always', 'never'] },
    placeholder: 'WHEN',
    description:
      'meshes that are others turned, moved or scaled evenly are placed as instances of the first, where --instances auto stores it once; auto: in single files, where draws stay as many; always: in tiles, too, where instances are draws of their own and levels may change, and in packs, where equal models become one',
    default: 'auto',
  },
  {
    name: 'equal-materials',
    kind: { type: 'choice', choices: ['named', 'all', 'keep'] },
    placeholder: 'WHICH',
    description:
      'materials that are taken as one, which saves draws: named: those that differ in nothing; all: those that differ in name alone, too; keep: none',
    default: 'named',
  },
  {
    name: 'flatten',
    kind: { type: 'flag' },
    description:
      'files other than tiles get no node tree: all meshes stand at the root with the origin of the scene, as tiles always have them',
  },
  {
    name: 'edges',
    kind: { type: 'flag' },
    description:
      "full detail and LODs hold the edges that the editor's and the headset's wireframes show; HLODs never do",
  },
  ...ANIMATION_OPTIONS,
  {
    name: 'color-grade',
    kind: { type: 'path' },
    placeholder: 'FILE.cube',
    description: 'the look of the scene: a 3D LUT that the engine applies behind its tone mapping, copied to Textures/',
  },
  ...FORMAT_OPTIONS,
  {
    name: 'compress',
    kind: { type: 'choice', choices: COMPRESS_VALUES },
    placeholder: 'HOW',
    description:
      "compression of geometry where that makes it smaller; lz4-fast gives larger files a little sooner; today's engine refuses zstd. GLB: none (when left out), meshopt (without loss, EXT_meshopt_compression), quantize (smaller normals, texture coordinates and weights, KHR_mesh_quantization), draco (smallest, all vertices rounded, KHR_draco_mesh_compression)",
    default: 'lz4',
  },
  {
    name: 'format-version',
    kind: { type: 'number', minimum: 1, maximum: 4, integer: true },
    placeholder: 'N',
    description: "raises the files' version above the lowest that holds the content",
  },
] as const satisfies OptionTable;

/** Everything that decides the bytes of the output. */
export const SETTING_OPTIONS = [...IMPORT_OPTIONS, ...COOKING_OPTIONS] as const;

const READING_OPTIONS = inGroup('What is read of a source:', IMPORT_OPTIONS);

const LIMIT_GROUP = 'Limits, with exit code 5 beyond them:';
const READ_LIMITS = inGroup(LIMIT_GROUP, READ_LIMIT_OPTIONS);

/** What a source may ask for. No byte of the output depends on it. */
const LIMITS = [...READ_LIMITS, ...inGroup(LIMIT_GROUP, COOK_LIMIT_OPTIONS)] as const;
const TIMEOUT = inGroup(LIMIT_GROUP, TIMEOUT_OPTIONS);

/** Which diagnostics count. */
export const JUDGE_OPTIONS = inGroup('What counts as an error:', [
  {
    name: 'strict',
    kind: { type: 'flag' },
    description: 'every warning',
  },
  {
    name: 'deny',
    kind: { type: 'list' },
    placeholder: 'CODE',
    description: 'these warnings and notes; again for more, or separated by commas',
  },
  {
    name: 'allow',
    kind: { type: 'list' },
    placeholder: 'CODE',
    description: 'never these warnings, whatever --strict says',
  },
  {
    name: 'warn',
    kind: { type: 'list' },
    placeholder: 'CODE',
    description: 'these notes are warnings; with --strict errors',
  },
]);

const JSON_OPTION = inGroup(PRINT_GROUP, [
  {
    name: 'json',
    kind: { type: 'flag' },
    description: 'one JSON document on stdout; everything else goes to stderr',
  },
]);
const VERBOSE_OPTION = inGroup(PRINT_GROUP, [
  {
    name: 'verbose',
    short: 'v',
    kind: { type: 'flag' },
    description: 'also notes and phases, and the stack of a bug',
  },
]);

/** How the command line prints. The library prints nothing and takes none of these. */
const PRINT_OPTIONS = [
  ...JSON_OPTION,
  ...inGroup(PRINT_GROUP, [
    {
      name: 'hide',
      kind: { type: 'list' },
      placeholder: 'CODE',
      description: 'count these warnings and notes without printing them; --json has them all',
    },
  ]),
  ...inGroup(PRINT_GROUP, [
    {
      name: 'quiet',
      short: 'q',
      kind: { type: 'flag' },
      description: 'errors only; of a cook with failures also its last lines',
    },
  ]),
  ...VERBOSE_OPTION,
  ...inGroup(PRINT_GROUP, [
    {
      name: 'log-format',
      kind: { type: 'choice', choices: ['text', 'json'] },
      placeholder: 'text|json',
      description: 'stderr as text, or as one JSON object a line',
      default: 'text',
    },
  ]),
] as const;

/** Where the outcome of one run is reported; no preset holds these. */
const REPORT_OPTIONS = inGroup(PRINT_GROUP, [
  {
    name: 'report',
    kind: { type: 'list', paths: 'items', keepsCommas: true },
    placeholder: 'FILE',
    description:
      'also write the outcome to a file, also if it failed: NAME.sarif, NAME.junit.xml, NAME.codequality.json (GitLab), NAME.html, a page for people, or NAME.json, which is what --json prints; again for more',
  },
  {
    name: 'annotations',
    kind: { type: 'flag', on: true },
    description: 'with GITHUB_ACTIONS=true: no annotations of diagnostics on stderr',
  },
]);

/** What the page of a cook's report shows. */
const PAGE_OPTIONS = inGroup(PRINT_GROUP, [
  {
    name: 'report-pictures',
    kind: { type: 'choice', choices: ['worst', 'all'] },
    placeholder: 'worst|all',
    description:
      'with --report NAME.html: the ten levels that look least like full detail, or every level, beside full detail',
    default: 'worst',
  },
]);

/** Whether what was cooked fits a device. */
const FIT_OPTIONS = inGroup('Device:', [
  { ...DEVICE, description: 'after the cook, say whether the output fits this device' },
  {
    ...DEVICE,
    name: 'fit',
    description:
      'make the output fit this device, and say what that costs: textures get smaller, then levels are shown from nearer; as --device otherwise',
  },
  ...DEVICE_FACTS,
]);

/** What a preset may hold: all of cook but the options of one run. */
export const PRESET_OPTIONS = [
  ...FILE_OPTIONS,
  ...READING_OPTIONS,
  ...inGroup('Settings:', COOKING_OPTIONS),
  ...LIMITS,
  ...TIMEOUT,
  ...FIT_OPTIONS,
  ...JUDGE_OPTIONS,
  ...PRINT_OPTIONS,
] as const;

/** What a project file may say of some sources alone. */
export const SOURCE_OPTIONS = [
  ...READING_OPTIONS,
  ...inGroup('Settings:', COOKING_OPTIONS),
  ...LIMITS,
  ...JUDGE_OPTIONS,
] as const;

/** What cook() of the library takes. */
export const COOK_CALL_OPTIONS = [
  ...FILE_OPTIONS,
  ...RUN_OPTIONS,
  ...READING_OPTIONS,
  ...inGroup('Settings:', COOKING_OPTIONS),
  ...LIMITS,
  ...TIMEOUT,
  ...FIT_OPTIONS,
  ...JUDGE_OPTIONS,
] as const;

/** Only the command line watches: programs that call the library decide themselves when they cook again. */
const WATCH_OPTION = inGroup('Files:', [
  {
    name: 'watch',
    kind: { type: 'flag' },
    description: 'cook all, then again whatever a saved, added or removed file touches, until Ctrl-C',
  },
]);

export const COOK_OPTIONS = [
  ...COOK_CALL_OPTIONS,
  ...WATCH_OPTION,
  ...PRINT_OPTIONS,
  ...REPORT_OPTIONS,
  ...PAGE_OPTIONS,
  ...inGroup(PRINT_GROUP, [
    {
      name: 'log',
      kind: { type: 'choice', choices: ['all', 'summary'] },
      placeholder: 'all|summary',
      description: 'a line for every source, or only errors and the last lines, as for CI',
      default: 'all',
    },
    {
      name: 'timing',
      kind: { type: 'flag' },
      description:
        'seconds and peak memory of each phase, over all sources: side by side they add up; with --json under run.phases',
    },
  ]),
] as const;
/** The options of cook() that decide where outputs go, which clean() takes too. */
const PLACE_NAMES = [
  'out-each',
  'as-one',
  'textures-dir',
  'share-textures',
  'on-clash',
  'ignore',
  'include-dependencies',
  'root',
  'search-path',
  'remap',
  'pipeline',
  'config',
] as const;
type PlaceOption = Extract<(typeof COOK_CALL_OPTIONS)[number], { readonly name: (typeof PLACE_NAMES)[number] }>;
const PLACE_OPTIONS = COOK_CALL_OPTIONS.filter((spec): spec is PlaceOption =>
  (PLACE_NAMES as readonly string[]).includes(spec.name),
);
/** What clean() of the library takes. */
export const CLEAN_CALL_OPTIONS = [
  ...inGroup('Files:', [
    {
      name: 'sources',
      kind: { type: 'list' },
      placeholder: 'SOURCE',
      files: extensionsFor('cook'),
      description: 'files, folders and patterns that the folder is cooked from, as cook takes them; again for more',
    },
    {
      name: 'dry-run',
      kind: { type: 'flag' },
      description: 'print what would be removed and remove nothing',
    },
  ]),
  ...PLACE_OPTIONS,
] as const;
/** What merge() of the library takes. */
export const MERGE_CALL_OPTIONS = inGroup('Files:', [
  {
    name: 'out',
    short: 'o',
    kind: { type: 'path', keepsSlash: true },
    placeholder: 'DIR',
    description: 'the folder for the manifests and their tiles',
  },
  {
    name: 'force',
    short: 'f',
    kind: { type: 'flag' },
    description: 'replace files that no earlier cook lists',
  },
  LOCK_TIMEOUT,
]);
/** What init() of the library takes. */
export const INIT_CALL_OPTIONS = inGroup('Files:', [
  {
    name: 'force',
    short: 'f',
    kind: { type: 'flag' },
    description: 'replace the project file that is there',
  },
]);
const PACKAGES = extensionsFor('unpack');
const SEARCH_NAMES = ['search-path', 'remap'] as const;
type SearchOption = Extract<(typeof IMPORT_OPTIONS)[number], { readonly name: (typeof SEARCH_NAMES)[number] }>;
/** Where files are looked for that are not where a source says. */
const SEARCH_OPTIONS = IMPORT_OPTIONS.filter((spec): spec is SearchOption =>
  (SEARCH_NAMES as readonly string[]).includes(spec.name),
);
/** What pack() of the library takes. */
export const PACK_CALL_OPTIONS = inGroup('Files:', [
  {
    name: 'out',
    short: 'o',
    kind: { type: 'path' },
    placeholder: PACKAGES.map((extension) => `FILE${extension}`).join('|'),
    files: PACKAGES,
    description: 'the package; its ending says of which kind',
  },
  {
    name: 'default-layer',
    kind: { type: 'text' },
    placeholder: 'NAME',
    description: 'USDZ: the layer of the folder that comes first; otherwise the one at its root, or defaultLayer.usd',
  },
  {
    name: 'arkit',
    kind: { type: 'flag' },
    description:
      'USDZ, of a layer, a folder or a package: the composed stage as one crate with Y up, PNG and JPEG textures, as ARKit and validate --arkit ask for',
  },
  {
    name: 'layout',
    kind: { type: 'choice', choices: ['spec', 'crate'] },
    placeholder: 'spec|crate',
    description: 'BPX: as the published text has it, or as the package of Rust reads it; crate when left out',
  },
  {
    name: 'compress',
    kind: { type: 'flag' },
    description: '.pak: pack files with LZ4; BPX with --layout spec: pack them with zlib where that makes them smaller',
  },
  { ...ROOT, description: `a layer: ${ROOT.description}` },
  ...SEARCH_OPTIONS,
  {
    name: 'force',
    short: 'f',
    kind: { type: 'flag' },
    description: 'replace a file that is no package of this kind',
  },
]);
/** What unpack() of the library takes. */
export const UNPACK_CALL_OPTIONS = inGroup('Files:', [
  {
    name: 'out',
    short: 'o',
    kind: { type: 'path', keepsSlash: true },
    placeholder: 'DIR',
    description: 'the folder for the files, made when missing',
  },
  {
    name: 'only',
    kind: { type: 'list' },
    placeholder: 'PATTERN',
    description: 'only files that match: names at any depth, or paths from the root if it has a slash; again for more',
  },
  {
    name: 'force',
    short: 'f',
    kind: { type: 'flag' },
    description: 'replace files that no earlier call has unpacked',
  },
]);
/** What validate() of the library takes. */
export const VALIDATE_CALL_OPTIONS = [
  ...inGroup('What is checked:', [
    {
      name: 'arkit',
      kind: { type: 'flag' },
      description: 'USDZ packages: also what ARKit asks for: one crate, Y up, PNG and JPEG textures',
    },
  ]),
  ...JUDGE_OPTIONS,
] as const;
export const VALIDATE_OPTIONS = [...VALIDATE_CALL_OPTIONS, ...PRINT_OPTIONS, ...REPORT_OPTIONS] as const;
const AGAINST = {
  name: 'against',
  kind: { type: 'list' },
  placeholder: 'SOURCE',
  files: extensionsFor('cook'),
  description:
    'files, folders and patterns that the folder was cooked from, as cook takes them, with the options of that cook: whether it is up to date; again for more',
} as const satisfies OptionSpec;

/** The options of cook() that decide which sets there are and what is in them, which verify() takes too. */
const VERIFY_NAMES = [
  'out-each',
  'textures-dir',
  'as-one',
  'on-clash',
  'ignore',
  'include-dependencies',
  'root',
  'share-textures',
  'jobs',
  'memory-limit',
  'cache-dir',
  'cache-size',
  'cache',
  'incremental',
  'remote-cache',
  'remote-cache-read-only',
  'pipeline',
  'config',
  ...SETTING_OPTIONS.map(({ name }) => name),
  ...LIMITS.map(({ name }) => name),
  ...TIMEOUT.map(({ name }) => name),
  ...JUDGE_OPTIONS.map(({ name }) => name),
] as const;
type VerifyOption = Extract<(typeof COOK_CALL_OPTIONS)[number], { readonly name: (typeof VERIFY_NAMES)[number] }>;
const OF_COOK = COOK_CALL_OPTIONS.filter((spec): spec is VerifyOption =>
  (VERIFY_NAMES as readonly string[]).includes(spec.name),
);
/** What verify() of the library takes. */
export const VERIFY_CALL_OPTIONS = [...inGroup('Files:', [AGAINST]), ...OF_COOK] as const;
export const VERIFY_OPTIONS = [...VERIFY_CALL_OPTIONS, ...PRINT_OPTIONS] as const;
/** What check() of the library takes. */
export const CHECK_CALL_OPTIONS = [
  ...inGroup('Device:', [{ ...DEVICE, default: 'vision-pro' }, ...DEVICE_FACTS]),
  ...inGroup('Places:', [
    ...WHERE_OPTIONS,
    {
      name: 'map',
      kind: { type: 'path' },
      placeholder: 'FILE.svg',
      description: 'draw the set from above, with what is in memory at each place as a share of the limits',
    },
  ]),
  ...inGroup('Settings:', [{ ...CONFIG, description: `${CONFIG.description}. Its devices are those of --device` }]),
  ...JUDGE_OPTIONS,
] as const;
export const CHECK_OPTIONS = [...CHECK_CALL_OPTIONS, ...PRINT_OPTIONS, ...REPORT_OPTIONS] as const;
/** What diff() of the library takes. */
export const DIFF_CALL_OPTIONS = [
  ...inGroup('Files:', [
    {
      name: 'pictures',
      kind: { type: 'path' },
      placeholder: 'FILE.png',
      description:
        'draws both outputs and their difference: all of them, and the ten tiles whose first changed level differs most',
    },
  ]),
] as const;
export const DIFF_OPTIONS = [...DIFF_CALL_OPTIONS, ...JSON_OPTION, ...VERBOSE_OPTION] as const;
/** What inspectStage() and importScene() of the library take. */
export const READ_CALL_OPTIONS = [...inGroup('Files:', [ROOT]), ...READING_OPTIONS, ...READ_LIMITS] as const;
/** What advise() of the library takes. */
export const ADVISE_CALL_OPTIONS = [
  ...inGroup('Device:', [{ ...DEVICE, description: 'whose pixels textures are measured by', default: 'vision-pro' }]),
  ...READ_CALL_OPTIONS,
] as const;
export const ADVISE_OPTIONS = [...ADVISE_CALL_OPTIONS, ...JSON_OPTION, ...VERBOSE_OPTION] as const;
/** What inspect() of the library takes. */
export const INSPECT_CALL_OPTIONS = [
  ...READ_CALL_OPTIONS,
  ...inGroup('Pictures of .utex textures:', [
    {
      name: 'png',
      kind: { type: 'path' },
      placeholder: 'FILE.png',
      description: 'write what a shader sees of the texture; packed normals as a normal map',
    },
    {
      name: 'mip',
      kind: { type: 'number', minimum: 0, maximum: 31, integer: true },
      placeholder: 'N',
      description: 'with --png: which mip; 0, the default, is the largest',
    },
  ]),
] as const;
export const INSPECT_OPTIONS = [
  ...INSPECT_CALL_OPTIONS,
  ...inGroup(PRINT_GROUP, [
    {
      name: 'stage',
      kind: { type: 'flag' },
      description: 'USD: the composed stage, prim by prim, instead of what would be cooked; .gali: its groups',
    },
  ]),
  ...JSON_OPTION,
  ...VERBOSE_OPTION,
] as const;
/** What render() of the library takes. */
const RENDER_FILES = inGroup('Files:', [
  {
    name: 'out',
    short: 'o',
    kind: { type: 'path', keepsSlash: true },
    placeholder: 'FILE.png|DIR',
    description: 'where to; of several outputs a folder, for a picture of each',
  },
  CONFIG,
]);
const RENDERED = inGroup('What is drawn:', [
  {
    name: 'camera',
    kind: { type: 'text' },
    placeholder: 'X,Y,Z,TX,TY,TZ|auto|orbit|overview|inside',
    description:
      'from where: a position and the point that it looks at, in metres, Y up; orbit: all, from the front right and above; overview: all, from above, north (-Z) up; inside: the room around the middle, from eye height; auto: inside where there is such a room, else orbit',
    default: 'auto',
  },
  {
    name: 'level',
    kind: {
      type: 'choice',
      choices: ['full', 'lod1', 'lod2', 'lod3', 'lod4', 'lod5', 'lod6', 'lod7', 'lod8', 'hlod', 'streamed'],
    },
    placeholder: 'full|lodN|hlod|streamed',
    description:
      'full detail; one level of each tile that has it, of others the next finer one; or what the engine streams to this camera',
    default: 'full',
  },
  {
    name: 'size',
    kind: { type: 'text' },
    placeholder: 'WxH',
    description: 'pixels, from 16 to 8192 a side',
    default: '1280x720',
  },
  {
    name: 'morph',
    kind: { type: 'list', keepsCommas: true },
    placeholder: 'NAME=W',
    description:
      'the weight of a morph target; again for more. Of a source its own weight, of a .untold file that of the app, on top of the stored shape',
  },
  {
    name: 'sheet',
    kind: { type: 'text' },
    placeholder: 'TILE|worst',
    description:
      'instead of one view: each level of a tile beside its full detail, from its switch distance, with the difference; worst: of the ten tiles whose levels differ most. A page if --out ends in .html, else a picture',
  },
  {
    name: 'jobs',
    short: 'j',
    kind: { type: 'number', minimum: 1, maximum: 256, integer: true },
    placeholder: 'N',
    description:
      'threads that compare levels for --sheet; otherwise one for each core. No byte of the output depends on it',
  },
  {
    name: 'turntable',
    kind: { type: 'number', minimum: 2, maximum: 360, integer: true },
    placeholder: 'N',
    description: 'N pictures from all around, at equal steps: FILE-1.png to FILE-N.png, with as many digits as N has',
  },
  {
    name: 'background',
    kind: { type: 'choice', choices: ['paper', 'environment'] },
    placeholder: 'paper|environment',
    description: 'behind everything: a plain light grey, or the sky that lights the picture',
    default: 'paper',
  },
]);
/** The library has another environment: that of the process. */
const lightOf = <Name extends string>(name: Name, group = 'What is drawn:') =>
  inGroup(group, [
    {
      name,
      kind: { type: 'path' },
      placeholder: 'FILE.hdr',
      description:
        'the light of this Radiance picture of all directions, its middle in the north (-Z), instead of that of a clear day',
    },
  ] as const);
export const RENDER_CALL_OPTIONS = [...RENDER_FILES, ...RENDERED, ...lightOf('environment-map')] as const;
export const RENDER_OPTIONS = [...RENDER_FILES, ...RENDERED, ...lightOf('environment'), ...PRINT_OPTIONS] as const;
const VIEWED = [
  ...inGroup('Files:', [
    { ...CONFIG, description: `${CONFIG.description}. A source is cooked as without one` } as const,
  ]),
  ...inGroup('Picture:', [
    {
      name: 'against',
      kind: { type: 'path' },
      placeholder: 'OUTPUT',
      files: [...KINDS.manifest.extensions, ...KINDS.untold.extensions],
      description: 'another output, shown right of a divider that moves; otherwise a source is shown beside its cook',
    },
  ]),
  ...inGroup('Output:', [
    {
      name: 'export',
      kind: { type: 'path' },
      placeholder: 'FOLDER',
      description: 'instead of a server: write page and files into a new folder, which any web server can show',
    },
  ]),
  ...inGroup('Server:', [
    {
      name: 'port',
      kind: { type: 'number', minimum: 0, maximum: 65_535, integer: true },
      placeholder: 'N',
      description: 'the port to listen on, on this machine alone; 0: any that is free',
      default: 0,
    },
  ]),
] as const;
/** What view() of the library takes. */
export const VIEW_CALL_OPTIONS = [...VIEWED, ...lightOf('environment-map', 'Picture:')] as const;
export const VIEW_OPTIONS = [
  ...VIEWED,
  ...lightOf('environment', 'Picture:'),
  ...inGroup('Server:', [
    { name: 'open', kind: { type: 'flag' }, description: 'show the page in the browser of the system' },
  ]),
  ...inGroup(PRINT_GROUP, [
    { name: 'quiet', short: 'q', kind: { type: 'flag' }, description: 'errors and the address of the page only' },
  ]),
] as const;
export const EXPLAIN_OPTIONS = [...JSON_OPTION] as const;
/** What cacheInfo() of the library takes. */
export const CACHE_INFO_CALL_OPTIONS = [...inGroup('Cache:', [CACHE_DIR, CACHE_SIZE])] as const;
/** What clearCache() of the library takes. */
export const CACHE_CLEAR_CALL_OPTIONS = [...inGroup('Cache:', [CACHE_DIR, CACHE_KIND, CACHE_DRY_RUN])] as const;
/** What pruneCache() of the library takes. */
export const CACHE_PRUNE_CALL_OPTIONS = [...inGroup('Cache:', [CACHE_DIR, MAX_AGE, MAX_SIZE, CACHE_DRY_RUN])] as const;
/** Only the command line asks. */
const YES_OPTION = inGroup('Cache:', [
  {
    name: 'yes',
    short: 'y',
    kind: { type: 'flag' },
    description: 'at a terminal: do not ask',
  },
]);

export const CLEAN_OPTIONS = [
  ...CLEAN_CALL_OPTIONS,
  ...JSON_OPTION,
  ...inGroup(PRINT_GROUP, [{ name: 'quiet', short: 'q', kind: { type: 'flag' }, description: 'errors only' }]),
] as const;

export const INIT_OPTIONS = [
  ...INIT_CALL_OPTIONS,
  ...JSON_OPTION,
  ...inGroup(PRINT_GROUP, [{ name: 'quiet', short: 'q', kind: { type: 'flag' }, description: 'errors only' }]),
] as const;

export const MERGE_OPTIONS = [
  ...MERGE_CALL_OPTIONS,
  ...JSON_OPTION,
  ...inGroup(PRINT_GROUP, [{ name: 'quiet', short: 'q', kind: { type: 'flag' }, description: 'errors only' }]),
] as const;

const PACKAGE_PRINT = [
  ...JSON_OPTION,
  ...inGroup(PRINT_GROUP, [{ name: 'quiet', short: 'q', kind: { type: 'flag' }, description: 'errors only' }]),
] as const;
export const PACK_OPTIONS = [...PACK_CALL_OPTIONS, ...PACKAGE_PRINT] as const;
export const UNPACK_OPTIONS = [...UNPACK_CALL_OPTIONS, ...PACKAGE_PRINT] as const;

/** The options of each command, in the order of its help. */
export const COMMAND_OPTIONS = {
  cook: COOK_OPTIONS,
  init: INIT_OPTIONS,
  merge: MERGE_OPTIONS,
  clean: CLEAN_OPTIONS,
  pack: PACK_OPTIONS,
  unpack: UNPACK_OPTIONS,
  validate: VALIDATE_OPTIONS,
  verify: VERIFY_OPTIONS,
  check: CHECK_OPTIONS,
  why: JSON_OPTION,
  advise: ADVISE_OPTIONS,
  diff: DIFF_OPTIONS,
  inspect: INSPECT_OPTIONS,
  render: RENDER_OPTIONS,
  view: VIEW_OPTIONS,
  explain: EXPLAIN_OPTIONS,
  config: COOK_OPTIONS,
  'cache info': [...CACHE_INFO_CALL_OPTIONS, ...JSON_OPTION],
  'cache clear': [...CACHE_CLEAR_CALL_OPTIONS, ...YES_OPTION, ...JSON_OPTION],
  'cache prune': [...CACHE_PRUNE_CALL_OPTIONS, ...JSON_OPTION],
} as const satisfies Readonly<Record<string, readonly CommandOption[]>>;
