// Roughness and metalness of a material in one image as glTF has them, where its images hold them otherwise. Files that lose
// something are packed before they are encoded; of others a GLB packs what it needs. For startMaterial.ts.

import type { SlotChannels, TextureSlot } from '../../scene/materialSlots.ts';
import type { SceneMaterial } from '../../scene/types.ts';
import { BLUE, GREEN } from '../bake/packSurface.ts';
import type { SlotPlan } from '../bake/slotPlans.ts';
import type { PreparedFactors } from '../types.ts';
import type { HeldOutcome, PendingSlot, Preparation } from './preparation.ts';
import { type Drawn, isOneFile, sourcesOf, startPacked } from './startFile.ts';

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
  const roughness = rough ? { plan: rough, channel: roughnessChannel } : null;
  const metallic = metal ? { plan: metal, channel: metallicChannel } : null;
  const outcome = startPacked(preparation, roughness, metallic, drawn);
  /** Where only the image of the other slot cannot be decoded, `own` has a file without it. */
  const outcomeOf = (own: SlotPlan, startAlone: () => Promise<HeldOutcome>): Promise<HeldOutcome> => {
    if (!rough || !metal) return outcome;
    const isOwn = (image: number) => sourcesOf(preparation, own).some(({ index }) => index === image);
    const made = outcome.then((whole) => ('file' in whole || isOwn(whole.image) ? whole : startAlone()));
    // The material awaits this promise later, as in startFile.ts.
    made.catch(() => undefined);
    return made;
  };
  const slotOf = (slot: 'roughness' | 'metallic', own: SlotPlan | undefined, reads: number): PendingSlot => {
    const plan = own ?? first;
    const { use, source } = plan.texture;
    const texture = { slot: plan.texture.slot, use, source };
    const isRough = slot === 'roughness';
    const alone = () => startPacked(preparation, isRough ? roughness : null, isRough ? null : metallic, drawn);
    const served = own ? {} : { isServed: true as const };
    return { slot, stem: source.image.stem, texture, reads, outcome: outcomeOf(plan, alone), ...served };
  };
  // A slot without a texture reads 1 of the file. Where the texture is lost, metalness is 0, and roughness as authored.
  const isRoughLost = !rough && wanted.includes('roughness');
  return {
    outcome,
    slots: [
      slotOf('roughness', rough, GREEN),
      ...(metal || !wanted.includes('metallic') ? [slotOf('metallic', metal, BLUE)] : []),
    ],
    factors: {
      roughnessChannel: GREEN,
      metallicChannel: BLUE,
      ...(isRoughLost && { roughness: (material.specularWorkflow ?? material).roughness }),
    },
  };
}
