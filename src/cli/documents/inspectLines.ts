// What `untold inspect` shows of a file, in words.

import type {
  Bounds,
  BpxDocument,
  FileSum,
  FolderDocument,
  GalileoDocument,
  InspectDocument,
  ManifestDocument,
  SceneDocument,
  ShardDocument,
  UntoldDocument,
  UntoldPackDocument,
  Urho3dDocument,
  UtexDocument,
} from '../../index.ts';
import { commonFolder, count, plural, size, table } from '../terminal/words.ts';

function boundsText(bounds: Bounds | null): string {
  if (!bounds) return 'empty';
  const corner = (values: readonly number[]) => values.map((v) => Number(v.toPrecision(6))).join(' ');
  return `(${corner(bounds.min)}) to (${corner(bounds.max)})`;
}

function section(title: string, rows: readonly (readonly string[])[], right: ReadonlySet<number>): string[] {
  return rows.length < 2 ? [] : ['', title, ...table(rows, right).map((line) => `  ${line}`)];
}

function sceneLines(document: SceneDocument): string[] {
  const { source: name, totals } = document;
  const meshes = document.meshes.map((row) => [
    row.path,
    row.type,
    count(row.triangles),
    count(row.vertices),
    count(row.instances),
    row.material ?? row.subsets.map((subset) => subset.material ?? '-').join(' '),
  ]);
  const morphs = document.meshes.flatMap(({ path, morphs: targets = [] }) =>
    targets.map(({ name: target, weight }) => [target, path, String(Number(weight.toPrecision(6)))]),
  );
  const materials = document.materials.map((row) => [
    row.path,
    row.alphaMode,
    Object.entries(row.textures)
      .map(([slot, uri]) => `${slot} ${uri}`)
      .join(', '),
  ]);
  return [
    `${name}: ${document.kind}, ${document.upAxis} up, ${document.metersPerUnit} m a unit`,
    `bounds ${boundsText(document.bounds)}`,
    `${plural(totals.instances, 'instance')} of ${plural(totals.meshes, 'mesh', 'meshes')}, ${plural(totals.triangles, 'triangle')}, ${plural(totals.vertices, 'vertex', 'vertices')}, ${plural(totals.nodes, 'node')}, ${plural(totals.materials, 'material')}, ${plural(totals.textures, 'texture')}`,
    ...section(
      'meshes',
      [['path', 'type', 'triangles', 'vertices', 'instances', 'material'], ...meshes],
      new Set([2, 3, 4]),
    ),
    ...section('morph targets', [['name', 'mesh', 'weight'], ...morphs], new Set([2])),
    ...section('materials', [['path', 'alpha', 'textures'], ...materials], new Set()),
    ...section('files', [['path', 'bytes', 'at byte'], ...(document.entries ?? []).map(entryRow)], new Set([1, 2])),
  ];
}

function entryRow({ path, bytes, offset }: NonNullable<SceneDocument['entries']>[number]): string[] {
  return [path, size(bytes), count(offset)];
}

/** What totals of a .untold file count, of which there may be one. */
const SINGULAR: Readonly<Record<string, string>> = {
  entities: 'entity',
  meshes: 'mesh',
  triangles: 'triangle',
  vertices: 'vertex',
  materials: 'material',
  textures: 'texture',
  lights: 'light',
  cameras: 'camera',
  skeletons: 'skeleton',
  skins: 'skin',
  morphs: 'morph target',
  clips: 'clip',
};

/** Where that is not its key. */
const PLURAL: Readonly<Record<string, string>> = { morphs: 'morph targets' };

/** A texture that is an image file has no format of its own in a .untold file: the name tells. */
function imageFormat(uri: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(uri)?.[1].toUpperCase() ?? 'image';
  return extension === 'JPG' ? 'JPEG' : extension;
}

