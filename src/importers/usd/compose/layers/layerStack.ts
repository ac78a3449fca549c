// Layer stacks: a root layer and its sublayers, strongest first, with their time offsets and relocates (OpenUSD,
// PcpLayerStack). A layer stack keeps the sites that prim indices ask for, so that prims with the same arc target share
// one site.

import { fail, SourceError } from '../../../../diagnostics/diagnostic.ts';
import type { Layer, LayerOffset, Value } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import { MAX_LAYERS } from '../limits.ts';
import { isPrimPath } from '../namespace/paths.ts';
import { Relocates, soundRelocates } from '../namespace/relocates.ts';
import { numberOf, textOf, textsOf } from '../values/values.ts';
import { type LayerSource, reasonOf } from './layerSource.ts';
import { arcOffset, composeOffsets, NO_OFFSET } from './offset.ts';
import { Site, type SiteStack, type StackLayer } from './site.ts';
import { TimeRates } from './timeRates.ts';

const NO_RELOCATES = new Relocates(new Map());

export class LayerStack implements SiteStack {
  readonly id: number;
  readonly root: Layer;
  readonly layers: readonly StackLayer[];
  readonly relocates: Relocates;
  readonly findings: Findings;
  readonly stacks: LayerStacks;
  readonly #sites = new Map<string, Site>();

  constructor(id: number, root: Layer, stacks: LayerStacks, source: LayerSource, findings: Findings) {
    this.id = id;
    this.root = root;
    this.stacks = stacks;
    this.findings = findings;
    this.layers = stackLayers(root, stacks.rates, source, findings);
    this.relocates = readRelocates(this.layers, findings);
  }

  site(path: string): Site {
    const known = this.#sites.get(path);
    if (known) return known;
    const site = new Site(this, path);
    this.#sites.set(site.path, site);
    return site;
  }

  defaultPrim(): string | null {
    const name = textOf(this.root.specs.get('/')?.get('defaultPrim'));
    if (!name) return null;
    const path = name.startsWith('/') ? name : `/${name}`;
    return isPrimPath(path) ? path : null;
  }
}

/** Values that replace the metadata of the stage's root layer. */
export interface GivenMetrics {
  readonly upAxis?: 'Y' | 'Z' | undefined;
  readonly metersPerUnit?: number | undefined;
}

/** Up axis and unit of a layer; null if not authored. */
interface Metrics {
  readonly upAxis: string | null;
  readonly metersPerUnit: number | null;
}

function metrics(layer: Layer): Metrics {
  const root = layer.specs.get('/');
  return { upAxis: textOf(root?.get('upAxis')), metersPerUnit: numberOf(root?.get('metersPerUnit')) };
}

/** The layer stacks of a stage: one for each root layer, shared by all arcs that lead to it. */
export class LayerStacks {
  readonly source: LayerSource;
  readonly findings: Findings;
  readonly rates: TimeRates;
  readonly #stage: Layer;
  readonly #metrics: Metrics;
  readonly #byRoot = new Map<Layer, LayerStack>();

  /**
   * `stage` is the root layer of the stage. Up axis and unit are those in `given`, else those of `stage`; layers that
   * arcs bring in are compared to them.
   */
  constructor(stage: Layer, given: GivenMetrics, source: LayerSource, findings: Findings) {
    const authored = metrics(stage);
    this.#stage = stage;
    this.#metrics = {
      upAxis: given.upAxis ?? authored.upAxis,
      metersPerUnit: given.metersPerUnit ?? authored.metersPerUnit,
    };
    this.source = source;
    this.findings = findings;
    this.rates = new TimeRates(findings);
  }

  of(root: Layer): LayerStack {
    const known = this.#byRoot.get(root);
    if (known) return known;
    const stack = new LayerStack(this.#byRoot.size, root, this, this.source, this.findings);
    this.#byRoot.set(root, stack);
    this.#compareMetrics(root);
    return stack;
  }

  #compareMetrics(layer: Layer): void {
    if (layer === this.#stage) return;
    const own = metrics(layer);
    const stage = this.#metrics;
    const differences: string[] = [];
    if (own.upAxis !== null && own.upAxis !== (stage.upAxis ?? 'Y')) differences.push(`${own.upAxis} is up`);
    const unit = stage.metersPerUnit ?? 0.01;
    if (own.metersPerUnit !== null && own.metersPerUnit !== unit) {
      differences.push(`a unit is ${own.metersPerUnit} m instead of ${unit} m`);
    }
    if (differences.length > 0) this.findings.report('UC1706', layer, '/', `here ${differences.join(' and ')}`);
  }
}

