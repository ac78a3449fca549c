// The factors and the texture slots of a material, each once: what they mean, where a material without them stands, and how
// documents and file formats call them where one name of theirs is one of ours. Importers, bake, formats, documents and the
// viewer loop over the two tables, whose types are those of the Scene. What differs by more than a name stays where it is
// used: how a slot is baked (textures/bake/recipes.ts), how glTF packs two slots in one image (formats/glb/materials.ts).

type Vec3 = readonly [number, number, number];
type Vec4 = readonly [number, number, number, number];

/** The keys that lead from a material of glTF to the object that holds a property of it; none: the material itself does. */
export type GltfHolder = readonly string[];

interface FactorKind {
  /** The value of a glTF material that does not say another (glTF 2.0, 3.9.6). */
  readonly initial: number | Vec3 | Vec4;
  /** Field of the material record of `.untold`. */
  readonly untold: string;
  /** Null: glTF has no such factor. */
  readonly gltf: { readonly holder: GltfHolder; readonly key: string } | null;
  /** Whether the documents of inspect list it. */
  readonly listed: boolean;
}

/** In the order of documents. */
export const MATERIAL_FACTORS = {
  /** Linear rgb and straight alpha; multiplies the texture. */
  baseColor: {
    initial: [1, 1, 1, 1],
    untold: 'baseColorFactor',
    gltf: { holder: ['pbrMetallicRoughness'], key: 'baseColorFactor' },
    listed: true,
  },
  metallic: {
    initial: 1,
    untold: 'metallicFactor',
    gltf: { holder: ['pbrMetallicRoughness'], key: 'metallicFactor' },
    listed: true,
  },
  roughness: {
    initial: 1,
    untold: 'roughnessFactor',
    gltf: { holder: ['pbrMetallicRoughness'], key: 'roughnessFactor' },
    listed: true,
  },
  /** How steep the slopes of the normal map are: multiplies X and Y of its vectors. */
  normalScale: {
    initial: 1,
    untold: 'normalScale',
    gltf: { holder: ['normalTexture'], key: 'scale' },
    listed: false,
  },
  /** How much of the occlusion counts: 1 + strength * (texel - 1). */
  occlusionStrength: {
    initial: 1,
    untold: 'occlusionStrength',
    gltf: { holder: ['occlusionTexture'], key: 'strength' },
    listed: false,
  },
  /** Linear, strength multiplied in; may exceed 1. */
  emissive: {
    initial: [0, 0, 0],
    untold: 'emissiveFactor',
    gltf: { holder: [], key: 'emissiveFactor' },
    listed: true,
  },
  /** How much light passes the surface, as through glass: scene/transmission.ts. 0: it is solid. */
  transmission: {
    initial: 0,
    untold: 'transmissionFactor',
    // KHR_materials_transmission has it.
    gltf: null,
    listed: true,
  },
} as const satisfies Readonly<Record<string, FactorKind>>;

export type MaterialFactor = keyof typeof MATERIAL_FACTORS;

type ValueOf<T> = T extends readonly unknown[] ? { readonly [K in keyof T]: number } : number;

/** Every factor of a material. */
export type MaterialFactors = {
  readonly [F in MaterialFactor]: ValueOf<(typeof MATERIAL_FACTORS)[F]['initial']>;
};

/** What the texels of a height map mean to the engine. */
export interface HeightMap {
  /** How far apart the lowest and the highest point lie, in texture coordinates. */
  readonly scale: number;
  /** The value of texels at the mesh itself, after the remap. */
  readonly midlevel: number;
  /** The range of texels that is stretched to 0 to 1. */
  readonly remapMin: number;
  readonly remapMax: number;
}

interface SlotKind {
  /** What people read. */
  readonly title: string;
  /** What its texels are: colours in sRGB, tangent-space normals, linear values, or heights of 16 bits. */
  readonly texels: 'color' | 'normal' | 'data' | 'height';
  /** The factor that multiplies or scales its texels; null: HeightMap says what they mean. */
  readonly factor: MaterialFactor | null;
  /**
   * Where the slot's texels go in its file. 'color': to red, green and blue. 'anyChannel': they stay in the channel where
   * they are, and the material says which that is. 'red': into red. 'alphaOfBaseColor': into the file of the base colour,
   * so that the slot has none of its own.
   */
  readonly stored: 'color' | 'anyChannel' | 'red' | 'alphaOfBaseColor';
  /** Texture flags of `.untold` that its file gets: srgb 1, normalMap 2, height 8, emissive 64, occlusion 128. */
  readonly flags: number;
  /** Whether pictures and the viewer draw it; otherwise it is stored only. */
  readonly drawn: boolean;
  /** The texels of its placeholder, 0 to 255; 'pattern': magenta and black squares, to be seen; null: it gets none. */
  readonly placeholder: Vec3 | 'pattern' | null;
  /**
   * What becomes of the factor where the texture cannot be used: beside a texture, exporters write factors that must not show
   * alone. `factor`: the value, or 'authored'. `words`: for messages. `unlessReplaced`: a placeholder makes it so by itself.
   * Null: the factor stays as the bake has left it.
   */
  readonly lost: {
    readonly factor: number | Vec3 | 'authored';
    readonly words: string;
    readonly unlessReplaced: boolean;
  } | null;
  /** The textureInfo of glTF, and what it reads of a texel. Null: glTF has none. */
  readonly gltf: {
    readonly holder: GltfHolder;
    readonly key: string;
    readonly channel: 'rgb' | 'r' | 'g' | 'b' | 'a';
  } | null;
  /** Input of UsdPreviewSurface. */
  readonly usd: string;
  /** Texture unit of Urho3D that holds this slot alone. Null: none. */
  readonly urho3d: 'diffuse' | 'normal' | 'emissive' | null;
}

