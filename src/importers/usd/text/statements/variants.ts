// The specs of variant sets and variants: `/A{set=}` holds the names of the variants, `/A{set=name}` the contents of
// one.

import { SPEC_TYPE } from '../../layer.ts';
import type { LayerBuilder } from '../layerBuilder.ts';
import type { TextSpec } from '../textSpec.ts';

/** The spec of a variant set. A new one is made and added to the list of `owner`, the prim or variant that has it. */
export function declareVariantSet(builder: LayerBuilder, owner: TextSpec, set: string): TextSpec {
  const path = `${owner.path}{${set}=}`;
  const known = builder.specs.get(path);
  if (known) return known;
  owner.addChild('variantSetChildren', set);
  return builder.create(path, SPEC_TYPE.variantSet);
}

/** The spec of a variant. A new one is made and added to the list of its set. `owner` has the set. */
export function declareVariant(builder: LayerBuilder, owner: TextSpec, set: string, name: string): TextSpec {
  const path = `${owner.path}{${set}=${name}}`;
  const known = builder.specs.get(path);
  if (known) return known;
  declareVariantSet(builder, owner, set).addChild('variantChildren', name);
  return builder.create(path, SPEC_TYPE.variant);
}
