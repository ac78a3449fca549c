// Roughness and metalness of a material in one image as glTF has them, where its images hold them otherwise. Files that lose
// something are packed before they are encoded; of others a GLB packs what it needs. For startMaterial.ts.

import type { SlotChannels, TextureSlot } from '../../scene/materialSlots.ts';
import type { SceneMaterial } from '../../scene/types.ts';
import { BLUE, GREEN } from '../bake/packSurface.ts';
import type { SlotPlan } from '../bake/slotPlans.ts';
import type { PreparedFactors } from '../types.ts';
import type { HeldOutcome, PendingSlot, Preparation } from './preparation.ts';
import { type Drawn, isOneFile, startPacked } from './startFile.ts';

interface PackedSurface {
  readonly outcome: Promise<HeldOutcome>;
  readonly slots: readonly PendingSlot[];
  readonly factors: SlotChannels & Partial<Pick<PreparedFactors, 'roughness'>>;
}

/** Null: there is neither, or one image holds them so already. `wanted`: the slots of the material that have a texture. */
export function packedSurface(
  preparation: Preparation,
  material: SceneMaterial,
  planned: readonly SlotPlan[],
  { metallic: metalness, roughnessChannel, metallicChannel }: PreparedFactors,
  drawn: Drawn,
  wanted: readonly TextureSlot[],
): PackedSurface | null {
  const rough = planned.find(({ slot }) => slot === 'roughness');
  const metal = planned.find(({ slot }) => slot === 'metallic');
  const first = rough ?? metal;
  if (!first) return null;
  // Blue multiplies the factor of metalness where no texture is meant to.
  const fitsMetal = metal
    ? rough && metallicChannel === BLUE && isOneFile(rough, metal, drawn.material)
    : metalness === 0;
  if (rough && roughnessChannel === GREEN && fitsMetal) return null;
  const outcome = startPacked(
    preparation,
    rough ? { plan: rough, channel: roughnessChannel } : null,
    metal ? { plan: metal, channel: metallicChannel } : null,
    drawn,
  );
  const slotOf = (slot: 'roughness' | 'metallic', plan: SlotPlan, reads: number): PendingSlot => {
    const { use, source } = plan.texture;
    return { slot, stem: source.image.stem, texture: { slot: plan.texture.slot, use, source }, reads, outcome };
  };
  // A slot without a texture reads 1 of the file. Where the texture is lost, metalness is 0, and roughness as authored.
  const isRoughLost = !rough && wanted.includes('roughness');
  return {
    outcome,
    slots: [
      slotOf('roughness', rough ?? first, GREEN),
      ...(metal || !wanted.includes('metallic') ? [slotOf('metallic', metal ?? first, BLUE)] : []),
    ],
    factors: {
      roughnessChannel: GREEN,
      metallicChannel: BLUE,
      ...(isRoughLost && { roughness: (material.specularWorkflow ?? material).roughness }),
    },
  };
}
