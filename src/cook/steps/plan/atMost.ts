// What the output of a plan takes on the disk at most. Textures are planned as a cook plans them, and their sizes follow from
// those of their images; nothing is decoded or encoded. Levels are never larger than full detail.

import type { RiggedScene } from '../../../animation/rig.ts';
import { sha256Hex } from '../../../bytes/sha256.ts';
import { DEFAULT_FORMAT, FORMATS, type FormatId } from '../../../formats/registry.ts';
import { textureFiles } from '../../../formats/textureFiles.ts';
import { smallerUtexSizes, utexBytes } from '../../../formats/utex/sizes.ts';
import type { RigClip } from '../../../scene/rig.ts';
import type { SceneMaterial } from '../../../scene/types.ts';
import { isGltfImage } from '../../../textures/decode/probe.ts';
import { type EncodedImage, sizeOfTexels, staysWhole, type UnreadRequest } from '../../../textures/makeFile.ts';
import { fitSize } from '../../../textures/mips/fitSize.ts';
import { prepareMaterials } from '../../../textures/prepare.ts';
import { KEPT_TEXTURES, type TextureFile, type TextureSettings } from '../../../textures/types.ts';
import { DEFAULT_MATERIAL } from '../../../workers/jobs.ts';
import type { Output } from '../../outputs/output.ts';
import type { CookPlan, PlannedPayload } from '../../planned.ts';
import type { Session } from '../../session.ts';
import { gradeFile } from '../textures/colorGrade.ts';
import { densityReader, uvReader } from '../textures/uvTriangles.ts';
import { planColors } from '../textures/vertexColors.ts';
import type { FilesAtMost, OutputAtMost } from './planOutcome.ts';

const NOTHING: FilesAtMost = { files: 0, bytes: 0 };

const plus = (a: FilesAtMost, b: FilesAtMost): FilesAtMost => ({ files: a.files + b.files, bytes: a.bytes + b.bytes });

/** Bytes of a PNG of so many texels at most: stored as they are, with the lengths of blocks and chunks. */
const pngBytes = (width: number, height: number, channels: number): number =>
  Math.ceil((width * channels + 1) * height * 1.003) + 1024;

/** Of an image that is copied: marks of its colour space may come in. */
const COPY_MARKS = 128;

/** Bytes of the file of a request at most, and the size of its largest mip. */
async function fileAtMost({ texels, role, isWhole }: UnreadRequest, settings: TextureSettings) {
  const { mode, pot, maxSize } = settings;
  const { width, height } = sizeOfTexels(texels);
  if (mode === 'utex') {
    const [w, h] = fitSize(width, height, { pot, max: maxSize });
    return { bytes: utexBytes(role, w, h), width: w, height: h };
  }
  const stays = ({ info }: Pick<EncodedImage, 'info'>) =>
    mode === 'keep' ? !isWhole || isGltfImage(info) : isWhole === true && staysWhole(info, mode);
  const bytes =
    texels.kind === 'image' && stays(texels.image)
      ? (await texels.image.read()).length + COPY_MARKS
      : pngBytes(width, height, 4);
  return { bytes, width, height };
}

/** A file that a cook would make, or one that equals another with its key. */
interface PlannedFile {
  readonly key: string;
  readonly bytes: number;
}

interface MadeFile extends PlannedFile {
  readonly role: UnreadRequest['role'];
  /** Of its largest mip. */
  readonly width: number;
  readonly height: number;
}

/** Equal for requests that give the same file, in other sources too. `own`: of this request alone, which counts where charts do. */
function keyOf({ texels, roughness, ...asked }: UnreadRequest, own: string): string {
  const partOf = (source: UnreadRequest['texels']): unknown => {
    if (source.kind === 'texels') return [source.image.width, source.image.height, sha256Hex(source.image.data)];
    if (source.kind === 'image') return source.image.hash();
    if (source.kind === 'packed') {
      return [source.roughness, source.metallic].map((part) => part && [part.channel, partOf(part.texels)]);
    }
    return [source.images.map((image) => image.hash()), source.recipe, source.charts === null ? null : own];
  };
  const parts = [partOf(texels), roughness && [partOf(roughness.normals), roughness.channel], asked];
  return sha256Hex(new TextEncoder().encode(JSON.stringify(parts))).slice(0, 16);
}

/** Stands for a file that is not made: its bytes are its key. */
function standIn(key: string, extension: string, width: number, height: number): TextureFile {
  return { bytes: new TextEncoder().encode(key), extension, width, height, format: 0, mipCount: 1 };
}

/**
 * The texture files of a plan with the smaller ones that its levels may draw. Reads the heads of images, and the bytes of those
 * that are copied; reports and throws what is wrong with them, as a cook does.
 */
