// Materials of a zone's surroundings joined, where a device carries no more draws: those that differ in factors and textures alone
// become one whose textures are atlases. Nothing is resampled to fewer texels than the eyes can tell.

import { atlasUvs } from '../../../geometry/hlod/atlasUvs.ts';
import { factorsOf, type MaterialFactor, type TextureSlot, texturesFrom } from '../../../scene/materialSlots.ts';
import { MAX_PALETTE_COLORS } from '../../../scene/palette.ts';
import type { Scene, SceneImage, SceneMaterial, TextureUse } from '../../../scene/types.ts';
import {
  type AtlasLayout,
  type AtlasRoom,
  atlasLayout,
  colorUv,
  imageUv,
  MAX_ATLAS_SIDE,
} from '../../../textures/atlas/atlasLayout.ts';
import { MAX_DECODED_PIXELS } from '../../../textures/decode/sizeLimit.ts';
import { encodePng } from '../../../textures/encode/png.ts';
import type { ZoneMesh } from '../../../zone/thin.ts';
import type { ZoneView } from '../keptMeshes.ts';
import { ZONE_PATH } from '../leftScene.ts';
import { type InfoOf, imageInfos, type Member, membersOf } from './members.ts';
import { DecodedImages, paintedMember, peakOf, place, SHEETS, type Sheet } from './paint.ts';

/**
 * Texels around an image in which it goes on, and the step in which images lie: texels of the mips 0 to 4 mix no two images. Corners
 * of up to 1024 texels are exact to a quarter of a texel in half floats.
 */
const ROOM: AtlasRoom = { sides: [MAX_ATLAS_SIDE], gutter: 8, step: 16, max: MAX_ATLAS_SIDE };
/** The set of UVs of joined meshes. */
const UV_SET = 'atlas';

/** What stands in the place of joined materials. */
export interface Joined {
  readonly meshes: readonly ZoneMesh[];
  /** The materials and images of the scene, and then those that were made. */
  readonly materials: readonly SceneMaterial[];
  readonly images: readonly SceneImage[];
  /** Of the scene: those that others were made of. */
  readonly gone: ReadonlySet<number>;
}

/** Some members in one atlas. */
interface Group {
  readonly members: readonly Member[];
  readonly layout: AtlasLayout;
}

/** Joins the materials of a scene; what it decodes is kept for the next time. */
export class MaterialJoiner {
  readonly #scene: Scene;
  readonly #view: ZoneView;
  readonly #infoOf: InfoOf;
  readonly #images: DecodedImages;

  /** `maxPixels`: of an image that is decoded, at most. */
  constructor(scene: Scene, view: ZoneView, maxPixels = MAX_DECODED_PIXELS) {
    this.#scene = scene;
    this.#view = view;
    this.#infoOf = imageInfos(scene, maxPixels);
    this.#images = new DecodedImages(scene, this.#infoOf);
  }

