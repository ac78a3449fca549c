// A composed stage as the specs of one layer, for readers that compose nothing (as UsdStage::Flatten does): what all arcs bring in
// is said at the prims themselves, instances have children of their own, and values are those of the strongest opinions. A stage
// with Z up is turned by a prim above all others.

import { SPEC_TYPE, type TimeSamples, type Value } from '../../../formats/usdc/values.ts';
import type { CrateSpec } from '../../../formats/usdc/write.ts';
import type { AttributeSamples, Stage, StageAttribute, StagePrim, StageRelationship } from '../compose/stage/stage.ts';
import { numberOf, textOf } from '../compose/values/values.ts';
import type { Layer } from '../layer.ts';
import { counted, type Notes } from '../notes.ts';
import type { BakedMaterial, MaterialBaker } from './baked.ts';
import type { Conversion, FlatFiles } from './files.ts';
import { FlatNames, type FlatPrim, propertyName, unusedClasses } from './names.ts';
import { isShown, keptConnections, leavesOut, unknownSurface } from './shading.ts';
import {
  attribute,
  connected,
  type Field,
  paths,
  prim as primSpec,
  scalar,
  token,
  tokens,
  UNIFORM,
  withRequired,
} from './specs.ts';

/** What is kept of the metadata of the root layer, of prims and of properties, in the order in which it is written. */
const LAYER_FIELDS = [
  'kilogramsPerUnit',
  'timeCodesPerSecond',
  'framesPerSecond',
  'startTimeCode',
  'endTimeCode',
  'customLayerData',
  'documentation',
  'comment',
  'autoPlay',
  'playbackMode',
];
const PRIM_FIELDS = [
  'apiSchemas',
  'kind',
  'hidden',
  'displayName',
  'documentation',
  'comment',
  'assetInfo',
  'customData',
];
const PROPERTY_FIELDS = [
  'custom',
  'variability',
  'hidden',
  'displayName',
  'displayGroup',
  'documentation',
  'customData',
];
const ATTRIBUTE_FIELDS = [
  ...PROPERTY_FIELDS,
  'interpolation',
  'elementSize',
  'unauthoredValuesIndex',
  'colorSpace',
  'allowedTokens',
];
const RELATIONSHIP_FIELDS = [...PROPERTY_FIELDS, 'bindMaterialAs'];