function offsetsOf(value: Value | undefined): readonly LayerOffset[] {
  return value?.type === 'LayerOffsetVector' ? (value.value as readonly LayerOffset[]) : [];
}

/** A layer whose sublayers are not opened yet. A sublayer that is among the layers above it closes a cycle. */
interface Opened {
  readonly layer: Layer;
  readonly offset: LayerOffset;
  readonly above: Opened | null;
}

function isAbove(layer: Layer, from: Opened | null): boolean {
  for (let at = from; at !== null; at = at.above) if (at.layer === layer) return true;
  return false;
}

/**
 * The root layer and its sublayers, strongest first: a layer comes before its sublayers, and sublayers keep their listed
 * order.
 */
function stackLayers(root: Layer, rates: TimeRates, source: LayerSource, findings: Findings): StackLayer[] {
  const layers: StackLayer[] = [];
  const pending: Opened[] = [{ layer: root, offset: NO_OFFSET, above: null }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { layer, offset } = next;
    layers.push({ layer, offset });
    if (layers.length > MAX_LAYERS) {
      return fail('UC1714', root.identifier, '/', `sublayers bring in more than ${MAX_LAYERS} layers`);
    }
    const spec = layer.specs.get('/');
    const paths = textsOf(spec?.get('subLayers')) ?? [];
    const offsets = offsetsOf(spec?.get('subLayerOffsets'));
    for (let i = paths.length - 1; i >= 0; i--) {
      const sublayer = openSublayer(next, paths[i], source, findings);
      if (sublayer === null) continue;
      const own = arcOffset(offsets[i] ?? NO_OFFSET, rates.of(layer), rates.of(sublayer));
      if (!own.isUsable) findings.report('UC1725', layer, '/', `the offset of sublayer @${paths[i]}@ cannot be used`);
      pending.push({ layer: sublayer, offset: composeOffsets(offset, own.offset), above: next });
    }
  }
  return layers;
}

function openSublayer(from: Opened, path: string, source: LayerSource, findings: Findings): Layer | null {
  if (path.startsWith('`')) {
    findings.report(
      'UC1718',
      from.layer,
      '/',
      `sublayer ${path} is a variable expression, which is not evaluated: it is left out`,
    );
    return null;
  }
  let layer: Layer;
  try {
    layer = source.locate(from.layer, path, '/').open();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const code = error.diagnostics[0].code === 'UC1716' ? 'UC1716' : 'UC1710';
    findings.missing(code, from.layer, '/', `sublayer @${path}@ cannot be opened: ${reasonOf(error)}`);
    return null;
  }
  if (!isAbove(layer, from)) return layer;
  findings.missing('UC1713', from.layer, '/', `sublayer @${path}@ has this layer among its own sublayers`);
  return null;
}

/** The relocates of all layers, strongest first. */
function readRelocates(layers: readonly StackLayer[], findings: Findings): Relocates {
  const authored: { readonly from: string; readonly to: string; readonly layer: Layer }[] = [];
  for (const { layer } of layers) {
    const value = layer.specs.get('/')?.get('layerRelocates');
    if (value?.type !== 'Relocates') continue;
    for (const [from, to] of value.value as readonly (readonly [string, string])[]) authored.push({ from, to, layer });
  }
  return authored.length === 0 ? NO_RELOCATES : soundRelocates(authored, findings);
}
