// The schemas of what the other commands print with --json, of errors, and of the lines of --log-format json.

import { BAKE_SLOTS } from '../../src/config/options/bakeOptions.ts';
import { MEASURES } from '../../src/engine/devices.ts';
import { SHARD_SHAPE } from '../../src/formats/shard/document.ts';
import { ADVICE } from '../../src/library/advise/document.ts';
import { SEMANTIC_TIERS } from '../../src/scene/tags.ts';
import {
  bounds,
  choice,
  code,
  count,
  date,
  described,
  diagnostics,
  file,
  flag,
  list,
  name,
  number,
  numbers,
  object,
  optional,
  orNull,
  path,
  phases,
  positive,
  runProperties,
  type Schema,
  schemaVersion,
  severity,
  text,
} from './parts.ts';

const morphs = described(
  'morph targets by name; an app that sets the weight w shows the source at weight + w',
  list(object({ name, weight: number, meshes: described('of the source, that it moves', count) })),
);

const measure = choice(...Object.keys(MEASURES));
const place = described('in metres; null: the output is loaded as a whole', orNull(numbers(3)));
const figures = object(
  Object.fromEntries(Object.keys(MEASURES).flatMap((key) => (key === 'file' ? [] : [[key, count]]))),
);
const verdict = {
  device: text,
  fits: described('nothing is beyond a limit or an advice', flag),
  line: text,
  measures: list(
    object({
      measure,
      title: name,
      unit: choice('bytes', 'count'),
      value: described('the worst that was found', count),
      at: place,
      file: described('the largest file, of that measure', orNull(name)),
      limit: described('null where nothing is known of the device', orNull(count)),
      kind: described('a limit of the engine, or advice', choice('limit', 'advice', null)),
      source: orNull(text),
    }),
  ),
  worst: described(
    'where each measure with a bound is worst, the tightest first',
    list(
      object({
        measure,
        at: place,
        figures,
        payloads: list(object({ tile: name, level: name, geometry: count, triangles: count, draws: count })),
        textures: list(object({ path: name, bytes: described('on the GPU', count), payloads: count })),
        materials: list(object({ name: text, draws: count })),
      }),
    ),
  ),
  places: object({ looked: count, simulated: count }),
  estimates: object({
    secondsToFull: described('until all full detail near the slowest place is there', positive),
    batchedDraws: described('of the worst view, if the engine merges meshes of a tile that share a material', count),
    drawSeconds: described(
      'of CPU a frame, for the draws of the worst view; null: nobody measured it',
      orNull(positive),
    ),
  }),
};
const pixels = object({ width: count, height: count });
const fit = object({
  rounds: described('how often the source was cooked', count),
  before: described('the verdict on the output as it would have been', text),
  pixelsADegree: described('pixels of a degree of the view, as texels a degree are judged by', number),
  textures: described(
    'that got smaller, in the order of their paths',
    list(
      object({
        path: name,
        before: pixels,
        after: pixels,
        bytes: described('on the GPU, with all mips', object({ before: count, after: count })),
        texelsADegree: described(
          'texels that a degree of the view shows from the nearest likely distance; null: nothing of it is seen',
          object({ before: orNull(number), after: orNull(number) }),
        ),
        nearest: described('metres to the nearest place where somebody may be', orNull(number)),
        ssim: described(
          'against the whole texture, as it is seen from there; 1: equal; null: not compared',
          orNull(number),
        ),
        psnr: described('in decibels; null: equal, or not compared', orNull(number)),
        isSeen: described('a degree has more pixels than the texture now has texels there', flag),
      }),
    ),
  ),
  levelScale: described('the share of their distances that levels are shown from', number),
});
const check = {
  anyOf: [
    object({ schemaVersion, output: path, ...verdict, diagnostics }),
    described(
      'of several outputs: a project, a target, a folder that holds more than one',
      object({
        schemaVersion,
        output: described('the folder that they lie in', path),
        device: verdict.device,
        fits: described('every output is there, can be read and fits', flag),
        outputs: list(object({ output: path, ...verdict, diagnostics })),
        diagnostics: described('outputs that are not there or cannot be read', diagnostics),
      }),
    ),
  ],
};

