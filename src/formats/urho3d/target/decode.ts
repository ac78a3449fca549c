// The meshes of pieces in engine space, and what they are drawn with: levels are made of them, and HLODs of clusters.

import { sha256Hex } from '../../../bytes/sha256.ts';
import { type AttributeArray, COLOR_SETS } from '../../../geometry/mesh/attributes.ts';
import type { Float32Mesh } from '../../../geometry/mesh/mesh.ts';
import { FILE_SLOTS, fileSlots } from '../../../scene/materialSlots.ts';
import type { PaintedTexture, PreparedMaterial, PreparedTexture } from '../../../textures/types.ts';
import type { DrawnMesh, FormatCode, MeshMaterial, NamedFile } from '../../format.ts';
import { flipV, mirrorZ, reverseWinding } from '../axes.ts';
import type { GeometryLevel, Model } from '../model/layout.ts';
import { vertexColumn } from '../model/vertices.ts';
import { type PieceMaterial, readPiece, readPieceHead } from './piece.ts';

/** What a level of a model draws, in engine space, V up. */
export function levelMesh({ vertexBuffers, indexBuffers }: Model, level: GeometryLevel): Float32Mesh {
  const buffer = vertexBuffers[level.vertexBuffer];
  const values = (semantic: Parameters<typeof vertexColumn>[1], index = 0) =>
    vertexColumn(buffer, semantic, index)?.values ?? null;
  const floats = (semantic: Parameters<typeof vertexColumn>[1]) => values(semantic) as Float32Array | null;
  const [normal, tangent, uv] = [floats('normal'), floats('tangent'), floats('texcoord')];
  const read: Record<string, AttributeArray | null> = {
    normal: normal && mirrorZ(normal),
    tangent: tangent && mirrorZ(tangent, 4),
    uv0: uv && flipV(uv),
    ...Object.fromEntries(COLOR_SETS.map((set, i) => [set, values('color', i) as Uint8Array | null])),
  };
  const attributes = Object.fromEntries(Object.entries(read).filter(([, array]) => array !== null));
  const { indexStart, indexCount } = level;
  const indices = indexBuffers[level.indexBuffer].subarray(indexStart, indexStart + indexCount);
  return {
    vertexCount: buffer.vertexCount,
    positions: mirrorZ(floats('position') as Float32Array),
    attributes: attributes as unknown as Float32Mesh['attributes'],
    indices: Uint32Array.from(reverseWinding(indices)),
  };
}

/** The meshes of a piece, in their order: none has placements. */
export const decodePayload: FormatCode['decode'] = async (file, name) => {
  const { model } = readPiece(file, name);
  return model.geometries.map(({ levels }) => levelMesh(model, levels[0]));
};

/** The file names of the textures that a piece names, each once. */
export function pieceTextureNames(file: Uint8Array): string[] {
  const names = readPieceHead(file).materials.flatMap(({ textures }) => FILE_SLOTS.map((slot) => textures[slot]));
  return [...new Set(names.filter((name) => name !== null))];
}

/** A texture that is none of the scene's, by its bytes. */
function painted(fileName: string, bytes: Uint8Array): PaintedTexture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // Painted textures are PNG: width and height stand behind the signature and the head of the first chunk (PNG, 11.2.2).
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return { fileName, bytes, width, height, flags: 0, format: 0, mipCount: 1, sha256: sha256Hex(bytes) };
}

function preparedMaterial(material: PieceMaterial, slot: (name: string | null) => number): PreparedMaterial {
  const { textures, doubleSided, vertexColors: _, ...factors } = material;
  return {
    ...factors,
    slots: fileSlots((name) => slot(textures[name])),
    // Stored vertices have their final UVs, and their colours are part of the surface.
    uv: { set: null, transform: null },
    tangentTurn: null,
    usesVertexColors: false,
    ...(doubleSided ? { doubleSided } : {}),
  };
}

/** The meshes of pieces with what they are drawn with; as FormatCode.decodeDrawn. */
export async function decodeDrawn(
  files: readonly NamedFile[],
  textures: readonly PreparedTexture[],
  palettes: ReadonlyMap<string, Uint8Array>,
): Promise<DrawnMesh[]> {
  const indices = new Map(textures.map(({ fileName }, i) => [fileName, i]));
  const known = new Map<string, PaintedTexture>();
  const paletteOf = (name: string | null): PaintedTexture | null => {
    const bytes = name === null ? undefined : palettes.get(name);
    if (name === null || !bytes) return null;
    const texture = known.get(name) ?? painted(name, bytes);
    known.set(name, texture);
    return texture;
  };
  const slot = (name: string | null): number => (name === null ? -1 : (indices.get(name) ?? -1));
  return files.flatMap(({ name, file }) => {
    const { materials, meshes, model } = readPiece(file, name);
    const surfaces = materials.map((material): MeshMaterial => {
      const emission = paletteOf(material.textures.emissive);
      const palette = paletteOf(material.textures.baseColor);
      return { material: preparedMaterial(material, slot), tint: null, palette, ...(emission ? { emission } : {}) };
    });
    return meshes.map(
      (mesh, i): DrawnMesh => ({
        naming: { entity: mesh.name, mesh: mesh.name },
        surface: surfaces[mesh.material],
        mesh: levelMesh(model, model.geometries[i].levels[0]),
      }),
    );
  });
}

/** What a piece holds in numbers. */
export const measurePayload: FormatCode['measure'] = async (file, name) => {
  const { meshes, model } = readPiece(file, name);
  return {
    meshes: meshes.length,
    vertices: model.vertexBuffers.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
    textures: pieceTextureNames(file),
  };
};
