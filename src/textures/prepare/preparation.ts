// What one preparation of a scene's materials holds, and how it reports images that cannot be used. For prepare.ts.

import { CODES, type CodeEntry } from '../../diagnostics/codes.ts';
import { type Diagnostic, type Diagnostics, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { GltfLayerName } from '../../scene/gltfMaterial.ts';
import { type FileSlot, type HeightMap, slotKind, type TextureSlot } from '../../scene/materialSlots.ts';
import type { Scene, SceneMaterial } from '../../scene/types.ts';
import type { UsableTexture } from '../bake/route.ts';
import type { BadImage, SourceImage } from '../decode/images.ts';
import type { Limit } from '../limit.ts';
import { lossOf } from '../lost.ts';
import type { FileOutcome, MakeFile } from '../makeFile.ts';
import type {
  HeldFiles,
  MissingTexture,
  PreparedFactors,
  PreparedMaterial,
  PreparedTexture,
  ReadUvDensity,
  TextureFile,
  TextureMode,
  TextureRole,
} from '../types.ts';
import type { TexelProgress } from './texelProgress.ts';

/** A finished file whose bytes may be held elsewhere. */
export type HeldFile = Omit<TextureFile, 'bytes'> & Pick<PreparedTexture, 'bytes' | 'sha256'>;
type Made = Extract<FileOutcome, { readonly file: TextureFile }>;
export type HeldOutcome = Exclude<FileOutcome, Made> | (Omit<Made, 'file'> & { readonly file: HeldFile });

/**
 * What texels mean; an image in two roles becomes a file for each. Files that are images without mips do not tell normals and
 * heights from other data.
 */
const roleIn = (texels: TextureRole, mode: TextureMode): TextureRole =>
  (texels === 'normal' || texels === 'height') && mode !== 'utex' && mode !== 'ktx2' ? 'data' : texels;

/** What the texels of a slot mean. */
export const roleOf = (slot: FileSlot, mode: TextureMode): TextureRole => roleIn(slotKind(slot).texels, mode);

/** What those of an extension's texture mean: its name says so, as all of glTF's do. */
export function layerRole(key: string, mode: TextureMode): TextureRole {
  if (key.endsWith('ColorTexture')) return 'color';
  return roleIn(key.endsWith('NormalTexture') ? 'normal' : 'data', mode);
}

export interface Preparation {
  readonly scene: Scene;
  readonly images: ReadonlyMap<number, SourceImage | BadImage>;
  readonly missing: MissingTexture;
  readonly diagnostics: Diagnostics;
  readonly limit: Limit;
  readonly mode: TextureMode;
  readonly maxPixels: number;
  readonly makeFile: MakeFile;
  /** Null: bytes stay in memory. */
  readonly held: HeldFiles | null;
  readonly jobs: Map<string, Promise<HeldOutcome>>;
  readonly progress: TexelProgress;
  readonly readUvDensity: ReadUvDensity;
  readonly keepsUnlit: (material: SceneMaterial) => boolean;
}

/** A slot of one material and the file that is being made for it; both null: a placeholder. */
export interface PendingSlot {
  readonly slot: FileSlot;
  readonly stem: string;
  readonly texture: UsableTexture | null;
  /** As SlotPlan has it. */
  readonly reads: number | null;
  readonly outcome: Promise<HeldOutcome> | null;
  /** It has no texture that can be used, and reads the file of another slot: nothing is lost without that. Absent: it has one. */
  readonly isServed?: true;
}

/**
 * Whether a placeholder stands for a texture that is lost. In KTX2, which loses something, roughness and metalness have none: it would
 * be packed with the other one, and white is what is there without it.
 */
export function hasPlaceholder({ missing, mode }: Preparation, slot: FileSlot): boolean {
  const isPacked = mode === 'ktx2' && (slot === 'roughness' || slot === 'metallic');
  return missing === 'placeholder' && !isPacked;
}

/** A texture of an extension of glTF, and its file that is being made. */
export interface PendingLayerTexture {
  readonly layer: GltfLayerName;
  readonly key: string;
  readonly stem: string;
  readonly outcome: Promise<HeldOutcome>;
}

export interface PendingMaterial {
  readonly material: SceneMaterial;
  /** Slots that a texture was authored for and that are drawn. */
  readonly wanted: readonly TextureSlot[];
  readonly factors: PreparedFactors;
  readonly uv: PreparedMaterial['uv'];
  readonly tangentTurn: PreparedMaterial['tangentTurn'];
  readonly height: HeightMap | null;
  readonly slots: readonly PendingSlot[];
  readonly layers: readonly PendingLayerTexture[];
}

/**
 * Codes of paths that leave the root or a package: errors under every policy. Absolute and remote paths (UC1205) are not
 * among them: they are never opened, so that their textures are missing on every machine.
 */
const PATH_RULES: ReadonlySet<string> = new Set(['UC1204', 'UC1609']);

/**
 * Whether the policy for missing textures may turn this error into a warning: images that are missing, damaged or of a
 * format that is not supported. Paths that leave the root and exceeded limits stay errors.
 */
export function isLeftToPolicy({ code }: Diagnostic): boolean {
  const entry: CodeEntry = CODES[code];
  return entry.severity === 'error' && entry.exit !== 5 && !PATH_RULES.has(code);
}

/** Reports a texture whose image cannot be used: as errors, or as the warning that the policy asks for. */
function reportTexture(
  { scene, missing, diagnostics }: Preparation,
  material: SceneMaterial,
  reasons: readonly Diagnostic[],
  code: 'UC2105' | 'UC2106',
  what: string,
): void {
  for (const reason of reasons) {
    if (missing === 'error' || !isLeftToPolicy(reason)) {
      diagnostics.add(reason);
      continue;
    }
    const place = `${reason.file}${reason.path ? ` ${reason.path}` : ''}`;
    const message = `${what}: ${reason.code} ${place}: ${reason.message}`;
    diagnostics.add(diagnostic(code, scene.source, material.path, message));
  }
}

/** The same for a slot. */
export function reportMissing(
  preparation: Preparation,
  material: SceneMaterial,
  slot: TextureSlot,
  reasons: readonly Diagnostic[],
) {
  const isDropped = preparation.missing === 'drop';
  const what = isDropped ? 'left out' : slot === 'opacity' ? 'taken as opaque' : 'replaced by a placeholder';
  const code = isDropped ? 'UC2105' : 'UC2106';
  reportTexture(preparation, material, reasons, code, `${slot} texture ${what}${lossOf(slot)}`);
}

/** The same for a texture of an extension, which has no placeholder. */
export function reportMissingLayer(
  preparation: Preparation,
  material: SceneMaterial,
  key: string,
  reasons: readonly Diagnostic[],
) {
  reportTexture(preparation, material, reasons, 'UC2105', `${key} left out`);
}
