// The intermediate scene: what every importer produces and every later stage reads. Engine space throughout:
// right-handed, +Y up, metres once the world matrix is applied; V up; linear colours. No I/O and no dependencies.

import type { GltfLayer, SlotPlaces } from './gltfMaterial.ts';
import type { HeightMap, MaterialFactors, TextureSlot } from './materialSlots.ts';
import type { NodeTags } from './tags.ts';

/** 4x4, column-major, column vectors (p' = M p): element (row r, column c) is at c * 4 + r; translation at 12..14. */
export type Mat4 = Float64Array;

export type Vec2 = readonly [number, number];
export type Vec3 = readonly [number, number, number];
export type Vec4 = readonly [number, number, number, number];

export interface Bounds {
  readonly min: Vec3;
  readonly max: Vec3;
}

export type SourceKind = 'gltf' | 'glb' | 'usda' | 'usdc' | 'usdz' | 'untold' | 'gali' | 'mdl' | 'scene' | 'bpx';

export interface Scene {
  readonly source: string;
  readonly kind: SourceKind;
  /** As the source states or implies it, before the change to engine space. */
  readonly upAxis: 'Y' | 'Z';
  readonly metersPerUnit: number;
  /** Parents come before their children. */
  readonly nodes: readonly SceneNode[];
  readonly meshes: readonly SceneMesh[];
  readonly materials: readonly SceneMaterial[];
  readonly images: readonly SceneImage[];
  /** Lights and cameras in source order. Absent if the scene has none. */
  readonly lights?: readonly SceneLight[];
  readonly cameras?: readonly SceneCamera[];
  /** Cameras without perspective. Absent if nobody asked, or there are none. */
  readonly parallelCameras?: readonly ParallelCamera[];
  /** Absent if the scene has none. Skins and the channels of clips refer to skeletons by index. */
  readonly skeletons?: readonly SceneSkeleton[];
  readonly skins?: readonly SceneSkin[];
  readonly clips?: readonly SceneClip[];
  /** Of a cooked source; absent: there is nothing of the kind. */
  readonly carried?: CarriedParts;
  /** What the source says of itself; absent: nothing. */
  readonly asset?: SceneAsset;
  /** Names of the variants of materials that the output has too; absent: none. */
  readonly materialVariants?: readonly string[];
  /** Levels of detail that the source itself groups, and not by names. Absent if nobody asked, or there are none. */
  readonly lodGroups?: readonly LodGroup[];
}

/** `asset` of a glTF file, and what its applications have noted in it. */
export interface SceneAsset {
  readonly copyright?: string;
  /** JSON. */
  readonly extras?: unknown;
  /** Elements other than nodes with `extras`, which no output keeps: "2 materials". */
  readonly lost?: readonly string[];
}

/** What a cooked source holds that is not known here, for an output of the same kind. */
export interface CarriedParts {
  readonly file?: CarriedFile;
  readonly pack?: CarriedPack;
}

/** Of a .untold file. */
export interface CarriedFile {
  /** Of its header. */
  readonly flags: number;
  readonly chunks: readonly CarriedChunk[];
}

/** A chunk as the file stores it. */
export interface CarriedChunk {
  readonly type: number;
  readonly compression: 'none' | 'lz4' | 'zstd';
  readonly stored: Uint8Array;
  readonly uncompressedSize: number;
  readonly elementCount: number;
}

