// Every kind of file that is read or written here, once: what it is called, how it begins, and which commands take it. Commands,
// completion, help and messages derive from this table. Nothing of a format's code is loaded by it: registry.ts knows the code
// of the targets, checks.ts that of the checks, importers/index.ts that of the sources.

import { CLIP_EXTENSION } from '../engine/names.ts';
import { MAGIC as BPX_MAGIC } from './bpx/container/layout.ts';
import { MAGIC as GALILEO_MAGIC } from './galileo/layout.ts';
import {
  ANIMATION_MAGIC,
  MODEL_MAGICS,
  PACKAGE_MAGICS,
  SCRIPT_MAGIC,
  SHADER_MAGIC,
  successorsOf,
} from './urho3d/bytes/identifier.ts';
import { packageStart } from './urho3d/package/open.ts';
import { MAGIC as UTEX_MAGIC } from './utex/layout.ts';

/** Commands whose arguments are files. */
export type FileCommand =
  | 'cook'
  | 'validate'
  | 'verify'
  | 'check'
  | 'why'
  | 'advise'
  | 'diff'
  | 'inspect'
  | 'render'
  | 'view'
  | 'pack'
  | 'unpack';

export type Urho3dType = 'model' | 'animation' | 'package' | 'shader' | 'script' | 'material' | 'scene';

export interface Kind {
  /** What messages call it. */
  readonly title: string;
  /** What documents call it among the files of Urho3D. */
  readonly urho3d?: Urho3dType;
  /** With the dot, in lower case; the usual one first. */
  readonly extensions: readonly [string, ...string[]];
  /** Texts of Latin-1, one of which a file begins with; a byte order mark may stand before it. Absent: it is a text that is told otherwise. */
  readonly begins?: readonly string[];
  /** Names of the first element, of XML. */
  readonly roots?: readonly string[];
  /** Whether a JSON object is of the kind. */
  readonly isObject?: (value: Readonly<Record<string, unknown>>) => boolean;
  /** A text of any content is of the kind if it has the extension. */
  readonly isNamed?: true;
  /** Whether a file of the extension that begins otherwise is of the kind all the same. */
  readonly isWithin?: (bytes: Uint8Array) => boolean;
  readonly commands: readonly FileCommand[];
  /** How files of the kind are found in folders: `cook` takes sources, `validate` outputs, `inspect` both. Absent: they are not. */
  readonly searched?: 'source' | 'output';
  /** Other programs give the extension to files of their own: of those in a folder the content decides. */
  readonly sharesExtension?: true;
}

/** What the main file of a shard says that it is. */
export const SHARD_KIND = 'untold-shard';

/** With the identifiers of rbfx, whose newer files the readers refuse by name. */
const withSuccessors = (type: Urho3dType, magics: readonly string[]) => [...magics, ...successorsOf(type)];

