// The layer while it is read: its specs by path, and a budget that keeps hostile nesting from exhausting memory.

import { SPEC_TYPE, type SpecType, type Value } from '../layer.ts';
import { MAX_KEY, type UsdaCursor } from './cursor.ts';
import { TextSpec } from './textSpec.ts';

/**
 * The limit of characters in all paths of a layer: this many, plus PATH_BUDGET_PER_BYTE for each byte of the layer. The
 * total length of paths grows with the square of the nesting, so this limits the depth. Real layers stay far below.
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

  /** Makes a spec at a path that has none yet. Throws UC1506 beyond the limits of path lengths. */
  create(path: string, type: SpecType): TextSpec {
    this.#budget -= path.length;
    if (path.length > MAX_KEY || this.#budget < 0) {
      this.cursor.fail('UC1506', 'prims are nested too deep, or their names are too long');
    }
    const spec = new TextSpec(path, type);
    this.specs.set(path, spec);
    return spec;
  }

  /** The value of a typeName field. Equal names share one value. */
  typeName(name: string): Value {
    const known = this.#typeNames.get(name);
    if (known) return known;
    const value: Value = { type: 'Token', array: false, value: name };
    if (name.length <= MAX_KEY) this.#typeNames.set(name, value);
    return value;
  }
}
