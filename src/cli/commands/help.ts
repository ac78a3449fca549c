// What the help of each command says beside its options: the common ones, notes and examples.

import { SOURCE_EXTENSIONS, shippedPresets } from '../../index.ts';

export interface HelpText {
  /** The options that -h shows, with a shorter description than --help gives; absent: -h shows what --help does. */
  readonly common?: Readonly<Record<string, string>>;
  /** Paragraphs of --help, which are wrapped. */
  readonly notes?: readonly string[];
  /** The presets and what they are for. */
  readonly presets?: () => readonly (readonly [name: string, description: string])[];
  /** Command lines, with what each does; -h shows the first `few`. */
  readonly examples: readonly (readonly [command: string, what?: string])[];
  readonly few?: number;
  readonly exitCodes?: boolean;
}

export const EXIT_CODES =
  '0 complete, 1 the scene has errors, 2 command line, 3 input/output, 4 a bug, 5 a limit, 130 or 143 interrupted';

export const TOP_HELP: HelpText = {
  few: 1,
  examples: [
    ['untold cook town.glb --out tiles/', 'tiles/town.json and tiles/town/'],
    ['untold cook chair.usdz --out chair.untold', 'one file'],
    ['untold cook room.usdz --out room.untoldpack', 'one file for each root object'],
    ['untold inspect scene.usdz', 'what is in a source'],
    ['untold explain UC1203', 'what a code means'],
    ['untold validate tiles/', 'every manifest, .untold file and texture below'],
    ['untold render tiles/ --out town.png', 'a picture of what was cooked'],
    ['untold view tiles/ --open', 'the same in the browser, to fly through'],
    ['untold pack scene.usda --out scene.usdz', 'one package of all that it brings in'],
    ['untold cache info', 'what is kept from one cook to the next'],
  ],
  exitCodes: true,
};

const PRINT_COMMON = {
  json: 'one JSON document on stdout',
  quiet: 'errors only',
  verbose: 'also notes, phases and every row',
} as const;

