// Opens a layer as a composed stage.

import type { Diagnostics } from '../../../../diagnostics/diagnostic.ts';
import { LimitWatch } from '../../../../diagnostics/limits.ts';
import type { Layer } from '../../layer.ts';
import { Findings, type MissingAsset } from '../findings.ts';
import { Composer } from '../index/composer.ts';
import type { VariantChoice } from '../index/indexContext.ts';
import { pseudoRootIndex } from '../index/primIndex.ts';
import type { LayerSource } from '../layers/layerSource.ts';
import { type GivenMetrics, LayerStacks } from '../layers/layerStack.ts';
import { TimeRates } from '../layers/timeRates.ts';
import { PropertyLists } from './names.ts';
import { checkPopulation } from './population.ts';
import { ComposedPrim, PrimContent, RecentPrims, type StageContext } from './prim.ts';
import type { Stage } from './stage.ts';

/**
 * How to open a stage. Up axis and unit replace the metadata of the root layer when other layers are compared to it.
 */
export interface StageOptions extends GivenMetrics {
  /** Variants that the caller chooses. */
  readonly variants?: readonly VariantChoice[] | undefined;
  /** Time code of the stage at which values are read; undefined: the earliest. */
  readonly time?: number | undefined;
  /** Whether arcs and sublayers with missing targets are errors (the default), or are dropped with warnings. */
  readonly missingAsset?: MissingAsset | undefined;
  /** Absent: the usual limits. */
  readonly limits?: LimitWatch | undefined;
}

/** All prims of a stage, without recursion. */
function* everyPrim(children: readonly ComposedPrim[]): Generator<ComposedPrim> {
  const pending = [...children];
  for (let prim = pending.pop(); prim; prim = pending.pop()) {
    yield prim;
    pending.push(...prim.children);
  }
}

/** A stage as it is composed. */
interface Composed {
  readonly root: ComposedPrim;
  readonly composer: Composer;
  readonly find: (path: string) => ComposedPrim | undefined;
}

/**
 * Opens a layer as a stage, which is composed while it is walked. Arcs that cannot be followed are reported (UC1710 to
 * UC1716) and contribute nothing. Throws SourceError UC1714 if the stage exceeds a limit.
 */
export function openStage(layer: Layer, source: LayerSource, options: StageOptions, diagnostics: Diagnostics): Stage {
  const findings = new Findings(diagnostics, options.missingAsset ?? 'error');
  const given = options.variants ?? [];
  const limits = options.limits ?? new LimitWatch();
  /** The stage and those beside it. */
  const all: Composed[] = [];
  const finish = (): void => {
    const unused = () => given.filter((choice) => !all.some(({ composer }) => composer.usedChoices.has(choice)));
    for (const { prim } of unused()) if (prim !== null) for (const { find } of all) find(prim);
    // Prims that were not walked may have the variant of a fallback.
    const [{ find, root }] = all;
    if (unused().some(({ prim }) => prim === null))
      for (const _ of everyPrim(root.children)) if (unused().length === 0) break;
    for (const { prim, set, name } of unused()) {
      const who =
        prim === null ? 'no prim of the stage has' : find(prim) ? `<${prim}> does not have` : `no prim <${prim}> has`;
      findings.report('UC1720', layer, prim ?? '/', `${who} the variant "${name}" of a set "${set}"`);
    }
    findings.finish(layer);
  };
  const open = (choices: readonly VariantChoice[]): Stage => {
    const composer = new Composer(layer, new LayerStacks(layer, options, source, findings), choices, findings, limits);
    const context: StageContext = {
      composer,
      time: options.time ?? null,
      prototypes: new Map(),
      properties: new PropertyLists(),
      recent: new RecentPrims(),
    };
    const content = new PrimContent(pseudoRootIndex(composer.root.site('/')), context);
    composer.whenMany(() => checkPopulation(content, limits));
    const root = new ComposedPrim('', '/', content, null, null);
    const find = (path: string): ComposedPrim | undefined => {
      let at: ComposedPrim | undefined = root;
      for (const name of path.slice(1).split('/')) at = at?.child(name);
      return path.startsWith('/') ? at : undefined;
    };
    all.push({ root, composer, find });
    return {
      rootLayer: layer,
      limits,
      get timeCodesPerSecond() {
        return new TimeRates(findings).of(layer);
      },
      get children() {
        return root.children;
      },
      prim: find,
      metadata: (field) => layer.specs.get('/')?.get(field),
      beside: (more) => open([...given, ...more]),
      finish,
    };
  };
  return open(given);
}