const saving = object({
  bytes: optional(described('on the disk', count)),
  gpuBytes: optional(described('of textures on the GPU, with all mips', count)),
  geometry: optional(described('of vertices and indices in memory', count)),
  triangles: optional(count),
  draws: optional(count),
});
const loading = object({
  from: described('metres from the bounds of the tile from which on this level is shown', positive),
  streaming: described('metres at which full detail is asked for', orNull(positive)),
  unload: described('metres at which the tile is let go', orNull(positive)),
  priority: described('higher ones come first', number),
});
const why = object({
  schemaVersion,
  output: path,
  subject: described(
    'what was named; null: the whole output',
    orNull(object({ kind: choice('tile', 'texture', 'material', 'node', 'mesh'), name })),
  ),
  totals: object({
    payloads: count,
    bytes: described('of payloads and textures on the disk; of materials, nodes and meshes of textures alone', count),
    geometry: count,
    triangles: count,
    draws: count,
    textures: count,
    gpuBytes: count,
  }),
  payloads: described(
    'the ten largest files',
    list(
      object({
        tile: name,
        level: name,
        path: name,
        bytes: count,
        geometry: count,
        triangles: count,
        draws: count,
        loading: described('null: it is loaded as a whole', orNull(loading)),
      }),
    ),
  ),
  textures: described(
    'the ten largest on the GPU',
    list(
      object({
        path: name,
        bytes: count,
        gpuBytes: count,
        width: count,
        height: count,
        payloads: described('that name it', count),
        materials: described('that read it', list(text)),
      }),
    ),
  ),
  meshes: described(
    'the ten largest in memory',
    list(
      object({
        name: text,
        entity: text,
        tile: name,
        level: name,
        bytes: count,
        vertices: count,
        triangles: count,
        material: text,
        placements: described('how often the file places it', count),
      }),
    ),
  ),
  materials: described(
    'the ten with most draws',
    list(object({ name: text, draws: count, triangles: count, payloads: count, gpuBytes: count })),
  ),
  attributes: described('parts of vertices and of geometry in memory', list(object({ name, bytes: count }))),
  others: described('other files that name the texture that was asked about', list(path)),
  changes: described(
    'options that make it smaller, those that save most bytes first',
    list(
      object({
        option: name,
        what: name,
        saves: described('in the whole output', saving),
        savesHere: optional(described('in what was named', saving)),
      }),
    ),
  ),
  diagnostics,
});
const advise = object({
  schemaVersion,
  source: path,
  device: text,
  totals: object({ objects: count, meshes: count, triangles: count, materials: count, images: count }),
  advice: list(
    object({
      kind: choice(...Object.keys(ADVICE)),
      what: name,
      count,
      where: described('paths in the source of the first of them', list(text)),
      saves: saving,
      option: described('of cook; null: it is to be done in the source', orNull(name)),
      isDefault: described('a cook does it unless it is told otherwise', flag),
    }),
  ),
  diagnostics,
});

