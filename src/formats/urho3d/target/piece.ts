// A payload of the cook before it becomes part of a model: a .mdl of one level with what a .mdl cannot name, its materials
// and the skeletons of its meshes. Tiles, LODs and HLODs are encoded as pieces, in any thread, and joined in the end
// (assembly.ts). Only this program reads them; no output holds one.

import type { FileSlot } from '../../../scene/materialSlots.ts';
import type { AlphaMode } from '../../../scene/types.ts';
import type { PreparedFactors } from '../../../textures/types.ts';
import type { Model } from '../model/layout.ts';
import { checkModel, readModel } from '../model/read.ts';
import { writeModel } from '../model/write.ts';

/** File names of textures; null for none. */
export type PieceTextures = { readonly [S in FileSlot]: string | null };

/** What a mesh is drawn with; factors and channels as PreparedMaterial has them, the tint multiplied in. */
export interface PieceMaterial extends PreparedFactors {
  readonly name: string;
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  readonly vertexColors: boolean;
  readonly textures: PieceTextures;
}

export interface PieceMesh {
  readonly name: string;
  /** Index into the materials of the piece. */
  readonly material: number;
  /** Index into the skeletons of the output; -1: nothing moves it. */
  readonly skeleton: number;
  /** Joints of that skeleton, at most 256: what blend indices count. */
  readonly joints: readonly number[];
  /** Where it may be in any pose, in Urho3D's space: minimum, maximum; null: where its vertices are. */
  readonly reach: readonly number[] | null;
}

export interface Piece {
  readonly materials: readonly PieceMaterial[];
  /** One for each geometry of the model, which has one level with buffers of its own. */
  readonly meshes: readonly PieceMesh[];
  readonly model: Model;
}

const MAGIC = new TextEncoder().encode('UCPIECE\n');
const HEAD = MAGIC.length + 4;

export const isPiece = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

export function writePiece({ materials, meshes, model }: Piece): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({ materials, meshes }));
  const body = writeModel(model);
  const bytes = new Uint8Array(HEAD + head.length + body.length);
  bytes.set(MAGIC);
  new DataView(bytes.buffer).setUint32(MAGIC.length, head.length, true);
  bytes.set(head, HEAD);
  bytes.set(body, HEAD + head.length);
  return bytes;
}

function parts(bytes: Uint8Array): { readonly head: Uint8Array; readonly body: Uint8Array } {
  if (!isPiece(bytes)) throw new Error('not a payload of this program');
  const end = HEAD + new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(MAGIC.length, true);
  return { head: bytes.subarray(HEAD, end), body: bytes.subarray(end) };
}

/** `name`: for messages. Throws what the reader of models throws. */
export function readPiece(bytes: Uint8Array, name: string): Piece {
  const { materials, meshes } = readPieceHead(bytes);
  return { materials, meshes, model: readModel(parts(bytes).body, name) };
}

/** A piece without its geometry. */
export function readPieceHead(bytes: Uint8Array): Omit<Piece, 'model'> {
  return JSON.parse(new TextDecoder().decode(parts(bytes).head)) as Omit<Piece, 'model'>;
}

/** Everything that is wrong with the model of a piece. */
export const validatePiece = (bytes: Uint8Array, name: string) => checkModel(parts(bytes).body, name).diagnostics;