/** In the order of lists. Of kinds that begin alike, the first is the one whose extension a file need not have. */
export const KINDS = {
  usda: {
    title: 'USD text',
    extensions: ['.usd', '.usda'],
    begins: ['#usda'],
    commands: ['cook', 'advise', 'inspect', 'render', 'pack', 'view'],
    searched: 'source',
  },
  usdc: {
    title: 'USD crate',
    extensions: ['.usd', '.usdc'],
    begins: ['PXR-USDC'],
    commands: ['cook', 'advise', 'inspect', 'render', 'pack', 'view'],
    searched: 'source',
  },
  usdz: {
    title: 'USDZ',
    extensions: ['.usdz'],
    // The header of the first file of a zip archive (APPNOTE, 4.3.7).
    begins: ['PK\x03\x04'],
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'unpack', 'view'],
    searched: 'source',
  },
  gltf: {
    title: 'glTF',
    extensions: ['.gltf'],
    commands: ['cook', 'advise', 'inspect', 'render', 'view'],
    searched: 'source',
  },
  glb: {
    title: 'GLB',
    extensions: ['.glb'],
    begins: ['glTF'],
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'view'],
    searched: 'source',
  },
  manifest: {
    title: 'a manifest of tiles',
    extensions: ['.json'],
    isObject: (value) => 'tiles' in value || 'streaming_defaults' in value,
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'check', 'why', 'diff', 'view'],
    searched: 'output',
    sharesExtension: true,
  },
  untold: {
    title: '.untold',
    extensions: ['.untold'],
    begins: ['UNTOLD\0\0'],
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'check', 'why', 'diff', 'view'],
    searched: 'output',
  },
  untoldpack: {
    title: '.untoldpack',
    extensions: ['.untoldpack'],
    isNamed: true,
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'check', 'why', 'diff'],
    searched: 'output',
  },
  clip: {
    title: '.untoldanim',
    extensions: [CLIP_EXTENSION],
    begins: ['UNTOLD\0\0'],
    commands: ['inspect', 'validate'],
    searched: 'output',
  },
  utex: {
    title: '.utex',
    extensions: ['.utex'],
    begins: [UTEX_MAGIC],
    commands: ['inspect', 'validate'],
    searched: 'output',
  },
  shard: {
    title: 'a part of a set',
    extensions: ['.json'],
    isObject: ({ kind }) => kind === SHARD_KIND,
    commands: ['inspect', 'validate'],
    searched: 'output',
    sharesExtension: true,
  },
  gali: {
    title: 'Galileo',
    extensions: ['.gali'],
    begins: [GALILEO_MAGIC],
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'view'],
    searched: 'output',
  },
  bpx: {
    title: 'BPX',
    extensions: ['.bpx'],
    begins: [BPX_MAGIC],
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'unpack'],
    searched: 'output',
  },
  mdl: {
    title: '.mdl',
    urho3d: 'model',
    extensions: ['.mdl'],
    begins: withSuccessors('model', MODEL_MAGICS),
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'verify', 'view'],
    searched: 'output',
    sharesExtension: true,
  },
  ani: {
    title: '.ani',
    urho3d: 'animation',
    extensions: ['.ani'],
    begins: withSuccessors('animation', [ANIMATION_MAGIC]),
    commands: ['inspect', 'validate'],
    searched: 'output',
    sharesExtension: true,
  },
  pak: {
    title: '.pak',
    urho3d: 'package',
    extensions: ['.pak'],
    begins: withSuccessors('package', PACKAGE_MAGICS),
    // A package may stand at the end of a program.
    isWithin: (bytes) => packageStart(bytes) > 0,
    commands: ['inspect', 'validate', 'unpack'],
    searched: 'output',
    sharesExtension: true,
  },
  shader: {
    title: 'a shader of Urho3D',
    urho3d: 'shader',
    extensions: ['.vs3', '.ps3', '.vs4', '.ps4'],
    begins: [SHADER_MAGIC],
    commands: ['inspect', 'validate'],
  },
  script: {
    title: 'a script of Urho3D',
    urho3d: 'script',
    extensions: ['.asc'],
    begins: [SCRIPT_MAGIC],
    commands: ['inspect', 'validate'],
  },
  material: {
    title: 'a material of Urho3D',
    urho3d: 'material',
    extensions: ['.xml'],
    roots: ['material'],
    commands: ['inspect', 'validate'],
  },
  scene: {
    title: 'a scene of Urho3D',
    urho3d: 'scene',
    extensions: ['.xml'],
    // A prefab is a node with all that is below it.
    roots: ['scene', 'node'],
    commands: ['cook', 'advise', 'inspect', 'render', 'validate', 'view'],
  },
  record: {
    title: 'the record of a set of Urho3D',
    extensions: ['.json'],
    isObject: ({ generator, target, files }) =>
      generator === 'untold-cook' && target === 'urho3d' && Array.isArray(files),
    commands: ['render', 'validate', 'verify'],
    searched: 'output',
    sharesExtension: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindId = keyof typeof KINDS;

/** The kinds that a command takes. */
export type KindsOf<C extends FileCommand> = {
  [K in KindId]: C extends (typeof KINDS)[K]['commands'][number] ? K : never;
}[KindId];

/** Sources of other programs: nothing of them is known but the scene that their importer makes. */
export type SceneKind = {
  [K in KindId]: (typeof KINDS)[K] extends { readonly searched: 'source' } ? K : never;
}[KindId];

export type KindsOfUrho3d = {
  [K in KindId]: (typeof KINDS)[K] extends { readonly urho3d: Urho3dType } ? K : never;
}[KindId];

export const KIND_IDS = Object.keys(KINDS) as readonly KindId[];

export const kind = (id: KindId): Kind => KINDS[id];

/** Whether a command takes files of a kind. */
export function takes<C extends FileCommand>(command: C, id: KindId | null): id is KindsOf<C> {
  return id !== null && kind(id).commands.includes(command);
}

/** The usual extension of a kind. */
export const extensionOf = (id: KindId): string => KINDS[id].extensions[0];

/** The extensions of some kinds, each once, in the order of the table. */
export function extensionsOf(isWanted: (id: KindId) => boolean): readonly string[] {
  return [...new Set(KIND_IDS.filter(isWanted).flatMap((id) => KINDS[id].extensions))];
}

/** The extensions of all files that a command takes. */
export const extensionsFor = (command: FileCommand): readonly string[] => extensionsOf((id) => takes(command, id));

/** The extensions by which files are looked for in folders. */
export const searchedExtensions = (...as: readonly ('source' | 'output')[]): readonly string[] =>
  extensionsOf((id) => as.some((one) => kind(id).searched === one));