/** Keys of the manifest of a pack, and of its models by the paths of their roots. */
export interface CarriedPack {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly ofModels: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** Joints that move together: what a UsdSkel Skeleton holds, or the joint nodes of the glTF skins that share them. */
export interface SceneSkeleton {
  /** The source's own name, may be empty and need not be unique. */
  readonly name: string;
  readonly path: string;
  /** Parents come before their children; their paths differ. */
  readonly joints: readonly SceneJoint[];
  /**
   * The space of root joints to engine space at rest: what lies above them in the source, with the change of axes and
   * unit. A joint's world matrix is the product of `root` and the local matrices from its root joint down to itself.
   */
  readonly root: Mat4;
  /** The node that the root joints hang below, whose own motion moves them: index into Scene.nodes. Absent: none moves. */
  readonly below?: number;
}

export interface SceneJoint {
  readonly name: string;
  /** "/" and the names from the root joint down, with "/" between. Clips of other files find the joint by it. */
  readonly path: string;
  /** Index in its skeleton, -1 for a root joint. */
  readonly parent: number;
  /** Joint space to the space of its parent, or of the skeleton for a root joint, at rest. */
  readonly rest: Mat4;
  /** The node that it is, for meshes below it: index into Scene.nodes. Absent: it is none (USD). */
  readonly node?: number;
  /** Its scale at rest, if a part of that is negative: `rest` alone does not tell a mirror from a turn. */
  readonly scale?: Vec3;
}

/** How primitives are bound to a skeleton. `BoundPrimitive` refers to it, and reads their weights. */
export interface SceneSkin {
  readonly path: string;
  /** Index into Scene.skeletons. */
  readonly skeleton: number;
  /**
   * The joints that `SkinWeights.joints` counts: indices into the skeleton's joints, in the source's order (the joints of a
   * glTF skin, or skel:joints of a UsdSkel mesh).
   */
  readonly joints: Uint32Array;
  /**
   * For each of `joints`, 16 numbers: joint space to the space of the bind pose. glTF: the inverse of its inverseBindMatrix.
   * USD: its bindTransform, which is the joint's world matrix at bind in the skeleton's space. All have an inverse.
   */
  readonly bind: Float64Array;
  /** Points of the mesh to the space of the bind pose. glTF: the identity. USD: geomBindTransform. */
  readonly meshBind: Mat4;
  /**
   * The space of the bind pose to engine space, where the source says so (USD: `root` of the skeleton), and then its
   * determinant decides the winding. Absent: the joints at rest say it, and the mesh has its winding already.
   */
  readonly bindSpace?: Mat4;
}

/**
 * Joints and weights of vertices, any number of influences. A posed point is the weighted sum over its influences of
 * world(joint) * inverse(bind) * meshBind * point; the transform of the node that holds the mesh has no part in it.
 */
export interface SkinWeights {
  /** Influences of each vertex, at least 1. */
  readonly influences: number;
  /** For each vertex `influences` indices into SceneSkin.joints; all in range. */
  readonly joints: Uint16Array | Uint32Array;
  /** Parallel to `joints`: finite, 0 or more, as authored. Their sum need not be 1; a vertex may have none above 0. */
  readonly weights: Float32Array;
}

/** An animation: curves of joints and nodes over time. */
export interface SceneClip {
  /** The source's own name, may be empty and need not be unique. */
  readonly name: string;
  readonly path: string;
  /** Seconds from `start` to the last key of any channel; 0 for a clip of single keys. */
  readonly duration: number;
  /** The time in seconds of the first key in the source: times of curves are counted from it. */
  readonly start: number;
  readonly channels: readonly SceneChannel[];
  /** Absent: weights of morph targets stay as they are. */
  readonly weights?: readonly SceneWeights[];
}

/** What moves the weights of the morph targets of a node. */
export interface SceneWeights {
  readonly path: string;
  /** The nodes that draw the mesh: indices into Scene.nodes. */
  readonly nodes: readonly number[];
  /** By target, as SceneMorph.name. */
  readonly names: readonly string[];
  readonly interpolation: SceneCurve['interpolation'];
  /** Seconds from the clip's start, strictly ascending, none negative. */
  readonly times: Float64Array;
  /** A number for each target and key; of cubic curves in-tangents, values and out-tangents of a key, each of all targets. */
  readonly values: Float64Array;
}

/** What moves one joint of one skeleton, or one node without a skin. A curve that is null leaves the rest value. */
export interface SceneChannel {
  readonly target:
    | { readonly kind: 'joint'; readonly skeleton: number; readonly joint: number }
    /** Index into Scene.nodes. */
    | { readonly kind: 'node'; readonly node: number };
  readonly translation: SceneCurve | null;
  /** Quaternions x, y, z, w. */
  readonly rotation: SceneCurve | null;
  readonly scale: SceneCurve | null;
}

/**
 * Values relative to the target's parent. Before the first key its value holds, after the last key the last one.
 * Rotations are interpolated by the shorter arc (`linear`) or as glTF 2.0 says (`cubic`), then normalised.
 */
export interface SceneCurve {
  readonly interpolation: 'linear' | 'step' | 'cubic';
  /** Components of a value: 3, or 4 of rotations. */
  readonly size: 3 | 4;
  /** Seconds from the clip's start, strictly ascending, none negative. */
  readonly times: Float64Array;
  /** `size` numbers a key; of cubic curves an in-tangent, the value and an out-tangent, `size` numbers each. */
  readonly values: Float64Array;
}

export type LightKind = 'directional' | 'point' | 'spot' | 'area';

/** A light in the engine's units. Its size is in metres already: no scale of the source applies to it any more. */
export interface SceneLight {
  /** The source's own name, may be empty and need not be unique. */
  readonly name: string;
  readonly path: string;
  readonly kind: LightKind;
  /** Light space to engine space: a rotation and a translation (matrix.ts, rigidFrame). It shines along its own -Z. */
  readonly world: Mat4;
  /** Linear rgb, each from 0 to 1: what is brighter than that is in the intensity. */
  readonly color: Vec3;
  /** W of point, spot and area lights, W/m2 of directional ones: sourcePower * 2 ^ sourceExposure. */
  readonly intensity: number;
  readonly sourcePower: number;
  readonly sourceExposure: number;
  /** The radius of the emitter, in metres; 0 for an emitter without size and for directional lights. */
  readonly radius: number;
  /** Metres beyond which nothing is lit; 0: unbounded. */
  readonly range: number;
  /** Half-angles in degrees: full brightness inside `inner`, none outside `outer`. Null: no spot. */
  readonly cone: { readonly inner: number; readonly outer: number } | null;
  /** Width (X) and height (Y) in metres; null: no area light. */
  readonly areaSize: Vec2 | null;
  readonly castsShadow: boolean;
  /** What the light is called where its node has another name. */
  readonly ownName?: string | undefined;
}

/** A creative look that the engine applies behind its tone mapping: a table of colours in a `.cube` file. */
export interface ColorGrade {
  /** From the file or manifest that names it. */
  readonly uri: string;
  /** Rows along each of the three sides. */
  readonly size: number;
  /** Display values that the first and the last row stand for. */
  readonly domainMin: Vec3;
  readonly domainMax: Vec3;
}

/** A perspective camera. */
export interface SceneCamera {
  readonly name: string;
  readonly path: string;
  /** Camera space to engine space, rigid: +X right, +Y up, it looks along its own -Z. */
  readonly world: Mat4;
  /** Vertical field of view in degrees, between 0 and 180. */
  readonly fovY: number;
  /** Metres, 0 < near < far. */
  readonly near: number;
  readonly far: number;
  /** Width by height. */
  readonly aspectRatio: number;
  /** What the source does not say, for formats that need not say it; absent: it says both. */
  readonly open?: { readonly far?: true; readonly aspectRatio?: true };
  /** What the camera is called where its node has another name. */
  readonly ownName?: string | undefined;
}

/** An orthographic camera: `path`, `world` and names as those of SceneCamera. */
export interface ParallelCamera extends Pick<SceneCamera, 'name' | 'path' | 'world' | 'ownName'> {
  /** Half of the width and height of what it shows, in metres. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Metres, 0 <= near < far. */
  readonly near: number;
  readonly far: number;
}

export interface SceneNode {
  /** The source's own name, may be empty and need not be unique. */
  readonly name: string;
  readonly path: string;
  /** Index of the parent node, -1 for a root. */
  readonly parent: number;
  readonly local: Mat4;
  /** The scale in `local`, if a part of that is negative: the matrix alone does not tell a mirror from a turn. */
  readonly scale?: Vec3;
  /** Node space to engine space; includes the change of axes and unit. */
  readonly world: Mat4;
  /** Index of the mesh placed here, -1 for none. */
  readonly mesh: number;
  /** Read for its bounds alone: its purpose is not drawn. */
  readonly isGuide?: true;
  /** The name of the mesh that the source places here, where an equal one has taken its place. Absent: that of `mesh`. */
  readonly meshName?: string;
  /** The author's tags for the tiling; absent: none. */
  readonly tags?: NodeTags;
  /** What an application has noted in it (`extras` of glTF), as JSON; absent: nothing. */
  readonly extras?: unknown;
  /** Of a root whose vertices a skin places: the node in whose subtree the source has it. Absent: `parent` says that. */
  readonly below?: number;
}

/** One object at several levels of detail. */
export interface LodGroup {
  /** Of the object, for messages. */
  readonly path: string;
  /** Finest first: the nodes that are the object at a level, each with all that lies below it. Indices into Scene.nodes. */
  readonly levels: readonly (readonly number[])[];
  /** Of names, the number that each level has there; absent: levels have no names. */
  readonly numbers?: readonly number[];
  /**
   * Level i + 1 is shown where the object covers less than this share of the picture's area (MSFT_screencoverage), as the source
   * has it: NaN for what is no number. Absent: the source does not say.
   */
  readonly coverage?: readonly number[];
}

/** A mesh that nodes place: one or more primitives that share a name and a transform. */
export interface SceneMesh {
  readonly name: string;
  readonly path: string;
  readonly primitives: readonly ScenePrimitive[];
}

/**
 * One drawable of a mesh: a glTF primitive or a USD prim. Counts and bounds are known without its arrays, which
 * `read()` gives on demand; a caller that drops the result drops the memory.
 */
export interface ScenePrimitive {
  readonly path: string;
  /** The source's word for it: Mesh, Cube … of USD; 'primitive' of glTF. */
  readonly type: string;
  /** As authored: USD points, glTF position count. */
  readonly vertexCount: number;
  /** n - 2 for each face, holes left out, before any clean-up. */
  readonly triangleCount: number;
  /** Vertices once corners with values of their own are split, where that is known without reading. */
  readonly storedVertexCount?: number;
  /** In mesh space; null when there are no points. */
  readonly bounds: Bounds | null;
  /** Index into Scene.materials of faces that no subset claims, -1 for none. */
  readonly material: number;
  /** Face subsets with a material of their own; `PolygonMesh.faceSubsets` refers to them by index. */
  readonly subsets: readonly SceneSubset[];
  /** In the pose at rest, if it is bound to a skeleton. */
  read(): Promise<PolygonMesh>;
  /** The same primitive as its skeleton moves it; absent: nothing does, or the source cannot say. */
  readonly bound?: BoundPrimitive;
  /** Absent: the primitive has no morph targets. */
  readonly morphs?: PrimitiveMorphs;
  /** What it is drawn with in variants of the scene that replace `material`; absent: in none. */
  readonly variants?: readonly VariantMaterial[];
  /** Counts the sets that no material draws; absent: there are none. */
  readonly undrawnSets?: () => UndrawnSets;
}

/** Sets of a primitive that its materials do not draw, or not of all its faces. */
export interface UndrawnSets {
  readonly uvs: number;
  readonly colors: number;
}

export interface VariantMaterial {
  /** Index into Scene.materials. */
  readonly material: number;
  /** Indices into Scene.materialVariants. */
  readonly variants: readonly number[];
}

/** The morph targets (glTF, Urho3D) or blend shapes (UsdSkel) of a primitive. */
export interface PrimitiveMorphs {
  /** In source order; names are not empty and differ. */
  readonly targets: readonly SceneMorph[];
  /** The deltas of each target, for the vertices that `read()` of the primitive gives and in the space of those before skinning. */
  read(): Promise<readonly MorphDeltas[]>;
}

export interface SceneMorph {
  readonly name: string;
  /** The weight that the points of the primitive stand for: those that `read()` gives hold so much of the deltas. */
  readonly weight: number;
  /** Absent: no pose drives its weight. */
  readonly drivers?: readonly MorphDriver[];
  /** What the source has of it besides deltas of positions and normals; absent: nothing. */
  readonly lost?: readonly MorphLoss[];
}

export type MorphLoss =
  | 'in-between shapes'
  | 'normal deltas'
  | 'tangent deltas'
  | 'colour deltas'
  | 'texture coordinate deltas';

/** A pose of a joint that sets the weight of a morph target. */
export interface MorphDriver {
  /** Path of the joint, as SceneJoint.path. */
  readonly joint: string;
  /** How weights follow from the angle to the pose, as files number it: 0 is a Gaussian. */
  readonly kernel: number;
  /** Rotation away from rest, x y z w. */
  readonly pose: Vec4;
  /** Radians. */
  readonly radius: number;
}

/** What a morph target adds to vertices, times its weight. */
export interface MorphDeltas {
  /** The vertices that move, ascending. */
  readonly vertices: Uint32Array;
  /** Parallel to `vertices`, three numbers each; finite. */
  readonly positions: Float32Array;
  /** Parallel to `vertices`, three numbers each; finite. Null: normals stay as they are. */
  readonly normals: Float32Array | null;
}

/** A primitive that is bound to a skeleton: its points, normals and tangents before skinning, in mesh space. */
export interface BoundPrimitive {
  /** Index into Scene.skins. */
  readonly skin: number;
  /** Its `skinning` is never null. */
  read(): Promise<PolygonMesh>;
}

export interface SceneSubset {
  readonly path: string;
  readonly material: number;
  readonly triangleCount: number;
}

export type Interpolation = 'constant' | 'uniform' | 'vertex' | 'faceVarying';

/**
 * A value for each face, vertex or corner. Without `indices` element i of `data` belongs to face/vertex/corner i; with
 * them element indices[i]. Importers have checked counts and ranges.
 */
export interface Attribute {
  readonly data: Float32Array;
  /** Components of each element: 2 for UVs, 3 for normals, 3 or 4 for colours, 4 for tangents (w the bitangent's sign). */
  readonly size: number;
  readonly interpolation: Interpolation;
  readonly indices: Uint32Array | null;
  /** Linear over the faces even where a subdivision surface is smooth (USD `varying`, given as 'vertex'). */
  readonly linear?: boolean;
}

/** Sets of texture coordinates, and sets of colours, that a vertex may have. */
export const MAX_SETS = 8;

/** Sets of colours beyond the first, which no material draws: linear rgb or rgba. Absent or null: the mesh has no such set. */
export type MoreColors = { readonly [F in `colors${1 | 2 | 3 | 4 | 5 | 6 | 7}`]?: Attribute | null };

/** Polygons in mesh space, as authored: n-gons, holes and per-corner attributes are kept until the cook. */
export interface PolygonMesh extends MoreColors {
  /** x, y and z of each vertex; all finite. */
  readonly points: Float32Array | Float64Array;
  /** The number of corners of each face; null: every face is a triangle. */
  readonly faceCounts: Uint32Array | null;
  /** Vertex of each corner, face after face; all smaller than the vertex count. */
  readonly corners: Uint32Array;
  /** 1 for a face that is not drawn; null: none. */
  readonly holes: Uint8Array | null;
  /** Index of the face's subset, -1 for the primitive's own material; null: all -1. */
  readonly faceSubsets: Int32Array | null;
  /** The authored winding is clockwise seen from the front (USD leftHanded). */
  readonly leftHanded: boolean;
  readonly normals: Attribute | null;
  /** Which normals to make where they are missing: one for each face, or smooth ones that keep creases hard. */
  readonly missingNormals: 'flat' | 'smooth';
  readonly tangents: Attribute | null;
  /** UV sets by the name that materials use (`TEXCOORD_0`, `st`), V up. */
  readonly uvs: ReadonlyMap<string, Attribute>;
  /** The set that materials draw: linear rgb or rgba. */
  readonly colors: Attribute | null;
  /** One component, multiplied into the colour's alpha; USD displayOpacity. */
  readonly opacities: Attribute | null;
  readonly creases: Creases | null;
  /** How the polygons are the cage of a subdivision surface; null or absent: they are the surface itself. */
  readonly subdivision?: Subdivision | null;
  /** Joints and weights of the vertices, in what BoundPrimitive.read() gives; null or absent otherwise. */
  readonly skinning?: SkinWeights | null;
  /** For each vertex the number by which morph targets of its node list it, 0: none moves it; null or absent: there are none. */
  readonly pointNumbers?: Uint32Array | null;
}

/** A subdivision surface as UsdGeomMesh describes it, besides its creases; the words are USD's own. */
export interface Subdivision {
  readonly scheme: 'catmullClark' | 'loop' | 'bilinear';
  /** interpolateBoundary. */
  readonly boundary: 'none' | 'edgeOnly' | 'edgeAndCorner';
  /** faceVaryingLinearInterpolation. */
  readonly faceVarying: 'none' | 'cornersOnly' | 'cornersPlus1' | 'cornersPlus2' | 'boundaries' | 'all';
  /** triangleSubdivisionRule, for the triangles of a catmullClark cage. */
  readonly triangles: 'catmullClark' | 'smooth';
  /** Vertices (smaller than the vertex count) with a sharpness of their own, one each. */
  readonly corners: { readonly vertices: Uint32Array; readonly sharpnesses: Float32Array } | null;
}

/** Subdivision creases as USD stores them: runs of vertices, with a sharpness for each run or for each edge. */
export interface Creases {
  readonly vertices: Uint32Array;
  readonly lengths: Uint32Array;
  readonly sharpnesses: Float32Array;
}

export type AlphaMode = 'opaque' | 'mask' | 'blend';

/** What light does at a material, as metallic-roughness has it: factors, textures and alpha. */
export interface MaterialSurface extends MaterialFactors {
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly textures: SceneTextures;
  /**
   * What the texels of the height map mean. Absent: its scale and bias give how far the surface lies above its mesh, in the unit
   * of the mesh's points.
   */
  readonly height?: HeightMap;
  /** Multiplies the transmission. No format stores it: its mean goes into the factor. Absent: none. */
  readonly transmissionTexture?: TextureUse;
  /**
   * The textures are those of the specular workflow and wait for their conversion (specularWorkflow.ts): the base colour's
   * holds diffuse colours, that of metallic specular colours. Roughness is that of metallic-roughness. Absent:
   * metallic-roughness.
   */
  readonly specularWorkflow?: SpecularWorkflow;
}

export interface SceneMaterial extends MaterialSurface {
  readonly name: string;
  readonly path: string;
  readonly doubleSided: boolean;
  /** The base colour is multiplied by the mesh's vertex colours. */
  readonly usesVertexColors: boolean;
  /** It shows its base colour, whatever the light: for readers that light everything it is rough and no metal. Absent: it is lit. */
  readonly unlit?: true;
  /**
   * Extensions of glTF that the output says too: nothing of them is in the factors above, nor is the emissive strength. Absent: none.
   */
  readonly layers?: readonly GltfLayer[];
  /**
   * The material is written as it is: each texture is the whole image, sampled so, and meshes keep their texture coordinates and
   * the colours of their vertices. Absent: textures are made for one set of texture coordinates.
   */
  readonly places?: SlotPlaces;
}

/** What a material of the specular workflow says instead of base colour and metallic. */
export interface SpecularWorkflow {
  /** Linear; multiplies the texture of diffuse colours, and stands alone without it. */
  readonly diffuse: Vec3;
  /** Reflectance at normal incidence: linear; multiplies the texture of specular colours, and stands alone without it. */
  readonly specular: Vec3;
  /** What roughness remains where its texture cannot be read. */
  readonly roughness: number;
}

export type SceneTextures = { readonly [S in TextureSlot]?: TextureUse };

export type Wrap = 'repeat' | 'clamp' | 'mirror' | 'black';
export type Channel = 'r' | 'g' | 'b' | 'a' | 'rgb';

/**
 * An image as one material slot samples it: value = texel[channel] * scale + bias, where the texel is linear already
 * (decoded if `colorSpace` is sRGB) and a normal map's texel is in [0, 1] with green up.
 */
export interface TextureUse {
  /** Index into Scene.images. */
  readonly image: number;
  /** Key into PolygonMesh.uvs. */
  readonly uvSet: string;
  /** 2x3 affine on V-up UVs, [a, b, c, d, tx, ty]: u' = a u + c v + tx, v' = b u + d v + ty; null: identity. */
  readonly transform: readonly [number, number, number, number, number, number] | null;
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
  readonly channel: Channel;
  /** Per channel of the texel, rgba. Importers fold what a factor of the material can hold into that factor. */
  readonly scale: Vec4;
  readonly bias: Vec4;
  readonly colorSpace: 'srgb' | 'linear';
}

/** Which UVs of the source become uv0 of the engine: the set, and an affine on them (as TextureUse.transform). */
export interface UvChoice {
  readonly set: string | null;
  readonly transform: TextureUse['transform'];
}

export interface SceneImage {
  /** Path of the element in the source: `images/3`, `/Looks/Wood/Albedo.inputs:file`. */
  readonly path: string;
  /** As authored; 'data:' URIs are cut to their media type. */
  readonly uri: string;
  /** A file stem for the output, from the uri or the image's name; may be empty. */
  readonly stem: string;
  /** The file or package entry it resolves to, for messages; '' when it could not be resolved. */
  readonly file: string;
  /** Its parts show different things, which mips do not mix. Absent: it shows one. */
  readonly isAtlas?: true;
  /** Reads the encoded bytes (PNG, JPEG …); throws a SourceError when they are missing or forbidden. */
  read(): Promise<Uint8Array>;
}
