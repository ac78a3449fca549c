// The layer that is being read: its specs by path, and the budget that keeps hostile nesting from exhausting memory.

import { SPEC_TYPE, type SpecType, type Value } from '../layer.ts';
import { MAX_KEY, type UsdaCursor } from './cursor.ts';
import { TextSpec } from './textSpec.ts';

/**
 * Characters that all paths of a layer may have together, beside a multiple of its size: paths grow with the square of
 * the nesting, so depth is bounded by what they cost. Real layers stay far below.
 */
const PATH_BUDGET = 64 * 2 ** 20;
const PATH_BUDGET_PER_BYTE = 16;

export class LayerBuilder {
  readonly cursor: UsdaCursor;
  readonly specs = new Map<string, TextSpec>();
  readonly root: TextSpec;
  readonly #typeNames = new Map<string, Value>();
  #budget: number;

  constructor(cursor: UsdaCursor) {
    this.cursor = cursor;
    this.#budget = PATH_BUDGET + PATH_BUDGET_PER_BYTE * cursor.bytes.length;
    this.root = this.create('/', SPEC_TYPE.pseudoRoot);
  }

  /** Makes a spec that does not exist yet. Throws UC1506 when the paths of the layer outgrow every real scene. */
  create(path: string, type: SpecType): TextSpec {
    this.#budget -= path.length;
    if (path.length > MAX_KEY || this.#budget < 0) {
      this.cursor.fail('UC1506', 'prims are nested too deep, or their names are too long');
    }
    const spec = new TextSpec(path, type);
    this.specs.set(path, spec);
    return spec;
  }

  /** The value of a typeName field; equal names share one. */
  typeName(name: string): Value {
    const known = this.#typeNames.get(name);
    if (known) return known;
    const value: Value = { type: 'Token', array: false, value: name };
    if (name.length <= MAX_KEY) this.#typeNames.set(name, value);
    return value;
  }
}
