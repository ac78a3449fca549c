// Reads a payload's meshes and what they are drawn with from its file alone: the inverse of tileScene.ts. HLODs of clusters
// are made from files that this cook or an earlier one wrote.

import { sha256Hex } from '../../bytes/sha256.ts';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import { channelsOf, fileSlots } from '../../scene/materialSlots.ts';
import { sharedTextureName } from '../../textures/name.ts';
import type { PaintedTexture, PreparedMaterial, PreparedTexture } from '../../textures/types.ts';
import { Findings } from '../findings.ts';
import type { DrawnMesh, MeshMaterial, NamedFile } from '../format.ts';
import { factorsOfStored, storedTexture } from './materialRecord.ts';
import { drawnMesh } from './mesh/packMesh.ts';
import { readUntold } from './read.ts';
import { textureReferences } from './textureFiles.ts';
import type { UntoldMaterial, UntoldTexture } from './types.ts';

const baseName = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The file names of the textures that a payload names. */
export async function textureNames(file: Uint8Array): Promise<string[]> {
  return (await textureReferences(file)).map(({ uri }) => baseName(uri));
}

/** The paths of these textures as the payload has them. Throws SourceError for a payload that is damaged where they stand. */
export async function textureUris(file: Uint8Array): Promise<string[]> {
  const findings = new Findings('');
  const references = await textureReferences(file, findings);
  const errors = findings.list().filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new SourceError(errors);
  return references.map(({ uri }) => uri);
}

/**
 * The meshes of all files, in world space. `textures`: all prepared ones, which materials refer to by index; `palettes`: the
 * bytes of what else the files name, as base colours and emission, by file name. Throws what the reader throws.
 */
export async function readDrawnMeshes(
  files: readonly NamedFile[],
  textures: readonly PreparedTexture[],
  palettes: ReadonlyMap<string, Uint8Array>,
): Promise<DrawnMesh[]> {
  const indices = new Map(
    textures.flatMap((texture, i) =>
      [texture, ...(texture.smaller ?? [])]
        .flatMap((file) => [file.fileName, sharedTextureName(file)])
        .map((name) => [name, i] as const),
    ),
  );
  const known = new Map<string, PaintedTexture>();
  const paletteOf = (texture: UntoldTexture | undefined): PaintedTexture | null => {
    const fileName = texture ? baseName(texture.uri) : '';
    const bytes = palettes.get(fileName);
    if (!texture || !bytes) return null;
    const { width, height, flags, format, mipCount } = texture;
    const read = { fileName, bytes, width, height, flags, format, mipCount };
    const prepared = known.get(fileName) ?? { ...read, sha256: sha256Hex(bytes) };
    known.set(fileName, prepared);
    return prepared;
  };
  const meshes: DrawnMesh[] = [];
  for (const { name, file } of files) {
    const content = await readUntold(file, name);
    const slot = (texture: number) => indices.get(baseName(content.textures[texture]?.uri ?? '')) ?? -1;
    const surfaces = content.materials.map((material): MeshMaterial => {
      const palette = paletteOf(content.textures[material.baseColorTexture]);
      const emission = paletteOf(content.textures[material.emissiveTexture]);
      return { material: preparedMaterial(material, slot), tint: null, palette, ...(emission ? { emission } : {}) };
    });
    for (const { entity, name: mesh, material, localBounds: bounds, ...packed } of content.meshes) {
      const { name: called, localTransform } = content.entities[entity];
      // Levels lie where they are drawn; instances of full detail are placed by their entities.
      const placed = await drawnMesh({ ...packed, bounds }, [localTransform]);
      meshes.push({ naming: { entity: called, mesh }, surface: surfaces[material], mesh: placed });
    }
  }
  return meshes;
}

function preparedMaterial(material: UntoldMaterial, slot: (texture: number) => number): PreparedMaterial {
  return {
    name: material.name,
    alphaMode: material.alphaMode,
    alphaCutoff: material.alphaCutoff,
    ...factorsOfStored(material),
    ...(material.height && { height: material.height }),
    slots: fileSlots((name) => slot(storedTexture(material, name))),
    ...channelsOf(material),
    // Stored vertices have their final UVs, and their colours are part of the surface.
    uv: { set: null, transform: null },
    tangentTurn: null,
    usesVertexColors: false,
  };
}