async function texturesAtMost(plan: CookPlan, { job, diagnostics }: Session): Promise<readonly PlannedFile[]> {
  const { settings } = job;
  const { scene, objects, levels } = plan;
  const format = settings.format ?? DEFAULT_FORMAT;
  if (FORMATS[format].textures.length === 0) return [];
  const textureSettings = settings.textures ?? KEPT_TEXTURES;
  const made = new Map<string, MadeFile>();
  const meshes = new Set(
    [...objects.map(({ node }) => node), ...authoredNodes(plan)].map((node) => scene.nodes[node].mesh),
  );
  const prepared = await prepareMaterials(
    scene,
    {
      ...settings,
      mode: textureSettings.mode,
      maxPixels: job.limits?.pixels,
      readUvDensity: densityReader(scene, meshes),
      makeFile: async (request) => {
        const file = await fileAtMost(request, textureSettings);
        const key = keyOf(request, `${job.source} ${made.size}`);
        made.set(key, { ...file, role: request.role, key });
        const extension = textureSettings.mode === 'utex' ? 'utex' : 'png';
        return { file: standIn(key, extension, file.width, file.height), clipped: 0, clamped: false };
      },
    },
    uvReader(scene, meshes),
    diagnostics,
  );
  const material = (index: number) => (index < 0 ? DEFAULT_MATERIAL : prepared.materials[index]);
  const colors = await planColors(scene, meshes, material, textureFiles(textureSettings), FORMATS[format]);
  const hasSmaller = levels !== null && textureSettings.mode === 'utex';
  const files = prepared.textures.flatMap(({ bytes }): PlannedFile[] => {
    const file = made.get(new TextDecoder().decode(bytes ?? undefined)) as MadeFile;
    const { key, role, width, height, bytes: size } = file;
    const smaller = hasSmaller ? smallerUtexSizes(role, width, height) : [];
    return [size, ...smaller].map((one, i) => ({ key: `${key} ${i}`, bytes: one }));
  });
  return [...files, ...colors.textures.map(({ bytes, sha256 }) => ({ key: sha256, bytes: bytes.length }))];
}

const authoredNodes = ({ authored }: CookPlan): readonly number[] =>
  [...authored.objectsOf.values()].flat().flatMap(({ coarser }) => coarser.flat());

/** What a vertex takes: as .untold packs it, and in files of floating-point numbers with three UVs and a colour. */
const PACKED_VERTEX_BYTES = 32;
const FLOAT_VERTEX_BYTES = 96;
/** What four influences take, and what a morph target moves: position, normal and tangent. */
const INFLUENCE_BYTES = 24;
const MORPH_BYTES = 40;
const TRIANGLE_BYTES = 12;
/** A mesh in a binary file and in JSON or XML, with its entity, its material and its names. */
const PACKED_MESH_BYTES = 1024;
const WRITTEN_MESH_BYTES = 4096;
/** Of a file whatever is in it. */
const FILE_BYTES = 2048;
/** A cut may multiply the triangles of an object by so much. */
const CUT_TIMES = 2;

/** Bytes of a payload of these objects at most: no corner of a triangle need share its vertex. */
function payloadAtMost({ objects, tree = [] }: PlannedPayload, plan: CookPlan, format: FormatId): number {
  const isCompact = format === DEFAULT_FORMAT;
  const [vertexBytes, meshBytes] = isCompact
    ? [PACKED_VERTEX_BYTES, PACKED_MESH_BYTES]
    : [FLOAT_VERTEX_BYTES, WRITTEN_MESH_BYTES];
  const bones = FORMATS[format].tree === 'bones' && tree.length > 0 ? INFLUENCE_BYTES : 0;
  const moved = plan.rig ? INFLUENCE_BYTES + MORPH_BYTES * mostMorphs(plan.rig) : 0;
  let bytes = FILE_BYTES;
  for (const { triangles, vertices, draws, piece } of objects) {
    const times = piece ? CUT_TIMES : 1;
    const corners = Math.max(vertices, triangles * 3) * times;
    bytes += corners * (vertexBytes + moved + bones) + triangles * times * TRIANGLE_BYTES;
    bytes += Math.max(1, draws.length) * meshBytes;
  }
  for (const { extras } of tree) bytes += meshBytes + (extras === undefined ? 0 : JSON.stringify(extras).length * 4);
  return bytes;
}

const mostMorphs = ({ ofNode }: RiggedScene): number =>
  [...ofNode.values()].reduce((most, { morphs = [] }) => Math.max(most, morphs.length), 0);

/** A key of a curve: its time, and at most a matrix. */
const KEY_BYTES = 96;

const clipBytes = (clip: RigClip): number => FILE_BYTES + JSON.stringify(clip, plainArrays).length + KEY_BYTES;

/** Typed arrays as lists: a number in text has at least as many bytes as in a file. */
function plainArrays(_key: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? '0'.repeat(value.byteLength * 2) : value;
}

