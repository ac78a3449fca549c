// Variant sets and variants as specs: `/A{set=}` holds the names of its variants, `/A{set=name}` the variant's content.

import { SPEC_TYPE } from '../../layer.ts';
import type { LayerBuilder } from '../layerBuilder.ts';
import type { TextSpec } from '../textSpec.ts';

/** The spec of a variant set of the prim or variant, made and listed there when it is new. */
export function declareVariantSet(builder: LayerBuilder, owner: TextSpec, set: string): TextSpec {
  const path = `${owner.path}{${set}=}`;
  const known = builder.specs.get(path);
  if (known) return known;
  owner.addChild('variantSetChildren', set);
  return builder.create(path, SPEC_TYPE.variantSet);
}

/** The spec of a variant of a set, made and listed there when it is new. `owner` is the prim or variant around the set. */
export function declareVariant(builder: LayerBuilder, owner: TextSpec, set: string, name: string): TextSpec {
  const path = `${owner.path}{${set}=${name}}`;
  const known = builder.specs.get(path);
  if (known) return known;
  declareVariantSet(builder, owner, set).addChild('variantChildren', name);
  return builder.create(path, SPEC_TYPE.variant);
}