const zoneFigures = {
  boxes: described(
    'that eyes are in; one around all of them where they are many',
    list(object({ min: list(number), max: list(number) })),
  ),
  eyes: described('places that were looked from', count),
  rounds: count,
  newShare: described('share of the pixels of the last round that no round before had shown', positive),
  trianglesBefore: described('that were looked at: of the source without objects that stay whole', count),
  trianglesSeen: described('of these, that some picture shows', count),
  trianglesKept: described('with their neighbours and what casts shadows on them', count),
  trianglesAfter: described('of these in the output, after surfaces were simplified', count),
  casters: described('triangles that are not seen, and cast shadows on what is', count),
  whole: described('objects that stay as they are: they move, deform or are tagged', count),
  trianglesWhole: described('of these objects', count),
  sectors: described('around the zone, in each of which a material is one mesh', count),
  draws: described('meshes that are drawn if all of the output is in view', count),
  joined: described('materials that became one with others, so that the draws fit the device', count),
  error: described('pixels from the nearest eye that surfaces were simplified up to', positive),
  proof: described(
    'what eyes that no triangle was found from see of the source and of the output',
    object({
      eyes: count,
      holes: described('areas of more than two pixels where the output has no surface of about that depth', count),
      largestHole: described('pixels of the largest one', count),
      pictures: optional(
        described(
          'pictures of both from these eyes; absent after a dry run',
          object({
            pictures: count,
            ssimMean: described('structural similarity, 1 for equal pictures', number),
            ssimMin: number,
            colorMean: described('mean distance of colours in Oklab', number),
            worst: list(object({ eye: list(number), direction: list(number), ssim: number, color: number })),
          }),
        ),
      ),
    }),
  ),
};
const zone = described(
  'with --viewer-zone: what the eyes of the zone left of the source',
  object({
    ...zoneFigures,
    objects: list(
      object({
        path: described('in the source', text),
        triangles: count,
        seen: described('that some picture shows, or that cast a shadow on those', count),
        kept: described('with their neighbours, before surfaces were simplified', count),
      }),
    ),
  }),
);

const required = {
  objects: count,
  tiles: described('of a set or of a part of one, with its shared bucket; 0 for a single file and a pack', count),
  models: described('of a pack; 0: it is none', count),
  trianglesIn: described('of the source', count),
  trianglesOut: described('of tiles and shared bucket, without their levels', count),
  levels: list(object({ level: name, tiles: count, triangles: count })),
  streamed: described(
    'pictures of the whole set, streamed as by the engine, against full detail; null where there are no levels',
    orNull(
      object({
        cameras: described('around the set and in it', count),
        judged: described(
          'pixels that full detail covers with opaque surfaces of tiles of which a level is shown',
          count,
        ),
        missing: described('of those, pixels on which nothing is drawn', count),
        largestHole: described('pixels of the largest area of them', count),
      }),
    ),
  ),
  vertices: count,
  materials: count,
  textures: described('texture files; those that are part of another file are not counted', count),
  files: described('of the output, each once, with textures that other outputs share', count),
  bytes: described('of these files', count),
};
const totals = { ...required, zone: optional(zone), morphs: optional(morphs) };

const fileSum = object({ files: count, bytes: count });
const planned = object({
  payloads: count,
  triangles: count,
  textures: described('files of textures; those that several outputs share count once', fileSum),
  levels: described('with the textures that proxies are painted with', fileSum),
  atMost: described('all files', fileSum),
});
const callTotals = {
  sources: described('of those that are cooked as one, each', count),
  ok: described('sources whose outputs are in place, or planned by a dry run', count),
  failed: count,
  skipped: count,
  tiles: described('of sets and parts of sets, with shared buckets', count),
  models: described('of packs', count),
  singleFiles: described('outputs that are one file, without what lies beside it', count),
  trianglesIn: count,
  trianglesOut: described('of full detail, without levels', count),
  output: described('all files of the outputs, each once', fileSum),
  textures: described('of these, texture files', fileSum),
  shared: described('of these, texture files that outputs of several sources name', fileSum),
  earlier: described('of earlier outputs, which stay because their sources failed', fileSum),
  planned: optional(described('what a cook would write at most, with --dry-run only', planned)),
  warnings: count,
  notes: count,
};
const callWork = {
  cooked: optional(
    described('sources that were cooked, or planned by a dry run; absent if the call was stopped', count),
  ),
  upToDate: optional(described('sources whose last cook still holds', count)),
  written: optional(described('files that were written', fileSum)),
};