/** What a stage without the metadata has (UsdGeomGetStageMetersPerUnit). */
const DEFAULT_METERS = 0.01;
/** The prim that is put above all others. */
const ABOVE = 'Root';
const RESET = '!resetXformStack!';
/** The operation that turns what has left the transforms above it. */
const TURN = 'xformOp:transform:yUp';
/** Turns Z up to Y up without a rounding error, as a row-vector matrix: Z becomes Y, and Y becomes -Z. */
const Z_TO_Y = scalar('Matrix4d', [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);

/** A value of metadata without asset paths, which lead to nothing in the package; null: nothing is left. */
function withoutAssets(value: Value): Value | null {
  if (value.type === 'AssetPath') return null;
  if (value.type !== 'Dictionary') return value;
  const kept = new Map<string, Value>();
  for (const [key, item] of value.value as ReadonlyMap<string, Value>) {
    const own = withoutAssets(item);
    if (own) kept.set(key, own);
  }
  return { ...value, value: kept };
}

function metadata(of: { metadata(field: string): Value | undefined }, names: readonly string[]): Field[] {
  return names.flatMap((name): Field[] => {
    const value = of.metadata(name);
    const kept = value && withoutAssets(value);
    return kept ? [[name, kept]] : [];
  });
}

class Flattener {
  readonly #stage: Stage;
  readonly #files: FlatFiles;
  readonly #notes: Notes;
  readonly #baker: MaterialBaker;
  /** Materials that are named already, of equal instances once. */
  readonly #said = new Set<object>();
  readonly #names: FlatNames;
  readonly #isTurned: boolean;
  readonly #above: string;
  readonly #defaultPrim: string;

  constructor(stage: Stage, files: FlatFiles, baker: MaterialBaker, notes: Notes) {
    this.#baker = baker;
    this.#stage = stage;
    this.#files = files;
    this.#notes = notes;
    this.#isTurned = textOf(stage.metadata('upAxis')) === 'Z';
    const stated = textOf(stage.metadata('defaultPrim'))?.replace(/^\//, '');
    const roots = stage.children.filter(({ isDefined, isAbstract }) => isDefined && !isAbstract);
    const only = roots.length === 1 ? roots[0] : undefined;
    const chosen = roots.find(({ name }) => name === stated) ?? only;
    this.#above = this.#isTurned || !chosen ? `/${ABOVE}` : '';
    const unused = unusedClasses(stage);
    this.#names = new FlatNames(stage, this.#above, (prim) => isShown(prim) && !unused.has(prim));
    this.#defaultPrim = this.#above === '' && chosen ? (this.#names.of(chosen.path) ?? '').slice(1) : ABOVE;
  }

  *specs(): Generator<CrateSpec> {
    const { roots } = this.#names;
    const names = roots.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    const meters = numberOf(this.#stage.metadata('metersPerUnit'));
    const fields: Field[] = [
      ['defaultPrim', token(this.#defaultPrim)],
      ['upAxis', token('Y')],
      [
        'metersPerUnit',
        scalar('Double', meters !== null && meters > 0 && Number.isFinite(meters) ? meters : DEFAULT_METERS),
      ],
      ...metadata(this.#stage, LAYER_FIELDS),
      ['primChildren', tokens(this.#above === '' ? names : [ABOVE])],
    ];
    yield { path: '/', type: SPEC_TYPE.pseudoRoot, fields };
    if (this.#above !== '') yield* this.#root(names);
    const pending = [...roots].reverse();
    for (let next = pending.pop(); next; next = pending.pop()) {
      yield* this.#prim(next);
      for (let i = next.children.length - 1; i >= 0; i--) pending.push(next.children[i]);
    }
  }

  *#root(children: readonly string[]): Generator<CrateSpec> {
    const order: Value = { type: 'Token', array: true, value: ['xformOp:transform'] };
    const properties = this.#isTurned
      ? [
          attribute(`${this.#above}.xformOp:transform`, 'matrix4d', Z_TO_Y),
          attribute(`${this.#above}.xformOpOrder`, 'token[]', order, [UNIFORM]),
        ]
      : [];
    yield primSpec(this.#above, 'Xform', properties, children);
    yield* properties;
  }

  /** Says what of a prim is not in the layer. */
  #note(prim: StagePrim): void {
    const sets = [...prim.variantSets()].filter(([, variants]) => variants.length > 1).map(([set]) => set);
    const words = (count: number) => `${counted(count, 'prim has', 'prims have')} variants, of a set "${sets[0]}"`;
    if (sets.length > 0) this.#notes.count('UC2471', '', prim.path, words);
  }

  *#prim({ prim, path, children }: FlatPrim): Generator<CrateSpec> {
    this.#note(prim);
    const properties: CrateSpec[] = [];
    const taken = new Set<string>();
    for (const name of prim.propertyNames()) {
      const own = `${path}.${propertyName(name)}`;
      // Names that differ in what breaks a path alone are none that USD allows: the first of them stays.
      if (leavesOut(prim, name) || taken.has(own)) continue;
      taken.add(own);
      const found = prim.attribute(name);
      if (found) properties.push(...this.#attribute(prim, found, own));
      else {
        const relationship = prim.relationship(name);
        if (relationship) properties.push(this.#relationship(relationship, own));
      }
    }
    properties.push(...this.#turned(prim, path, properties));
    const baked = this.#baked(prim, path, children);
    const surface = baked?.surface ?? this.#ofGlslfx(prim);
    if (surface !== null) {
      const own = `${path}.outputs:surface`;
      const at = properties.findIndex((spec) => spec.path === own);
      properties.splice(at < 0 ? properties.length : at, 1, connected(own, 'token', surface));
    }
    const names = properties.map((spec) => spec.path.slice(path.length + 1));
    const childNames = [...children.map((child) => child.path.slice(path.length + 1)), ...(baked?.children ?? [])];
    yield {
      path,
      type: SPEC_TYPE.prim,
      fields: [
        ['specifier', scalar('Specifier', prim.specifier)],
        ...(prim.typeName === '' ? [] : [['typeName', token(prim.typeName)] as const]),
        ...metadata(prim, PRIM_FIELDS),
        ...(names.length > 0 ? [['properties', tokens(names)] as const] : []),
        ...(childNames.length > 0 ? [['primChildren', tokens(childNames)] as const] : []),
      ],
    };
    yield* properties;
    if (baked) yield* baked.specs;
  }

  /** A material without a UsdPreviewSurface as one, if its surface is of MaterialX; null: nothing has to be or can be done. */
  #baked(prim: StagePrim, path: string, children: readonly FlatPrim[]): BakedMaterial | null {
    const foreign = prim.typeName === 'Material' ? unknownSurface(this.#stage, prim) : null;
    if (foreign === null) return null;
    const taken = children.map((child) => child.path.slice(path.length + 1));
    const baked = this.#baker.bake(prim, path, taken);
    if (baked === null && !this.#said.has(prim.prototype ?? prim)) {
      this.#said.add(prim.prototype ?? prim);
      this.#notes.report('UC2470', prim.path, `its surface is ${foreign}`);
    }
    return baked;
  }

  /** The output that a material has for UsdPreviewSurface in the render context of Storm alone; null: it has none there. */
  #ofGlslfx(prim: StagePrim): string | null {
    if (prim.typeName !== 'Material' || prim.attribute('outputs:surface')?.connections().length) return null;
    const targets = prim.attribute('outputs:glslfx:surface')?.connections() ?? [];
    const [kept] = keptConnections(this.#stage, targets);
    return kept === undefined ? null : this.#names.of(kept);
  }

  /** What a prim needs besides its own properties so that it stands as before under the turned root. */
  *#turned(prim: StagePrim, path: string, properties: readonly CrateSpec[]): Generator<CrateSpec> {
    if (!this.#isTurned) return;
    // Its pole is the axis of the stage that points up, unless it says another.
    const pole = `${path}.poleAxis`;
    if (prim.typeName === 'DomeLight_1' && !properties.some((spec) => spec.path === pole)) {
      yield attribute(pole, 'token', token('Z'), [UNIFORM]);
    }
    if (properties.some((spec) => spec.path === `${path}.xformOpOrder`) && this.#resets(prim)) {
      yield attribute(`${path}.${TURN}`, 'matrix4d', Z_TO_Y);
    }
  }

  #resets(prim: StagePrim): boolean {
    const order = prim.attribute('xformOpOrder')?.get()?.value;
    return order?.type === 'Token' && order.array && (order.value as readonly string[]).includes(RESET);
  }

  *#attribute(prim: StagePrim, from: StageAttribute, path: string): Generator<CrateSpec> {
    const { typeName } = from;
    if (typeName === '') return;
    const fields: Field[] = [['typeName', token(typeName)], ...withRequired(metadata(from, ATTRIBUTE_FIELDS))];
    const opinion = from.get();
    const connected = from.connections();
    const connections = keptConnections(this.#stage, connected).flatMap((target) => this.#names.of(target) ?? []);
    if (connections.length > 0) fields.push(['connectionPaths', paths(connections)]);
    else if (connected.length > 0 && !opinion && from.name.startsWith('outputs:')) return;
    const samples = from.samples();
    const changes = samples !== null && samples.times.length > 1;
    const value = changes ? this.#unanimated(from) : opinion && this.#value(prim, from, opinion.value, opinion.layer);
    if (value) fields.push(['default', value]);
    if (changes) {
      // A first sample that is a block has no opinion.
      const layer = opinion?.layer ?? this.#stage.rootLayer;
      fields.push(['timeSamples', this.#samples(samples, (item) => this.#value(prim, from, item, layer))]);
    }
    yield { path, type: SPEC_TYPE.attribute, fields };
  }

  /** The default of an attribute whose samples are stronger. */
  #unanimated(from: StageAttribute): Value | null {
    const value = from.metadata('default');
    const isOwn = value && value.type !== 'ValueBlock' && value.type !== 'AnimationBlock';
    return isOwn && value.type !== 'TimeCode' && value.type !== 'AssetPath' ? value : null;
  }

  #samples(from: AttributeSamples, convert: (value: Value) => Value | null): Value {
    const { times } = from;
    const finite = Array.from(times.keys()).filter((i) => Number.isFinite(times[i]));
    const samples: TimeSamples = {
      times: Float64Array.from(finite, (i) => times[i]),
      at: (i) => {
        const value = from.at(finite[i]);
        return (value && convert(value)) ?? scalar('ValueBlock', null);
      },
    };
    return scalar('TimeSamples', samples);
  }

  /** A value as the package has it; null: there is none. */
  #value(prim: StagePrim, from: StageAttribute, value: Value, layer: Layer): Value | null {
    if (value.type === 'AssetPath') return this.#assets(prim, from, value, layer);
    if (!this.#isTurned || value.type !== 'Token') return value;
    if (from.name === 'poleAxis' && value.value === 'scene') return token('Z');
    if (from.name !== 'xformOpOrder' || !value.array) return value;
    const order = value.value as readonly string[];
    const after = order.lastIndexOf(RESET) + 1;
    return after === 0 ? value : { ...value, value: [...order.slice(0, after), TURN, ...order.slice(after)] };
  }

  #assets(prim: StagePrim, from: StageAttribute, value: Value, layer: Layer): Value | null {
    const space = textOf(prim.attribute('inputs:sourceColorSpace')?.get()?.value);
    // Numbers of floating point that are meant as light become sRGB, which readers take a PNG for.
    const use: Conversion = space === null || space === 'auto' ? 'color' : 'data';
    const name = (path: string) => (path === '' ? '' : this.#files.name(layer, path, from.path, use));
    if (value.array) return { ...value, value: (value.value as readonly string[]).map((path) => name(path) ?? '') };
    const packed = name(value.value as string);
    return packed === null ? null : { ...value, value: packed };
  }

  #relationship(from: StageRelationship, path: string): CrateSpec {
    const targets = from.targets().flatMap((target) => this.#names.of(target) ?? []);
    const fields: Field[] = [...withRequired(metadata(from, RELATIONSHIP_FIELDS)), ['targetPaths', paths(targets)]];
    return { path, type: SPEC_TYPE.relationship, fields };
  }
}

/** The specs of a stage as one layer with Y up, each made when it is asked for; `files` collects what they name. */
export const flatSpecs = (stage: Stage, files: FlatFiles, baker: MaterialBaker, notes: Notes): Generator<CrateSpec> =>
  new Flattener(stage, files, baker, notes).specs();