/** Whether a material shines by itself: proxies then have a texture of its light too. */
const shines = ({ emissive, textures }: SceneMaterial): boolean =>
  textures.emissive !== undefined || emissive.some((value) => value > 0);

/** The levels of all payloads, each at most as large as full detail, with the textures that proxies are painted with. */
function levelsAtMost(plan: CookPlan, geometry: FilesAtMost, { job }: Session): FilesAtMost {
  const { levels, chains, clusters, scene } = plan;
  const { settings } = job;
  const { hlodTextureSize = null, hlodLevels = 1 } = settings;
  if (chains) {
    const count = chains.ratios?.length ?? MOST_CHAIN_LEVELS;
    return { files: geometry.files * count, bytes: geometry.bytes * count };
  }
  if (levels === null) return NOTHING;
  const proxies = levels.hlod === null ? 0 : 1;
  const shared = clusters && clusters.length > 0 ? hlodLevels - 1 : 0;
  const count = levels.lods.length + proxies + shared;
  const painted = proxies === 0 ? 0 : geometry.files + (clusters?.length ?? 0);
  const side = hlodTextureSize ?? MOST_ATLAS_SIDE;
  const mode = settings.textures?.mode ?? 'keep';
  const bytes = mode === 'utex' ? utexBytes('color', side, side) : pngBytes(side, side, 3);
  const textures = painted * (scene.materials.some(shines) ? 2 : 1);
  return {
    // Clusters have a file that draws nothing in common.
    files: geometry.files * count + (clusters?.length ?? 0) + 1 + textures,
    bytes: geometry.bytes * count + FILE_BYTES + textures * bytes,
  };
}

const MOST_CHAIN_LEVELS = 8;
const MOST_ATLAS_SIDE = 1024;

/** What tells of a payload in the main file and in the plan map. */
const LISTED_BYTES = 4096;
const MAIN_BYTES = 32_768;

/** A file of a material, or of how a texture repeats. */
const SMALL_FILE_BYTES = 4096;
/** Files that a texture becomes where each channel that is read by itself is one, and each has a description beside it. */
const SPREAD_TIMES = 6;

/** Textures as the format has them: in the files that use them, each its own, or in several files with a description each. */
function storedTextures(textures: FilesAtMost, payloads: FilesAtMost, format: FormatId): FilesAtMost {
  if (FORMATS[format].isWhole) return { files: 0, bytes: textures.bytes * payloads.files };
  if (format === DEFAULT_FORMAT) return textures;
  const files = textures.files * SPREAD_TIMES;
  return { files, bytes: textures.bytes * SPREAD_TIMES + files * SMALL_FILE_BYTES };
}

/** What lies beside the payloads: main file, plan map, clips, colour grade; materials and lists where they are files. */
function otherAtMost(plan: CookPlan, models: number, { job, diagnostics }: Session): FilesAtMost {
  const { format = DEFAULT_FORMAT } = job.settings;
  const clips = (plan.rig?.clips ?? []).map((clip) => ({ files: 1, bytes: clipBytes(clip) }));
  const grade = job.colorGrade === undefined ? null : gradeFile(job.colorGrade, job.source, diagnostics);
  const isSingle = plan.tiles === null && plan.placements === undefined;
  const isSpread = format !== DEFAULT_FORMAT && !FORMATS[format].isWhole;
  // A list for each model, and a material for each kind of surface of a proxy.
  const small = isSpread ? models * 4 + plan.scene.materials.length + 2 : 0;
  return [
    ...clips,
    ...(grade ? [{ files: 1, bytes: grade.bytes.length }] : []),
    ...(isSingle ? [] : [{ files: 2, bytes: MAIN_BYTES + LISTED_BYTES * models }]),
    { files: small, bytes: small * SMALL_FILE_BYTES },
  ].reduce(plus, NOTHING);
}

/** What a cook of the plan would write at most. Reports and throws what is wrong with images. */
export async function outputAtMost(plan: CookPlan, session: Session, output: Output): Promise<OutputAtMost> {
  const format = session.job.settings.format ?? DEFAULT_FORMAT;
  const files = await texturesAtMost(plan, session);
  const payloads: FilesAtMost = {
    files: plan.payloads.length,
    bytes: plan.payloads.reduce((sum, payload) => sum + payloadAtMost(payload, plan, format), 0),
  };
  const made: FilesAtMost = { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  const textures = storedTextures(made, payloads, format);
  const levels = levelsAtMost(plan, payloads, session);
  const other = otherAtMost(plan, payloads.files + levels.files, session);
  const { bytes } = [payloads, textures, levels, other].reduce(plus);
  const isCommon = output.textures !== undefined && !FORMATS[format].isWhole;
  return { bytes, payloads, textures, ...(isCommon ? { common: files } : {}), levels, other };
}