const plan = object({
  mode: choice('uniform_grid', 'quadtree_floor', 'kdtree_floor', 'single_file', 'pack'),
  profile: choice('indoor', 'outdoor', null),
  tileSize: orNull(positive),
  floors: orNull(count),
  bounds,
  cut: object({ objects: count, pieces: count }),
  tiles: list(
    object({
      id: name,
      path: described('relative to the manifest; a cook puts a hash of the content before the ending', name),
      objects: count,
      triangles: count,
      expected: object({ vertices: count, meshes: count, bytes: count }),
      bounds,
      streamingRadius: described('metres; null for a single file', orNull(positive)),
      unloadRadius: orNull(positive),
      priority: orNull(number),
      floor: orNull({ type: 'integer' }),
      tier: choice(...SEMANTIC_TIERS, null),
      overBudget: list(name),
    }),
  ),
  zone: optional(zone),
  atMost: described(
    'what a cook would write at most',
    object({
      bytes: described('of all files', count),
      payloads: described('of full detail', fileSum),
      textures: described('with the smaller ones for levels', fileSum),
      common: optional(
        described(
          'textures that go into a folder for many outputs: those with equal keys are one file',
          list(object({ key: name, bytes: count })),
        ),
      ),
      levels: described('with the textures that proxies are painted with', fileSum),
      other: described('main file, plan map, clips, colour grade', fileSum),
    }),
  ),
});

const status = choice('ok', 'failed', 'skipped');