export const HELP_TEXTS: Readonly<Record<string, HelpText>> = {
  cook: {
    few: 3,
    common: {
      out: 'a folder for a manifest and its tiles, one file, or a pack',
      root: 'keep the folders below it in the output',
      pipeline: 'a preset',
      lod: 'levels of detail, as 0.5,0.2',
      'dry-run': 'print the plan and write nothing',
      force: 'replace files that no earlier cook lists',
      jobs: 'threads; otherwise one for each core',
      strict: 'every warning counts as an error',
      ...PRINT_COMMON,
    },
    notes: [
      `Sources are files, folders (searched for ${SOURCE_EXTENSIONS.join(', ')}) and patterns (*, **, ?, [a-z], {a,b}). A folder's hidden files are passed over; every real file is cooked once. Outputs are named after the source: DIR/<scene>.json and DIR/<scene>/, or DIR/<sub>/<scene>.json when --root is given. The source - is standard input.`,
      'A preset is a JSON object with the names of these options as keys; paths in it are relative to its own folder. What a preset turns on, --no-OPTION turns off.',
      'Where a project file, untold.config.json, holds and no source is named, the project is built; the name of one of its targets builds that. untold init writes such a file.',
    ],
    presets: () => shippedPresets().map(({ name, description }) => [name, description] as const),
    examples: [
      ['untold cook town.glb --out tiles/'],
      ['untold cook chair.usdz --out chair.untold --strict --allow UC3104'],
      ["untold cook 'art/**/*.gltf' --root art --out tiles/ --depfile tiles.d"],
      ['untold cook art/ --root art --pipeline outdoor --out tiles/'],
      ['untold cook world.usdz --viewer-zone prim:/World/Seats --device vision-pro --out world.untold'],
      ['untold cook town.glb --out tiles/ --json > report.json'],
      ['untold cook', 'the project of untold.config.json'],
      ['untold cook preview', 'one of its targets'],
      ['untold cook - --stdin-name chair.glb --textures keep --out - < chair.glb > chair.untold'],
      ['untold cook town.usd --out town.bpx --layout crate'],
      ['untold cook art/ --root art --out tiles/ --watch'],
      ['untold cook ground.usd trees.glb --as-one town --origin 4500,0,-800 --out tiles/'],
      ['untold cook car.usd --out tiles/ --variant /Car:paint=red --variant lod=high'],
      ['untold cook town.usd --out tiles/ --select /Town/Harbour --exclude /Town/Harbour/Ships'],
    ],
    exitCodes: true,
  },
  init: {
    notes: [
      'The project file untold.config.json names the folders and files that hold sources, and where the output goes. It is made to be edited: any option of untold cook may stand in it, options for some sources, and targets, which are builds of their own. docs/projects.md has all of it.',
    ],
    examples: [['untold init'], ['untold cook', 'builds the project'], ['untold init content/ --force']],
  },
  validate: {
    common: {
      arkit: 'USDZ packages: what ARKit asks for, too',
      strict: 'every warning counts as an error',
      allow: 'never these warnings',
      ...PRINT_COMMON,
    },
    notes: [
      'Of a manifest, a pack or a record all that it names is checked, too. Folders are searched for outputs. An error is what the engine refuses, crashes on or silently drops; a warning is what it shows differently from what the file says.',
    ],
    examples: [
      ['untold validate tiles/'],
      ['untold validate tiles/town.json --json'],
      ['untold validate --strict chair.untold'],
    ],
    exitCodes: true,
  },
  verify: {
    few: 2,
    common: {
      against: 'also compare with a cook of this source',
      'cache-dir': 'where the records of cooks are',
      strict: 'warnings are errors',
      ...PRINT_COMMON,
    },
    notes: [
      'DIR is sound if every file keeps its rules and its hash, no cook of it is unfinished, and names state the hash of their content. With --against and the options of the cook it is up to date if a cook would write the same: the record of the last cook tells, or a cook into a temporary folder. Nothing in DIR changes. In a project, no argument means its outputs against its sources, and the name of a target those of the target.',
    ],
    examples: [
      ['untold verify tiles/'],
      ['untold verify tiles/ --against art/ --root art --pipeline outdoor', 'as they were cooked'],
      ['untold verify tiles/ --json --strict'],
    ],
    exitCodes: true,
  },
  why: {
    examples: [
      ['untold why tiles/'],
      ['untold why tiles/ tile_1_0_0', 'one tile'],
      ['untold why tiles/ Bricks --json', 'a material'],
    ],
    exitCodes: true,
  },
  advise: {
    few: 2,
    common: {
      device: 'whose pixels textures are measured by',
      select: 'only this prim or node',
      exclude: 'not this prim or node',
      scale: 'how many times as large it becomes',
      json: PRINT_COMMON.json,
      verbose: PRINT_COMMON.verbose,
    },
    notes: [
      'Nothing is written. Geometry is estimated from the counts of the source, as far as those tell how many vertices a file stores; textures are counted as cooks make them. What hides in a solid, what is far away and what looks like another unit is a guess to be looked at.',
    ],
    examples: [['untold advise town.usdz'], ['untold advise town.usdz --device vision-pro --json']],
    exitCodes: true,
  },
  check: {
    few: 5,
    common: {
      device: 'what it has to fit',
      path: 'places along a flight',
      map: 'draw where it is tight',
      strict: 'warnings are errors',
      ...PRINT_COMMON,
    },
    notes: [
      'The loader of the engine is simulated where most is loaded: somebody stands there and looks around. Limits are those of the loader, advice is Apple’s and the engine’s; each line says which. Exit code 1: something is over, with --strict or --deny. What a GPU takes in milliseconds is not known. Of a folder with several outputs, of a project and of a target each is checked, in a line.',
    ],
    examples: [
      ['untold check tiles/ --device vision-pro'],
      ['untold check tiles/ --zone box:-2,1,-2,2,2,2 --strict', 'from where people stand'],
      ['untold check tiles/ --map fits.svg --json'],
    ],
    exitCodes: true,
  },
  diff: {
    notes: [
      'Tiles are compared by their names, levels by their numbers, textures by their names without hashes, all by their content. Folders that hold several outputs are compared output by output, by their paths in the folder. Exit code 0: nothing differs; 1: something does.',
    ],
    examples: [
      ['untold diff before/ after/'],
      ['untold diff old/town.json new/town.json --json'],
      ['untold diff chair.untold other/chair.untold'],
    ],
  },
  inspect: {
    few: 4,
    common: {
      stage: 'USD: the composed stage, prim by prim; .gali: its groups',
      select: 'only what is at or below these paths',
      scene: 'glTF: which scene',
      png: 'write a picture of a .utex texture',
      json: PRINT_COMMON.json,
      verbose: 'also notes',
    },
    notes: [
      'What FILE is follows from its content. Of a folder, all sources and outputs below it are listed.',
      'In the JSON of --stage vectors are arrays, matrices arrays of rows, quaternions (real, i, j, k); arrays of more than 64 elements are {length, first, last}; NaN, Infinity, -Infinity and whole numbers beyond 2^53 are texts.',
    ],
    examples: [
      ['untold inspect scene.usdz'],
      ['untold inspect art/', 'what lies in a folder'],
      ['untold inspect --json tiles/town.json'],
      ['untold inspect --stage town.usd', 'every prim, what is authored, and the arcs it comes by'],
      ['untold inspect --scene Night town.glb'],
      ['untold inspect --stage --select /Town/Harbour town.usd'],
      ['untold inspect tiles/town/Textures/wall.utex --png wall.png --mip 2'],
    ],
  },
  render: {
    few: 3,
    common: {
      out: 'the picture',
      camera: 'a position and a target, or a name',
      level: 'full, a level of detail, or what the engine streams',
      size: 'pixels, as 1280x720',
      turntable: 'N pictures from all around',
      environment: 'the light of this picture of all directions',
      sheet: 'compare the levels of a tile with full detail',
      ...PRINT_COMMON,
    },
    notes: [
      'FILE is drawn in the light of a clear day, with shadows: base colours with their textures, cut-outs, blending, glass, emission, metalness and roughness; closed rooms from inside, without a sun. A sheet has one fixed light without shadows. Sets and .untold files are drawn from what was written, as the engine would load it; packs and scenes of Urho3D with their models where they stand; sources in full detail, as a cook would show them. Galileo and BPX hold no materials: they are white. Equal files give equal pictures, byte by byte, on every machine.',
      'In the JSON of --sheet, ssim is the structural similarity of level and full detail (1: equal), deltaE their mean distance in Oklab, silhouette the share of what either covers that one covers alone; psnr is null for equal pictures.',
    ],
    examples: [
      ['untold render tiles/ --out town.png'],
      ['untold render chair.untold --out chair.png --size 512x512'],
      ['untold render tiles/ --out map.png --camera overview --size 2048x2048'],
      ['untold render tiles/town.json --out street.png --camera 12,1.7,30,0,3,0 --level streamed'],
      ['untold render tiles/ --out worst.png --sheet worst --json > levels.json'],
      ['untold render props/ --out pictures/', 'a picture of each output'],
    ],
    exitCodes: true,
  },
  view: {
    notes: [
      'The page shows what was written as the engine would load and draw it: materials, lights, levels, and what is loaded from where the camera is. It needs a browser with WebGL 2, and no network.',
      'The server listens on this machine alone, and answers whoever knows the address, which is new each time. It runs until Ctrl-C.',
    ],
    examples: [
      ['untold view tiles/'],
      ['untold view tiles/town.json --open'],
      ['untold view chair.untold --port 8080'],
      ['untold view tiles/ --against before/', 'two outputs, with a divider between them'],
    ],
    exitCodes: true,
  },
  clean: {
    common: {
      sources: 'what the folder is cooked from',
      'dry-run': 'print what would be removed and remove nothing',
      root: 'as for the cook',
      'out-each': 'as for the cook',
      json: PRINT_COMMON.json,
      quiet: PRINT_COMMON.quiet,
    },
    notes: [
      'Give the sources and options of the cook. Every set below the folder goes that a cook of them would not write: its manifest and what that lists. Files that no manifest lists stay, and so do listed ones that were changed. With --out-each single files go whose paths match the pattern, and shared textures that no file names any more. In a project, no argument means its sources and outputs, and the name of a target those of the target.',
    ],
    examples: [
      ['untold clean tiles/ --sources art/ --root . --dry-run'],
      ['untold clean tiles/ --sources art/ --root .'],
      ["untold clean props/ --sources kit/ --out-each 'props/{dir}/{name}.untold'"],
    ],
    exitCodes: true,
  },
  pack: {
    common: {
      out: 'the package; its ending says of which kind',
      'default-layer': 'USDZ: the layer of the folder that comes first',
      arkit: 'USDZ: one flat crate, Y up, PNG and JPEG, as ARKit asks for',
      layout: 'BPX: the layout; crate when left out',
      remap: 'OLD=NEW: what the source has below OLD lies in NEW',
      root: 'of a layer: files outside are refused',
      force: 'replace a file that is no package of this kind',
      json: PRINT_COMMON.json,
      quiet: PRINT_COMMON.quiet,
    },
    notes: [
      'A layer is packed with all that it brings in, in every variant. What lies outside of its folder comes to external/ in the package, and paths that lead there are rewritten. With --arkit the stage is composed and written as one crate, also of a folder or of a package that is there. A folder is packed with all files but hidden ones. The package appears whole or not at all.',
    ],
    examples: [
      ['untold pack scene.usda --out scene.usdz'],
      ['untold pack scene.usda --arkit --out scene.usdz'],
      ['untold pack scene/ --out scene.usdz --default-layer main.usdc'],
      ['untold pack Data/ --out Data.pak --compress'],
      ['untold pack data/ --out data.bpx --layout spec --compress'],
    ],
    exitCodes: true,
  },
  unpack: {
    common: {
      out: 'the folder for the files, made when missing',
      only: 'only files that match; again for more',
      force: 'replace files that no earlier call has unpacked',
      json: PRINT_COMMON.json,
      quiet: PRINT_COMMON.quiet,
    },
    notes: [
      'Every file of the package is checked before the first is written, and all appear or none. A record, .PACKAGE.unpacked.json, tells the next call what it may replace. Names that could lead out of the folder end the call.',
    ],
    examples: [
      ['untold unpack scene.usdz --out scene/'],
      ["untold unpack scene.usdz --out textures/ --only '*.png' --only '*.jpg'"],
    ],
    exitCodes: true,
  },
  explain: {
    notes: ['Codes are also written without UC: 1203 is UC1203. Any other word is searched for in all explanations.'],
    examples: [
      ['untold explain', 'every code with a few words'],
      ['untold explain UC1203'],
      ['untold explain texture', 'the codes that speak of textures'],
      ['untold explain --json > codes.json'],
    ],
  },
  config: {
    notes: [
      'The project file is untold.config.json: a JSON object with the names of these options as keys, and "files", a list of {"match": PATTERN, ...options} for the sources that a pattern matches, of which the last counts. Paths and patterns are relative to it. The strongest of these sets an option: the command line, the preset of --pipeline, "files", the project file, the default.',
    ],
    examples: [['untold config art/town.usd'], ['untold config art/town.usd --json --pipeline outdoor']],
  },
  cache: {
    common: {
      'cache-dir': 'the folder of the cache',
      'cache-size': 'how large it may be',
      kind: 'one kind alone',
      'max-age': 'not used for so long, like 30d',
      'max-size': 'until the cache is no larger, like 2GB',
      'dry-run': 'only tell what would go',
      yes: 'do not ask',
      json: PRINT_COMMON.json,
    },
    notes: [
      "A cook keeps what took long to make, such as textures, and takes it from there when it is made of the same again. No byte of the output depends on that. The cache is the folder of --cache-dir, else of UNTOLD_CACHE_DIR, else untold in the user's folder for caches.",
    ],
    examples: [
      ['untold cache info'],
      ['untold cache prune --max-age 30d --max-size 5GB'],
      ['untold cache clear --dry-run'],
      ['untold cook town.glb --out tiles/ --no-cache'],
    ],
  },
  export: {
    few: 2,
    common: {
      input: 'the source: USD, USDZ or glTF',
      output: 'FILE.untold, FILE.untoldpack, or FILE.untoldanim with --animation',
      'mesh-name': 'USD: only the objects of this name',
      'assets-dir': 'textures of a single file go to DIR/Textures',
      optimize: 'compressed geometry and .utex textures; otherwise PNG',
      ...PRINT_COMMON,
    },
    notes: [
      'A scene with one root object becomes one .untold file, with several a .untoldpack. An output that is there is replaced; nothing else is, and Textures/ is never cleared. The flags alone decide: no project file and no preset is read. What a flag is in untold cook, docs/engine-cli.md says.',
    ],
    examples: [
      ['untold export --input chair.glb --output chair.untold'],
      ['untold export --input room.usdz --output room.untold --optimize', 'room.untoldpack for several root objects'],
      ['untold export --input walk.glb --output walk.untoldanim --animation'],
    ],
    exitCodes: true,
  },
  'export-tiles': {
    few: 2,
    common: {
      input: 'the source: USD, USDZ or glTF',
      'output-dir': 'the folder of the payloads; the manifest is beside it',
      'tile-size-x': 'edge of a cell, as --tile-size-z',
      'generate-lod': 'levels of detail',
      'generate-hlod': 'proxies of far tiles',
      optimize: 'compressed geometry and .utex textures; otherwise PNG',
      'dry-run': 'print the plan and write nothing',
      ...PRINT_COMMON,
    },
    notes: [
      'The manifest is <scene>.json in the folder above --output-dir. Outputs that are there are replaced; nothing else is, and Textures/ is never cleared. The flags alone decide: no project file and no preset is read. What a flag is in untold cook, docs/engine-cli.md says.',
    ],
    examples: [
      ['untold export-tiles --input town.glb --output-dir build/tile_exports', 'build/town.json'],
      ['untold export-tiles --input town.usdz --output-dir build/town --generate-lod --generate-hlod --optimize'],
    ],
    exitCodes: true,
  },
  'bake-lods': {
    notes: [
      'Levels are files beside their model, <model>_LOD1.untold and so on; the manifest of a pack says from where each is shown. Levels of an earlier call are replaced, other files of such names never. A model that fails does not stop the others.',
    ],
    examples: [
      ['untold bake-lods --input build/kit.untoldpack'],
      ['untold bake-lods --input build/tree.untold --ratios 0.5,0.1 --min-triangles 500'],
    ],
    exitCodes: true,
  },
  texbake: {
    few: 2,
    common: {
      input: 'an image',
      output: 'the .utex file; otherwise beside the image',
      dir: 'all images of a folder',
      slot: 'what the image is',
      'patch-refs': 'a .untold file or a pack that shall name the textures',
      ...PRINT_COMMON,
    },
    notes: [
      'Textures keep the size of their image, with all mips, filtered as the engine filters them. Images stay where they are. Height maps and LUTs are not baked.',
    ],
    examples: [
      ['untold texbake --input wall.png --output wall.utex --slot base_color'],
      ['untold texbake --dir build/Textures --patch-refs build/chair.untold'],
    ],
    exitCodes: true,
  },
  completion: {
    notes: [
      'The script completes commands, options, their values, presets, codes, and files with the right endings. It is that of this version of untold.',
    ],
    examples: [
      ['source <(untold completion bash)', 'in ~/.bashrc'],
      ['source <(untold completion zsh)', 'in ~/.zshrc, after compinit'],
      ['untold completion fish > ~/.config/fish/completions/untold.fish'],
    ],
  },
};