  /** The meshes with fewer materials; null: none of them can be joined. Throws UC1101 and UC1102. */
  async join(meshes: readonly ZoneMesh[]): Promise<Joined | null> {
    const members = await membersOf(this.#scene, meshes, this.#view, this.#infoOf);
    const materials = [...this.#scene.materials];
    const images = [...this.#scene.images];
    const gone = new Set<number>();
    const made: ZoneMesh[] = [];
    for (const group of groupsOf(members)) {
      const sheets = await this.#sheets(group);
      if (sheets === null) continue;
      const name = `joined_${materials.length - this.#scene.materials.length}`;
      const key = String(materials.length);
      const first = images.length;
      for (const { sheet, data } of sheets) images.push(sheetImage(name, sheet, data, group.layout));
      materials.push(joinedMaterial(name, group.members, new Map(sheets.map(({ sheet }, i) => [sheet, first + i]))));
      for (const [i, member] of group.members.entries()) {
        gone.add(member.index);
        for (const one of member.meshes) {
          const mesh = atlasUvs([one.mesh], [uvOf(group, i)]);
          made.push({ ...one, key, mesh, isTextured: true });
        }
      }
    }
    if (gone.size === 0) return null;
    const rest = meshes.filter(({ key }) => !gone.has(Number(key)));
    return { meshes: [...rest, ...made], materials, images, gone };
  }

  /** The images of an atlas, rgb; null: one of those that it is made of cannot be decoded. */
  async #sheets({ members, layout }: Group): Promise<{ readonly sheet: Sheet; readonly data: Uint8Array }[] | null> {
    const sheets: { readonly sheet: Sheet; readonly data: Uint8Array }[] = [];
    for (const sheet of SHEETS) {
      if (!isNeeded(sheet, members)) continue;
      const data = new Uint8Array(layout.width * layout.height * 3);
      const peak = peakOf(members);
      for (const [i, member] of members.entries()) {
        const { rect, border } = placeOf({ members, layout }, i);
        const texels = await paintedMember(member, rect, border, sheet, peak, this.#images);
        if (texels === null) return null;
        place(data, layout, rect, border, texels);
      }
      sheets.push({ sheet, data });
    }
    return sheets;
  }
}

/** Members of one kind, as many in an atlas as have room; those that are alone stay as they are. */
function groupsOf(members: readonly Member[]): Group[] {
  const kinds = new Map<string, Member[]>();
  for (const member of members) kinds.set(member.kind, [...(kinds.get(member.kind) ?? []), member]);
  const groups: Group[] = [];
  for (let left of kinds.values()) {
    while (left.length > 1) {
      const plain = left.filter(({ picture }) => picture === null).slice(0, MAX_PALETTE_COLORS);
      const pictured = left.filter(({ picture }) => picture !== null);
      const sizes = pictured.map(({ picture, index }) => ({ ...picture!, name: String(index).padStart(8, '0') }));
      const layout = atlasLayout(sizes, plain.length, ROOM);
      const fitting = layout.images.flatMap((rect, i) => (rect === null ? [] : [i]));
      const own = [...plain, ...fitting.map((i) => pictured[i])];
      if (own.length < 2) break;
      groups.push({ members: own, layout: { ...layout, images: fitting.map((i) => layout.images[i]) } });
      const taken = new Set(own);
      left = left.filter((member) => !taken.has(member));
    }
  }
  return groups;
}

const plainCount = ({ members }: Group): number => members.filter(({ picture }) => picture === null).length;

/** Where a member lies: plain ones come first, as cells of a palette. */
function placeOf(group: Group, i: number) {
  const { layout } = group;
  const plain = plainCount(group);
  if (i >= plain) return { rect: layout.images[i - plain]!, border: ROOM.gutter };
  const { x, y, layout: palette } = layout.palette!;
  const { cell, columns } = palette;
  const [column, row] = [i % columns, Math.floor(i / columns)];
  return { rect: { x: x + column * cell, y: y + row * cell, width: cell, height: cell }, border: 0 };
}

function uvOf(group: Group, i: number) {
  const plain = plainCount(group);
  if (i < plain) return colorUv(group.layout, i);
  const rect = imageUv(group.layout, group.layout.images[i - plain]!);
  return { repeats: group.members[i].picture!.repeats, rect };
}

/** Whether members differ in what a sheet holds, or have textures of it. */
function isNeeded(sheet: Sheet, members: readonly Member[]): boolean {
  const [{ material: first }] = members;
  const has = (...slots: readonly TextureSlot[]) =>
    members.some(({ material }) => slots.some((slot) => material.textures[slot] !== undefined));
  const differ = (...factors: readonly MaterialFactor[]) =>
    members.some(({ material }) => factors.some((factor) => String(material[factor]) !== String(first[factor])));
  switch (sheet) {
    case 'baseColor':
      return true;
    case 'normal':
      return has('normal');
    case 'emissive':
      return has('emissive') || differ('emissive');
    case 'surface':
      return has('occlusion', 'metallic', 'roughness') || differ('metallic', 'roughness');
  }
}

function sheetImage(name: string, sheet: Sheet, data: Uint8Array, { width, height }: AtlasLayout): SceneImage {
  let png: Promise<Uint8Array> | null = null;
  const read = () => {
    png ??= encodePng(data, width, height, false);
    return png;
  };
  const path = `${ZONE_PATH}/${name}/${sheet}`;
  return { path, uri: '', stem: `${name}_${sheet}`, file: '', isAtlas: true, read };
}

/** One material that looks like each of the members where the images of the sheets have what they show. */
function joinedMaterial(name: string, members: readonly Member[], images: ReadonlyMap<Sheet, number>): SceneMaterial {
  const [{ material: first }] = members;
  const use = (sheet: Sheet, channel: TextureUse['channel']): TextureUse | undefined => {
    const image = images.get(sheet);
    if (image === undefined) return undefined;
    return {
      image,
      uvSet: UV_SET,
      transform: null,
      wrapS: 'clamp',
      wrapT: 'clamp',
      channel,
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      colorSpace: sheet === 'baseColor' || sheet === 'emissive' ? 'srgb' : 'linear',
    };
  };
  const occlusion = first.textures.occlusion && use('surface', 'r');
  const textures: { readonly [S in TextureSlot]?: TextureUse | undefined } = {
    baseColor: use('baseColor', 'rgb'),
    metallic: use('surface', 'b'),
    roughness: use('surface', 'g'),
    emissive: use('emissive', 'rgb'),
    normal: use('normal', 'rgb'),
    occlusion,
  };
  return {
    name,
    path: `${ZONE_PATH}/${name}`,
    alphaMode: 'opaque',
    alphaCutoff: first.alphaCutoff,
    doubleSided: first.doubleSided,
    usesVertexColors: false,
    // Members of one kind agree in each factor that no sheet holds.
    ...factorsOf(first),
    baseColor: [1, 1, 1, 1],
    ...(images.has('surface') && { metallic: 1, roughness: 1 }),
    ...(images.has('emissive') && { emissive: peakOf(members) }),
    textures: texturesFrom((slot) => textures[slot]),
  };
}