const cook = object({
  schemaVersion,
  version: described('of untold', name),
  results: described(
    'one for each source, in order; empty if the call was refused',
    list(
      object({
        source: described('relative to the working folder, with /; with --as-one its name', name),
        joined: optional(described('with --as-one: the sources that are cooked as one', list(path))),
        status,
        outputs: list(object({ path, bytes: count, sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' } })),
        totals: described('null if nothing was written', orNull(object(totals))),
        plan: optional(described('with --dry-run only', plan)),
        rebuilt: optional(
          described('with --explain-rebuild: why it was cooked again, a line each, empty if it was not', list(text)),
        ),
        diagnostics,
      }),
    ),
  ),
  totals: optional(
    described('sums over all outputs, each file once; absent if the call was refused', object(callTotals)),
  ),
  verdicts: optional(
    described(
      'with --device or --fit: whether each output fits it',
      list(
        object({ source: path, output: path, ...verdict, fit: optional(described('with --fit: what was done', fit)) }),
      ),
    ),
  ),
  repeated: optional(
    described('textures that are copies of those in other sets, where --share-textures would save much', fileSum),
  ),
  diagnostics: described('what concerns the call as a whole', diagnostics),
  run: optional(
    described(
      'all that differs when the same cook runs again; absent if the call was refused',
      object({ ...runProperties, ...callWork, phases: optional(phases) }),
    ),
  ),
});

const validate = object({
  schemaVersion,
  files: list(object({ path, ok: described('no diagnostic is an error', flag), diagnostics })),
  diagnostics: described('what concerns the call as a whole', diagnostics),
});

const verify = object({
  schemaVersion,
  output: path,
  sound: described('every file is what it has to be', flag),
  fresh: described('every source has the output that a cook would write now; null without --against', {
    type: ['boolean', 'null'],
  }),
  counts: described(
    'every file of the output, each once',
    object({
      files: described('the sum of the others', count),
      sound: described('of outputs, without an error', count),
      unsound: count,
      withoutSource: described('of outputs that no source is cooked into', count),
      unlisted: described('below the folder, and of no output', count),
    }),
  ),
  files: list(object({ path, ok: described('no diagnostic is an error', flag), diagnostics })),
  sources: described(
    'with --against, one for each source, in order',
    list(
      object({
        source: name,
        output: described('the manifest or single file that it is cooked into', path),
        status: choice('fresh', 'stale', 'missing', 'unknown'),
        by: described('what told: the record of the last cook, or another cook', choice('record', 'cook', null)),
        diagnostics,
      }),
    ),
  ),
  diagnostics: described('what concerns the call as a whole', diagnostics),
});

const side = object({ path, kind: choice('set', 'file') });
const diffTotals = object({
  tiles: described('and the shared bucket', count),
  clusters: count,
  levels: described('files of LODs and HLODs', count),
  triangles: described('of full detail, as stored: instances count once', count),
  vertices: count,
  levelTriangles: count,
  morphTargets: count,
  textures: count,
  geometryBytes: count,
  textureBytes: count,
});
const pairOf = (schema: Schema) => ({ a: orNull(schema), b: orNull(schema) });
const change = choice('added', 'removed', 'changed');
const fact = object({ name, ...pairOf(text) });
const levelFacts = object({
  triangles: count,
  vertices: count,
  bytes: count,
  distance: described('metres from which it is shown; null for full detail', orNull(number)),
});
const difference = {
  a: side,
  b: side,
  equal: described('nothing differs', flag),
  totals: object({ a: diffTotals, b: diffTotals }),
  bounds: described('null where they are equal', orNull(object(pairOf(bounds)))),
  settings: described('what differs in the manifests as a whole', list(fact)),
  tiles: list(
    object({
      id: name,
      kind: choice('tile', 'shared', 'cluster'),
      change,
      levels: described(
        'those that differ',
        list(object({ level: name, content: described('the bytes differ', flag), ...pairOf(levelFacts) })),
      ),
      bounds: described('null where they are equal', orNull(object(pairOf(bounds)))),
      facts: described('what else differs in the manifest', list(fact)),
    }),
  ),
  textures: described('a and b are bytes', list(object({ name, change, ...pairOf(count) }))),
  pictures: optional(
    described(
      'with --pictures: how the outputs look, all of both first, then the tiles that differ, the worst first',
      list(
        object({
          tile: described('null: all', orNull(name)),
          level: name,
          ssim: described('structural similarity of the pictures, 1 where they are equal', number),
          psnr: described('peak signal-to-noise ratio in dB; null where they are equal', orNull(number)),
          added: described('triangles that only the second output has, in any of its files', count),
          removed: described('triangles that only the first output has, in any of its files', count),
        }),
      ),
    ),
  ),
};
const diffSide = object({ path, outputs: count });
const diff = {
  anyOf: [
    object({ schemaVersion, ...difference }),
    described(
      'of folders that hold several outputs',
      object({
        schemaVersion,
        a: diffSide,
        b: diffSide,
        equal: described('both hold the same outputs, and nothing differs in any', flag),
        counts: object({ equal: count, added: count, removed: count, changed: count }),
        sets: described(
          'outputs that differ, in the order of their paths',
          list(
            object({
              path: described('relative to both folders, with /', name),
              change: described(
                'unknown: one of them cannot be read',
                choice('added', 'removed', 'changed', 'unknown'),
              ),
              totals: described('null where it is not there, or could not be read', object(pairOf(diffTotals))),
              difference: described('of an output that has changed', orNull(object(difference))),
            }),
          ),
        ),
        diagnostics: described('why outputs cannot be read', diagnostics),
      }),
    ),
  ],
};

const lookKind = choice('sides', 'around', 'drawn');
const picture = {
  source: path,
  turntable: described('with --turntable the files of all pictures; else null', orNull(list(path))),
  width: described('in pixels; null: it is a page', orNull(count)),
  height: described('in pixels; null: it is a page', orNull(count)),
  view: described(
    'from where: of all from outside, from above, from inside of a closed room, or as given; null for a sheet',
    choice('orbit', 'overview', 'inside', 'given', null),
  ),
  drawn: described('empty for a sheet', list(object({ tile: name, level: name, triangles: count }))),
  compared: described(
    'with --sheet only',
    list(
      object({
        tile: name,
        level: name,
        distance: described('metres from the bounds of the tile', number),
        triangles: count,
        fullTriangles: count,
        look: described(
          'sides: in two views of 128 pixels at most; around: in eight views of 128 pixels, the worst two of 320; drawn: as around, and in full size',
          lookKind,
        ),
        ssim: described(
          'structural similarity over those views, in pictures of 128 pixels at most; 1 for equal pictures',
          number,
        ),
        worstSsim: described('in the worst view, as all that follow, in the largest pictures that were drawn', number),
        psnr: described('decibels; null for equal pictures', orNull(number)),
        deltaE: described('mean distance in Oklab', number),
        silhouette: described('share of what either covers that one covers alone', number),
        meanColor: number,
      }),
    ),
  ),
  diagnostics,
};
const render = {
  anyOf: [
    object({ schemaVersion, out: path, ...picture }),
    described(
      'of several outputs, with a folder for --out',
      object({
        schemaVersion,
        source: described('the folder that they lie in', path),
        pictures: list(
          object({ out: described('null: it could not be drawn; the diagnostics say why', orNull(path)), ...picture }),
        ),
        diagnostics: described('what concerns the call as a whole', diagnostics),
      }),
    ),
  ],
};

const guide = object({
  steps: described('what to do in a program', list(object({ tool: name, text: name }))),
  example: optional(described('how it is written right', text)),
});
const retired = described('the retired code that was asked for, which `code` replaces', code);
const explanation = {
  code,
  retired: optional(retired),
  severity,
  title: name,
  cause: name,
  remedy: name,
  guide: optional(guide),
};

const sourceOptions = object({
  schemaVersion,
  source: path,
  config: described('the project file; null if there is none', orNull(name)),
  target: described('whose options these are; null: those of the project', orNull(name)),
  targets: described('of the project file', list(name)),
  options: list(
    object({
      name,
      value: described('as a preset writes it', {
        type: ['string', 'number', 'boolean', 'array'],
        items: { type: ['string', 'number'] },
      }),
      from: described('default, given, or the file that sets it', name),
    }),
  ),
  diagnostics,
});

const cacheKinds = list(
  object({
    kind: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,31}$' },
    entries: { type: 'integer', minimum: 1 },
    bytes: { type: 'integer', minimum: 1 },
  }),
);

const cacheInfo = object({
  schemaVersion,
  folder: described('absolute path of the cache; it need not exist yet', name),
  limit: described('bytes of all entries at most', { type: 'integer', minimum: 1_000_000 }),
  entries: described('number of all entries', count),
  bytes: described('bytes of all entries', count),
  kinds: described('the kinds that have entries, in the order of their names', cacheKinds),
  oldest: described(
    'when the entry that was not used for longest was last used, in UTC; null if there is none',
    orNull(date),
  ),
});

const cacheRemoval = object({
  schemaVersion,
  folder: described('absolute path of the cache', name),
  dryRun: described('whether nothing was removed', flag),
  entries: described('that were removed', count),
  bytes: count,
  kinds: described('those that were removed, by kind, in the order of their names', cacheKinds),
  projects: described(
    'projects whose records of cooks were removed, in the order of their folders',
    list(
      object({
        folder: described('absolute path: the working folder of its cooks', name),
        outputs: described('outputs of which the cook was recorded', { type: 'integer', minimum: 1 }),
        used: described('when one of the records was last used, in UTC', date),
      }),
    ),
  ),
  left: described('what stays in the cache', object({ entries: count, bytes: count })),
});

const merge = object({
  schemaVersion,
  sets: list(
    object({
      source: described('as the cook of the shards named it', name),
      shards: described('their main files', list(path)),
      status: choice('ok', 'failed'),
      outputs: list(object({ path, bytes: count, sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' } })),
      totals: described('those of a cook of the whole source; null if nothing was written', orNull(object(totals))),
      diagnostics,
    }),
  ),
  diagnostics: described('what concerns the call as a whole', diagnostics),
});

const packageKind = choice('usdz', 'bpx', 'pak');
const packedFiles = list(object({ path: described('in the package', name), bytes: count }));

const pack = object({
  schemaVersion,
  source: path,
  kind: packageKind,
  out: described('the package', path),
  bytes: count,
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  files: described('in the order of the package', packedFiles),
  diagnostics,
});

const unpack = object({
  schemaVersion,
  source: path,
  kind: packageKind,
  out: described('the folder', path),
  files: described('what was written, in the order of the package', packedFiles),
  diagnostics,
});

const exportedClip = object({ schemaVersion, source: path, out: path, bytes: count, diagnostics });

const chainLevel = object({
  path: described('relative to the folder of the pack or of the model', path),
  screenSize: described('share of the height of the view from which it is shown', positive),
  triangles: count,
  error: described('metres that its surface lies off at most', number),
});

const bakeLods = object({
  schemaVersion,
  models: list(
    object({
      path,
      levels: described('the finest first', list(chainLevel)),
      leftOut: described('why it has none', orNull(text)),
    }),
  ),
  diagnostics,
});

const texbake = object({
  schemaVersion,
  baked: list(
    object({
      image: path,
      out: path,
      slot: choice(...BAKE_SLOTS),
      width: count,
      height: count,
      mipCount: count,
      bytes: count,
    }),
  ),
  patched: described('files that were to name other textures', list(object({ path, textures: count }))),
  diagnostics,
});

const clean = object({
  schemaVersion,
  dryRun: described('nothing was removed', flag),
  removed: list(
    object({ path: described('of the manifest, the single file or the texture', path), files: count, bytes: count }),
  ),
  kept: described('outputs below the folder that stay', count),
  diagnostics,
});

const init = object({
  schemaVersion,
  path: described('the project file that was written', path),
  replaced: described('one was there, and --force was given', flag),
  config: described('what the file says, see config.schema.json', { type: 'object' }),
  found: described(
    'what each entry of "sources" leads to',
    list(
      object({
        match: described('as the project file has it', text),
        files: count,
        extensions: described('how many of each', { type: 'object', additionalProperties: count }),
      }),
    ),
  ),
  sources: described('that a build cooks: without layers that others bring in', count),
  sets: described('of earlier cooks in the folder of the output', count),
  toIgnore: described('a line for .gitignore; null: there is no repository, or it has one', orNull(name)),
  above: described('the project file that has held for the folder until now', orNull(path)),
  diagnostics,
});

const line = (level: Schema, fields: Parameters<typeof object>[0]) =>
  object({ level, time: date, schemaVersion, ...fields, msg: text });
const event = (level: string, word: string, fields: Parameters<typeof object>[0]) =>
  line(choice(level), { event: { const: word }, ...fields });
const optionalTotals = Object.fromEntries([
  ...Object.entries(required).map(([key, value]) => [key, optional(value)]),
  ['morphs', optional(morphs)],
]);

const log = {
  oneOf: [
    line(choice('error', 'warn', 'info'), { code, severity, file: text, path: text, remedy: name }),
    event('debug', 'progress', {
      source: optional(path),
      path: optional(path),
      tile: optional(name),
      stage: optional(choice('read', 'textures', 'cook', 'levels', 'write', 'verify')),
      done: optional(count),
      total: optional(count),
    }),
    event('info', 'cooked', { source: path, status, ...optionalTotals }),
    event('info', 'seen', { source: path, ...zoneFigures }),
    event('info', 'rebuilt', { source: path, reason: text }),
    event('info', 'waiting', { source: path, waitsFor: text }),
    event('debug', 'wrote', { path, bytes: count }),
    event('info', 'parts', {}),
    event('info', 'outputs', {}),
    event('info', 'page', { seconds: described('that the page of the report took', number) }),
    event('info', 'fitted', { output: path, device: text, done: text }),
    event('info', 'checked', { output: path, device: text, fits: flag }),
    event('info', 'finished', {
      ...callTotals,
      ...callWork,
      textures: described('files', count),
      bytes: described('of all files of the outputs, each once', count),
      output: fileSum,
      ...runProperties,
      phases: optional({ type: 'array' }),
    }),
    event('info', 'repeated', { files: count, bytes: count }),
    event('debug', 'validated', { path, ok: flag }),
    event('info', 'finished', { files: count, bad: count, errors: count, warnings: count }),
    event('info', 'merged', { source: name, shards: count, status: choice('ok', 'failed'), files: count }),
    event('info', 'packed', { source: path, out: path, files: count, bytes: count }),
    event('info', 'unpacked', { source: path, out: path, files: count, bytes: count }),
    event('info', 'exported', { source: path, out: path }),
    event('info', 'levels', { path, levels: list(chainLevel) }),
    event('info', 'finished', { models: count, having: count, levels: count }),
    event('debug', 'baked', { path, out: path, slot: choice(...BAKE_SLOTS), bytes: count }),
    event('info', 'finished', { textures: count, bytes: count, references: count }),
    event('info', 'cleaned', { removed: count, kept: count, bytes: count, dryRun: flag }),
    event('info', 'found', {}),
    event('info', 'initialised', { path, sources: count }),
    event('info', 'watching', { sources: count, files: count }),
    event('info', 'gone', { source: path }),
    event('debug', 'drawn', { tile: name, level: name, triangles: count }),
    event('debug', 'compared', { tile: name, level: name, look: lookKind, ssim: number, worstSsim: number }),
    event('info', 'rendered', { source: path, out: path }),
    described('a line of the stack of a bug', line(choice('debug'), {})),
  ],
};

export const COMMAND_SCHEMAS: Readonly<Record<string, string>> = {
  cook: file('Output of untold cook --json', 'What became of each source; with --dry-run its plan.', cook),
  validate: file('Output of untold validate --json', 'What was found in each file.', validate),
  verify: file('Output of untold verify --json', 'Whether an output is sound, and whether it is up to date.', verify),
  check: file('Output of untold check --json', 'Whether an output fits a device.', check),
  why: file('Output of untold why --json', 'What makes an output large, and what would change it.', why),
  advise: file('Output of untold advise --json', 'What a source could do without.', advise),
  diff: file('Output of untold diff --json', 'What changed between two outputs.', diff),
  render: file('Output of untold render --json', 'What was drawn, or how levels compare with full detail.', render),
  explain: file('Output of untold explain --json', 'One explanation, or a list of them.', {
    oneOf: [
      object({ schemaVersion, ...explanation }),
      object({
        schemaVersion,
        codes: described('in order', list(object(explanation))),
        tasks: described(
          'of the guide, where a word was asked for',
          list(object({ title: name, place: described('a page of the package, with the place in it', name) })),
        ),
      }),
    ],
  }),
  'source-options': file(
    'Output of untold config --json',
    'The options that hold for a source, and where each comes from.',
    sourceOptions,
  ),
  merge: file('Output of untold merge --json', 'The sets that were merged, sorted by where they go.', merge),
  shard: file(
    'Main file of a shard, SCENE.shard.json',
    'A part of a set, as untold cook --shard writes it and untold merge reads it.',
    SHARD_SHAPE.schema,
  ),
  pack: file('Output of untold pack --json', 'The package that was written.', pack),
  'export-clip': file('Output of untold export --animation --json', 'The clip that was written.', exportedClip),
  'bake-lods': file('Output of untold bake-lods --json', 'The levels of each model.', bakeLods),
  texbake: file(
    'Output of untold texbake --json',
    'The textures that were baked, and the files that name them.',
    texbake,
  ),
  unpack: file('Output of untold unpack --json', 'The files that were written from a package.', unpack),
  init: file('Output of untold init --json', 'The project file that was written, and what was found.', init),
  clean: file('Output of untold clean --json', 'What was removed, or would be.', clean),
  'cache-info': file(
    'Output of untold cache info --json',
    'What the cache holds. Sizes are bytes on the disk, headers of entries included.',
    cacheInfo,
  ),
  'cache-clear': file('Output of untold cache clear --json', 'What was removed from the cache.', cacheRemoval),
  'cache-prune': file('Output of untold cache prune --json', 'What was removed from the cache.', cacheRemoval),
  error: file(
    'Output of a command that was refused, with --json',
    'What the commands other than cook and validate print instead of their document when there is none.',
    object({ schemaVersion, diagnostics: { ...diagnostics, minItems: 1 } }),
  ),
  log: file('A line of --log-format json', 'Each line of stderr is such an object.', log),
};