function untoldLines(description: UntoldDocument): string[] {
  const { source: name, totals } = description;
  const chunks = description.chunks.map((chunk) => [
    chunk.name,
    chunk.compression,
    size(chunk.compressedSize),
    size(chunk.uncompressedSize),
    count(chunk.elementCount),
  ]);
  const hasEdges = description.meshes.some(({ edges }) => edges > 0);
  const meshes = description.meshes.map((mesh) => [
    mesh.name,
    count(mesh.triangles),
    count(mesh.vertices),
    ...(hasEdges ? [count(mesh.edges)] : []),
    mesh.indexType,
    mesh.material === null ? '-' : (description.materials[mesh.material]?.name ?? String(mesh.material)),
  ]);
  const textures = description.textures.map((texture) => [
    texture.uri,
    texture.format === 'unknown' ? imageFormat(texture.uri) : texture.format,
    `${texture.width}x${texture.height}`,
  ]);
  const skeletons = description.skeletons.map(({ name, entity, joints }) => [
    name || '-',
    String(entity),
    count(joints),
  ]);
  const skins = description.skins.map((skin) => [
    description.meshes[skin.mesh]?.name ?? String(skin.mesh),
    String(skin.skeleton),
    count(skin.joints),
    count(skin.vertices),
    skin.influences === null ? '-' : String(skin.influences),
  ]);
  const morphs = description.morphs.map((morph) => [
    morph.name || '-',
    description.meshes[morph.mesh]?.name ?? String(morph.mesh),
    count(morph.entries),
    morph.hasNormals ? 'yes' : 'no',
  ]);
  const clips = description.clips.map((clip) => [
    clip.name || '-',
    Number(clip.duration.toPrecision(6)).toString(),
    count(clip.channels),
    count(clip.translationKeys),
    count(clip.rotationKeys),
  ]);
  return [
    `${name}: .untold version ${description.formatVersion}, ${description.fileType ?? 'unknown type'}, ${size(description.bytes)}`,
    `bounds ${boundsText(description.bounds)}`,
    Object.entries(totals)
      .filter(([, value]) => value > 0)
      .map(([what, value]) => plural(value, SINGULAR[what] ?? what, PLURAL[what] ?? what))
      .join(', '),
    ...section('chunks', [['name', 'compression', 'stored', 'unpacked', 'elements'], ...chunks], new Set([2, 3, 4])),
    ...section(
      'meshes',
      [['name', 'triangles', 'vertices', ...(hasEdges ? ['edges'] : []), 'indices', 'material'], ...meshes],
      new Set([1, 2, ...(hasEdges ? [3] : [])]),
    ),
    ...section('textures', [['uri', 'format', 'size'], ...textures], new Set()),
    ...section('skeletons', [['name', 'entity', 'joints'], ...skeletons], new Set([1, 2])),
    ...section('skins', [['mesh', 'skeleton', 'joints', 'vertices', 'influences'], ...skins], new Set([1, 2, 3, 4])),
    ...section('morph targets', [['name', 'mesh', 'entries', 'normals'], ...morphs], new Set([2])),
    ...section(
      'clips',
      [['name', 'seconds', 'channels', 'translation keys', 'rotation keys'], ...clips],
      new Set([1, 2, 3, 4]),
    ),
  ];
}

function manifestLines({ source: name, manifest, totals }: ManifestDocument): string[] {
  if (!manifest) return [`${name}: a manifest that the engine refuses`];
  const entries = manifest.shared_bucket ? [...manifest.tiles, manifest.shared_bucket] : manifest.tiles;
  const rows = entries.map((tile) => [
    tile.tile_id,
    tile.path_relative_to_manifest,
    size(tile.file_size_bytes),
    String(tile.streaming_radius ?? manifest.streaming_defaults.streaming_radius),
    String(tile.unload_radius ?? manifest.streaming_defaults.unload_radius),
    boundsText(tile.bounds as Bounds),
  ]);
  return [
    `${name}: manifest version ${manifest.version}, ${manifest.partitioning_mode ?? 'no partitioning mode'}`,
    `${plural(manifest.tiles.length, 'tile')}${manifest.shared_bucket ? ' and a shared bucket' : ''}: ${totalWords(totals)}`,
    ...section('tiles', [['id', 'path', 'bytes', 'loads m', 'unloads m', 'bounds'], ...rows], new Set([2, 3, 4])),
  ];
}

/** What an output has on the disk. */
function totalWords({ files, payloads, textures }: ManifestDocument['totals']): string {
  const sum = (of: FileSum, noun: string) => `${plural(of.files, noun)} with ${size(of.bytes)}`;
  return `${sum(payloads, 'payload')}, ${sum(textures, 'texture file')}, ${sum(files, 'file')} in all`;
}

/** A level with the share of the view's height from which it is shown. */
function levelWords({
  screenSize,
  triangles,
}: NonNullable<NonNullable<UntoldPackDocument['pack']>['lodChains']>[string][number]): string {
  return `${triangles === undefined ? '' : `${count(triangles)} `}from ${Number(screenSize.toPrecision(3))}`;
}

function shardLines({ source: name, index, count: parts, scene, tiles, totals }: ShardDocument): string[] {
  return [
    `${name}: part ${index + 1} of ${parts} of the set ${scene}, for \`untold merge\``,
    `${plural(tiles, 'tile')}: ${totalWords(totals)}`,
  ];
}

function packLines({ source: name, pack, files, totals }: UntoldPackDocument): string[] {
  if (pack === null) return [`${name}: pack of models, not sound`];
  const { lodChains = {} } = pack;
  const rows = pack.models.map(({ displayName, path, transform }) => [
    displayName,
    path,
    (lodChains[path] ?? []).map(levelWords).join(', '),
    transform
      .slice(0, 3)
      .map((row) => Number(row[3].toPrecision(6)))
      .join(' '),
  ]);
  return [
    `${name}: pack version ${pack.formatVersion}${pack.sourceAsset === undefined ? '' : `, of ${pack.sourceAsset}`}`,
    `${plural(rows.length, 'model')} in ${plural(files.length, 'file')}, ${plural(Object.keys(lodChains).length, 'chain')} of levels: ${totalWords(totals)}`,
    ...section('models', [['name', 'path', 'levels', 'at'], ...rows], new Set()),
  ];
}