/** In the order in which textures are read, and their files named and listed. */
export const MATERIAL_SLOTS = {
  baseColor: {
    title: 'base colour',
    texels: 'color',
    factor: 'baseColor',
    stored: 'color',
    flags: 1,
    drawn: true,
    placeholder: 'pattern',
    lost: null,
    gltf: { holder: ['pbrMetallicRoughness'], key: 'baseColorTexture', channel: 'rgb' },
    usd: 'diffuseColor',
    urho3d: 'diffuse',
  },
  /** Alone decides the alpha: the base colour image has none of its own without it. */
  opacity: {
    title: 'opacity',
    texels: 'data',
    factor: 'baseColor',
    stored: 'alphaOfBaseColor',
    flags: 0,
    drawn: true,
    placeholder: null,
    lost: null,
    gltf: null,
    usd: 'opacity',
    urho3d: null,
  },
  normal: {
    title: 'normal',
    texels: 'normal',
    factor: 'normalScale',
    stored: 'color',
    flags: 2,
    drawn: true,
    placeholder: [128, 128, 255],
    lost: null,
    gltf: { holder: [], key: 'normalTexture', channel: 'rgb' },
    usd: 'normal',
    urho3d: 'normal',
  },
  metallic: {
    title: 'metallic',
    texels: 'data',
    factor: 'metallic',
    stored: 'anyChannel',
    flags: 0,
    drawn: true,
    placeholder: [255, 255, 255],
    lost: { factor: 0, words: 'metallic 0', unlessReplaced: false },
    gltf: { holder: ['pbrMetallicRoughness'], key: 'metallicRoughnessTexture', channel: 'b' },
    usd: 'metallic',
    urho3d: null,
  },
  roughness: {
    title: 'roughness',
    texels: 'data',
    factor: 'roughness',
    stored: 'anyChannel',
    flags: 0,
    drawn: true,
    placeholder: [255, 255, 255],
    lost: { factor: 'authored', words: 'roughness at its factor', unlessReplaced: false },
    gltf: { holder: ['pbrMetallicRoughness'], key: 'metallicRoughnessTexture', channel: 'g' },
    usd: 'roughness',
    urho3d: null,
  },
  emissive: {
    title: 'emission',
    texels: 'color',
    factor: 'emissive',
    stored: 'color',
    flags: 64 | 1,
    drawn: true,
    placeholder: [0, 0, 0],
    lost: { factor: [0, 0, 0], words: 'emission 0', unlessReplaced: true },
    gltf: { holder: [], key: 'emissiveTexture', channel: 'rgb' },
    usd: 'emissiveColor',
    urho3d: 'emissive',
  },
  occlusion: {
    title: 'occlusion',
    texels: 'data',
    factor: 'occlusionStrength',
    stored: 'red',
    flags: 128,
    drawn: false,
    placeholder: [255, 255, 255],
    lost: null,
    gltf: { holder: [], key: 'occlusionTexture', channel: 'r' },
    usd: 'occlusion',
    urho3d: null,
  },
  /** How far the surface lies above or below its mesh, for parallax: HeightMap. */
  height: {
    title: 'height',
    texels: 'height',
    factor: null,
    stored: 'red',
    flags: 8,
    drawn: false,
    placeholder: [128, 128, 128],
    lost: null,
    gltf: null,
    usd: 'displacement',
    urho3d: null,
  },
} as const satisfies Readonly<Record<string, SlotKind>>;

export type TextureSlot = keyof typeof MATERIAL_SLOTS;

type SlotStored<How extends SlotKind['stored']> = {
  [S in TextureSlot]: (typeof MATERIAL_SLOTS)[S]['stored'] extends How ? S : never;
}[TextureSlot];

/** Slots that become files. */
export type FileSlot = Exclude<TextureSlot, SlotStored<'alphaOfBaseColor'>>;

/** Slots whose files need a plan of their own (textures/bake/recipes.ts). */
export type PlannedSlot = Exclude<FileSlot, SlotStored<'red'>>;

/** Which channel of its file each slot reads that may lie in any: 0 r, 1 g, 2 b, 3 a. */
export type SlotChannels = { readonly [S in SlotStored<'anyChannel'> as `${S}Channel`]: number };

export const slotKind = (slot: TextureSlot): SlotKind => MATERIAL_SLOTS[slot];
export const factorKind = (factor: MaterialFactor): FactorKind => MATERIAL_FACTORS[factor];

export const FACTORS = Object.keys(MATERIAL_FACTORS) as readonly MaterialFactor[];
export const TEXTURE_SLOTS = Object.keys(MATERIAL_SLOTS) as readonly TextureSlot[];
export const FILE_SLOTS = TEXTURE_SLOTS.filter(
  (slot): slot is FileSlot => slotKind(slot).stored !== 'alphaOfBaseColor',
);
/** Slots whose files the engine draws. */
export type DrawnSlot = { [S in FileSlot]: (typeof MATERIAL_SLOTS)[S]['drawn'] extends true ? S : never }[FileSlot];
export const DRAWN_SLOTS = FILE_SLOTS.filter((slot): slot is DrawnSlot => slotKind(slot).drawn);
const CHANNEL_SLOTS = TEXTURE_SLOTS.filter(
  (slot): slot is SlotStored<'anyChannel'> => slotKind(slot).stored === 'anyChannel',
);

/** Whether texels are encoded as sRGB. The engine decodes these slots, whatever the flags of the texture record say. */
export const isSrgbSlot = (slot: TextureSlot): boolean => slotKind(slot).texels === 'color';

/** An object with a value for each key. A plain loop: cooks make many thousands of them. */
function objectOf<K extends string, T>(keys: readonly K[], give: (key: K) => T): Record<K, T> {
  const made: Partial<Record<K, T>> = {};
  for (const key of keys) made[key] = give(key);
  return made as Record<K, T>;
}

/** A value for each factor. */
export function factorsFrom<F extends MaterialFactor = MaterialFactor>(
  give: (factor: F) => MaterialFactors[MaterialFactor],
  factors: readonly F[] = FACTORS as readonly F[],
): Pick<MaterialFactors, F> {
  return objectOf(factors, give) as Pick<MaterialFactors, F>;
}

/** The factors of something that has more. */
export const factorsOf = (material: MaterialFactors): MaterialFactors => factorsFrom((factor) => material[factor]);

/** The factors of a glTF material that states none. */
export const DEFAULT_FACTORS: MaterialFactors = factorsFrom((factor) => MATERIAL_FACTORS[factor].initial);

/** Those values that a slot has; absent for slots without. */
export function texturesFrom<T>(give: (slot: TextureSlot) => T | null | undefined): {
  readonly [S in TextureSlot]?: T;
} {
  const given: Partial<Record<TextureSlot, T>> = {};
  for (const slot of TEXTURE_SLOTS) {
    const value = give(slot);
    if (value !== null && value !== undefined) given[slot] = value;
  }
  return given;
}

/** A value for each slot that becomes a file. */
export function fileSlots<T>(give: (slot: FileSlot) => T): { readonly [S in FileSlot]: T } {
  return objectOf(FILE_SLOTS, give);
}

/** The field of each slot whose texels may lie in any channel. */
const CHANNEL_FIELDS = objectOf(CHANNEL_SLOTS, (slot): keyof SlotChannels => `${slot}Channel`);

export const CHANNEL_KEYS: readonly (keyof SlotChannels)[] = Object.values(CHANNEL_FIELDS);

/** A channel for each slot that may lie in any, by its field. */
export function slotChannels(give: (field: keyof SlotChannels, slot: TextureSlot) => number): SlotChannels {
  const channels: Partial<Record<keyof SlotChannels, number>> = {};
  for (const slot of CHANNEL_SLOTS) channels[CHANNEL_FIELDS[slot]] = give(CHANNEL_FIELDS[slot], slot);
  return channels as SlotChannels;
}

/** The channels of something that has more. */
export const channelsOf = (material: SlotChannels): SlotChannels => slotChannels((field) => material[field]);

/** The one channel of its file that a slot reads; null: it reads several. */
export function channelOf(slot: TextureSlot, channels: SlotChannels): number | null {
  const { stored } = slotKind(slot);
  if (stored === 'anyChannel') return channels[CHANNEL_FIELDS[slot as SlotStored<'anyChannel'>]];
  return stored === 'red' ? 0 : null;
}

/** What documents list of a material's factors. */
export const LISTED_FACTORS = FACTORS.filter((factor): factor is ListedFactor => MATERIAL_FACTORS[factor].listed);
export type ListedFactor = {
  [F in MaterialFactor]: (typeof MATERIAL_FACTORS)[F]['listed'] extends true ? F : never;
}[MaterialFactor];