function utexLines(document: UtexDocument): string[] {
  const { source: name, width, height, blockWidth, blockHeight, colorSpace, gpuBytes, gzipBytes } = document;
  const flags = Object.entries(document.flags).flatMap(([flag, isSet]) => (isSet ? [flag] : []));
  const mips = document.mips.map((mip, level) => [
    String(level),
    `${mip.width}x${mip.height}`,
    count(mip.bytes),
    count(mip.offset),
  ]);
  return [
    `${name}: .utex version ${document.formatVersion}, ${size(document.bytes)}`,
    `${document.format}, ${colorSpace ?? 'unknown colour space'}, blocks of ${blockWidth}x${blockHeight}, pixel format ${document.pixelFormat}`,
    `${width}x${height}, ${plural(mips.length, 'mip')}, ${size(gpuBytes)} on the GPU, ${size(gzipBytes)} packed by gzip`,
    `flags ${flags.join(', ') || 'none'}`,
    ...section('mips', [['level', 'size', 'bytes', 'at byte'], ...mips], new Set([0, 2, 3])),
  ];
}

function bpxLines(document: BpxDocument): string[] {
  const { source: name, type, layout, formatVersion, bytes, totals, files } = document;
  const sections = document.sections.map((row) => [
    String(row.number),
    String(row.type),
    size(row.stored),
    row.unpacked === null ? '-' : size(row.unpacked),
    count(row.offset),
  ]);
  const rows = files.map((file) => [file.path, size(file.bytes)]);
  return [
    `${name}: BPX ${type}, layout ${layout}, version ${formatVersion}, ${size(bytes)}`,
    Object.entries(totals)
      .map(([what, value]) => `${what} ${count(value)}`)
      .join(', ') || 'its content cannot be read',
    ...section(
      'sections',
      [['number', 'type', 'stored', 'unpacked', 'at byte'], ...sections],
      new Set([0, 1, 2, 3, 4]),
    ),
    ...section('files', [['path', 'bytes'], ...rows], new Set([1])),
  ];
}

function galileoLines({ source: name, uuid, bytes, totals, groups, extensions }: GalileoDocument): string[] {
  const rows = groups.map((group, i) =>
    [i, group.vertices, group.triangles, group.texcoords, group.colors, group.joints].map(count),
  );
  return [
    `${name}: Galileo mesh ${uuid}, ${size(bytes)}`,
    `${plural(totals.groups, 'group')}, ${plural(totals.vertices, 'vertex', 'vertices')}, ${plural(totals.triangles, 'triangle')}`,
    ...section(
      'groups',
      [['group', 'vertices', 'triangles', 'texcoords', 'colours', 'joints'], ...rows],
      new Set([0, 1, 2, 3, 4, 5]),
    ),
    ...section(
      'extensions',
      [['name', 'version', 'bytes'], ...extensions.map((row) => [row.name, String(row.version), size(row.bytes)])],
      new Set([1, 2]),
    ),
  ];
}

function urho3dLines(document: Urho3dDocument): string[] {
  const { source: name, type, variant, bytes, totals, geometries, names, files } = document;
  const rows = geometries.map(({ vertices, levels, elements }, i) => [
    count(i),
    count(vertices),
    levels.map(({ distance, triangles }) => `${count(triangles)} from ${Number(distance.toPrecision(4))}`).join(', '),
    elements.join(', '),
  ]);
  return [
    `${name}: Urho3D ${type}${variant === null ? '' : ` ${variant}`}, ${size(bytes)}`,
    Object.entries(totals)
      .map(([what, value]) => `${what} ${what === 'seconds' ? Number(value.toPrecision(6)) : count(value)}`)
      .join(', '),
    ...section('geometries', [['geometry', 'vertices', 'triangles', 'elements'], ...rows], new Set([0, 1])),
    ...section('names', [['name'], ...names.map((one) => [one])], new Set()),
    ...section('files', [['path', 'bytes'], ...files.map((file) => [file.path, size(file.bytes)])], new Set([1])),
  ];
}

function folderLines({ source, files }: FolderDocument): string[] {
  const folder = commonFolder(files.map(({ path }) => path));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = files.map((file) => [file.kind, size(file.bytes), file.path.slice(folder.length)]);
  return [
    `${source}: ${plural(files.length, 'file')}, ${size(bytes)}`,
    ...section('files', [['kind', 'bytes', folder], ...rows], new Set([1])),
  ];
}

export function inspectLines(document: InspectDocument): string[] {
  if (document.kind === 'untold') return untoldLines(document);
  if (document.kind === 'folder') return folderLines(document);
  if (document.kind === 'utex') return utexLines(document);
  if (document.kind === 'bpx') return bpxLines(document);
  if (document.kind === 'gali') return galileoLines(document);
  if (document.kind === 'untoldpack') return packLines(document);
  if (document.kind === 'shard') return shardLines(document);
  if (document.kind === 'urho3d') return urho3dLines(document);
  return document.kind === 'manifest' ? manifestLines(document) : sceneLines(document);
}
