// A site: the specs of a layer stack at one path, and the arcs and variant sets that these specs author. Lists of arcs
// are composed over the layers of the stack, not across arcs (OpenUSD, pcp/composeSite.cpp).

import { type Code, SourceError } from '../../../../diagnostics/diagnostic.ts';
import { type Layer, type LayerOffset, type Reference, SPEC_TYPE, type Spec, type SpecType } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import { ArcMap, composeMaps, withRootIdentity } from '../namespace/pathMap.ts';
import { appendChild, isPrimPath, nameOf, parentSite, stripVariants } from '../namespace/paths.ts';
import type { Relocates } from '../namespace/relocates.ts';
import { applyListOp, mapListOp } from '../values/listOp.ts';
import { nameListOpOf, pathListOpOf, referenceListOpOf, textsOf } from '../values/values.ts';
import { type LayerSource, reasonOf } from './layerSource.ts';
import { arcOffset, composeOffsets } from './offset.ts';
import type { TimeRates } from './timeRates.ts';

/** A layer of a layer stack. */
export interface StackLayer {
  readonly layer: Layer;
  /** Converts the time of the layer to the time of the root layer of the stack. */
  readonly offset: LayerOffset;
}

/** A layer stack as its sites see it. */
export interface SiteStack {
  /** Counts up in the order in which stacks are made: part of keys. */
  readonly id: number;
  readonly root: Layer;
  /** Strongest first. */
  readonly layers: readonly StackLayer[];
  readonly relocates: Relocates;
  readonly findings: Findings;
  /** The layer stacks of the stage. */
  readonly stacks: {
    readonly source: LayerSource;
    readonly rates: TimeRates;
    of(root: Layer): SiteStack;
  };
  /** The site at a path; the same object each time. */
  site(path: string): Site;
  /** Path of the prim that an arc without a prim path targets; null if the root layer names none. */
  defaultPrim(): string | null;
}

export interface SiteSpec {
  readonly layer: Layer;
  readonly spec: Spec;
  /** Converts the time of the layer to the time of the layer stack. */
  readonly offset: LayerOffset;
}

/** A reference or payload whose target layer is open. */
export interface AssetArc {
  readonly stack: SiteStack;
  readonly path: string;
  /** Converts the time of the target to the time of this site's layer stack. */
  readonly offset: LayerOffset;
  /** The target is in the same layer stack: paths outside of the target stay valid. */
  readonly isInternal: boolean;
  /** The layer that authors the arc, for messages. */
  readonly layer: Layer;
  /** The arc as it is authored, for messages. */
  readonly label: string;
}

const SITE_TYPES: ReadonlySet<SpecType> = new Set([SPEC_TYPE.prim, SPEC_TYPE.variant, SPEC_TYPE.pseudoRoot]);
const ARC_FIELDS = ['references', 'payload', 'inheritPaths', 'specializes', 'variantSetNames'] as const;
const NONE: readonly never[] = [];

/** A site in a variant. `hasArcs`: it, or a site between the variant and it, has arcs. */
interface VariantSite {
  readonly site: Site;
  readonly hasArcs: boolean;
}

/** An item of a list op that the composed list may still drop. */
interface AuthoredItem {
  readonly item: Reference;
  readonly from: SiteSpec;
}

export class Site {
  readonly stack: SiteStack;
  readonly path: string;
  /** Strongest first; empty if no layer has a spec here. */
  readonly specs: readonly SiteSpec[];
  readonly hasArcs: boolean;
  #references: readonly AssetArc[] | null = null;
  #payloads: readonly AssetArc[] | null = null;
  #inherits: readonly string[] | null = null;
  #specializes: readonly string[] | null = null;
  #variantSets: readonly string[] | null = null;
  #maps: Map<string, ArcMap | null> | null = null;
  #variantSites: readonly VariantSite[] | null = null;
  #belowSelection: boolean | null = null;

  constructor(stack: SiteStack, path: string) {
    this.stack = stack;
    let specs: SiteSpec[] | null = null;
    let hasArcs = false;
    for (const { layer, offset } of stack.layers) {
      const spec = layer.specs.get(path);
      if (!spec || !SITE_TYPES.has(spec.type)) continue;
      if (specs === null) specs = [];
      specs.push({ layer, spec, offset });
      hasArcs ||= ARC_FIELDS.some((field) => spec.has(field));
    }
    this.specs = specs ?? NONE;
    // Use the string that the layer holds already, so that memory holds one copy of it.
    this.path = this.specs.length > 0 ? this.specs[0].spec.path : path;
    this.hasArcs = hasArcs;
  }

  /** The path without variant selections. */
  get namespacePath(): string {
    return stripVariants(this.path);
  }

  /** Strongest first. References that cannot be followed are reported and left out. */
  references(): readonly AssetArc[] {
    this.#references ??= this.#assetArcs('references', 'reference', 'UC1711');
    return this.#references;
  }

  payloads(): readonly AssetArc[] {
    this.#payloads ??= this.#assetArcs('payload', 'payload', 'UC1712');
    return this.#payloads;
  }

  /** Namespace paths of classes, strongest first. */
  classes(field: 'inheritPaths' | 'specializes'): readonly string[] {
    if (!this.hasArcs) return NONE;
    if (field === 'inheritPaths') {
      this.#inherits ??= this.#classes(field);
      return this.#inherits;
    }
    this.#specializes ??= this.#classes(field);
    return this.#specializes;
  }

  /**
   * Maps the namespace of the target of an arc to the namespace of this site. The map includes the relocates of this
   * layer stack. `reachesOut`: paths outside of the target stay valid. All nodes at the site share one map.
   */
  arcMap(path: string, reachesOut: boolean): ArcMap | null {
    const key = reachesOut ? path : `${path}!`;
    const known = this.#maps?.get(key);
    if (known !== undefined) return known;
    const target = this.namespacePath;
    const relocates = this.stack.relocates.mapAt(target);
    const arc = new ArcMap([{ source: path, target }], relocates === null && reachesOut);
    const moved = composeMaps(relocates, arc);
    const map = reachesOut ? withRootIdentity(moved) : moved;
    this.#maps ??= new Map();
    this.#maps.set(key, map);
    return map;
  }

  #classes(field: string): readonly string[] {
    return this.#names(field, pathListOpOf).filter((path) => {
      if (isPrimPath(path)) return true;
      const [{ layer, spec }] = this.specs;
      this.stack.findings.missing('UC1715', layer, spec.path, `<${path}> is not the path of a prim`);
      return false;
    });
  }

  variantSets(): readonly string[] {
    if (!this.hasArcs) return NONE;
    this.#variantSets ??= this.#names('variantSetNames', nameListOpOf);
    return this.#variantSets;
  }

  /** Whether, in this layer stack, a variant of an ancestor has specs for this prim or arcs that may bring in some. */
  get isInVariants(): boolean {
    return this.#inVariants().length > 0;
  }

  /** Whether, in this layer stack, an ancestor or one of its variants selects a variant. */
  get isBelowSelection(): boolean {
    if (this.#belowSelection === null) {
      const path = parentSite(this.path);
      const site = path === '/' ? null : this.stack.site(path);
      this.#belowSelection = site !== null && (site.#selects() || (!path.endsWith('}') && site.isBelowSelection));
    }
    return this.#belowSelection;
  }

  #selects(): boolean {
    if (this.specs.some(({ spec }) => spec.has('variantSelection'))) return true;
    return this.variantSets().some((set) =>
      this.variants(set).some((name) => this.stack.site(`${this.path}{${set}=${name}}`).#selects()),
    );
  }

  /** The sites of this prim in variants of its ancestors that have specs, or arcs at them or above them. */
  #inVariants(): readonly VariantSite[] {
    if (this.#variantSites !== null) return this.#variantSites;
    this.#variantSites = NONE;
    const path = parentSite(this.path);
    if (path === '/' || this.path.endsWith('}')) return NONE;
    const name = nameOf(this.path);
    const above = this.stack.site(path);
    const sites: VariantSite[] = path.endsWith('}') ? [] : [...above.#inVariants()];
    for (const set of above.variantSets()) {
      for (const variant of above.variants(set)) {
        const site = this.stack.site(`${path}{${set}=${variant}}`);
        sites.push({ site, hasArcs: site.hasArcs });
      }
    }
    const here = sites.map(({ site, hasArcs }) => {
      const child = this.stack.site(appendChild(site.path, name));
      return { site: child, hasArcs: hasArcs || child.hasArcs };
    });
    this.#variantSites = here.filter(({ site, hasArcs }) => hasArcs || site.specs.length > 0);
    return this.#variantSites;
  }

  /** Names of the variants of a set over all layers. */
  variants(set: string): readonly string[] {
    const found = new Set<string>();
    for (const { layer } of this.stack.layers) {
      for (const name of textsOf(layer.specs.get(`${this.path}{${set}=}`)?.get('variantChildren')) ?? [])
        found.add(name);
    }
    return [...found];
  }

  hasVariant(set: string, name: string): boolean {
    const path = `${this.path}{${set}=${name}}`;
    return this.stack.layers.some(({ layer }) => layer.specs.has(path));
  }

  /** The strongest selection for a set that is authored here; '' selects no variant. Undefined if none is authored. */
  variantSelection(set: string): string | undefined {
    for (const { spec } of this.specs) {
      const value = spec.has('variantSelection') ? spec.get('variantSelection') : undefined;
      if (value?.type !== 'VariantSelectionMap') continue;
      const name = (value.value as ReadonlyMap<string, string>).get(set);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  #names(field: string, read: typeof pathListOpOf): string[] {
    let list: string[] = [];
    for (let i = this.specs.length - 1; i >= 0; i--) {
      const op = read(this.specs[i].spec.get(field));
      if (op) list = applyListOp(op, list);
    }
    return list;
  }

  #assetArcs(field: 'references' | 'payload', kind: string, code: Code): readonly AssetArc[] {
    if (!this.hasArcs) return NONE;
    const authored = new Map<string, AuthoredItem>();
    let list: string[] = [];
    for (let i = this.specs.length - 1; i >= 0; i--) {
      const from = this.specs[i];
      const op = referenceListOpOf(from.spec.get(field));
      if (!op) continue;
      const keyed = mapListOp(op, (item) => {
        const key = this.#key(item, from);
        // Messages name the strongest layer that authors the item; layers are read weakest first.
        authored.set(key, { item, from });
        return key;
      });
      list = applyListOp(keyed, list);
    }
    const arcs: AssetArc[] = [];
    for (const key of list) {
      const entry = authored.get(key);
      const arc = entry && this.#follow(entry, kind, code);
      if (arc) arcs.push(arc);
    }
    return arcs;
  }

  /**
   * The identity of an item. Two items are the same if they have the same prim path, authored offset and file; asset
   * paths are anchored before they are compared, as in OpenUSD. The offsets of the sublayers that author the items are
   * not part of it.
   */
  #key({ assetPath, primPath, offset, scale }: Reference, from: SiteSpec): string {
    let file = assetPath;
    if (assetPath !== '' && !assetPath.startsWith('`')) {
      try {
        file = this.stack.stacks.source.locate(from.layer, assetPath, from.spec.path).identifier;
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        // The error is reported later, and only if the composed list keeps the item.
        file = `\0${from.layer.identifier}\0${assetPath}`;
      }
    }
    return `${file}\n${primPath}\n${offset}\n${scale}`;
  }

  #follow({ item, from }: AuthoredItem, kind: string, code: Code): AssetArc | null {
    const { stacks, findings } = this.stack;
    const { layer, spec } = from;
    const { assetPath, primPath } = item;
    const label = `${kind} ${assetPath === '' ? '' : `@${assetPath}@`}${primPath === '' ? '' : `<${primPath}>`}`;
    const refuse = (why: string, as = code) => {
      findings.missing(as, layer, spec.path, `${label.trimEnd()}: ${why}`);
      return null;
    };
    if (assetPath.startsWith('`')) {
      findings.report(
        'UC1718',
        layer,
        spec.path,
        `${label} is a variable expression, which is not evaluated: it is left out`,
      );
      return null;
    }
    let stack = this.stack;
    if (assetPath !== '') {
      try {
        stack = stacks.of(stacks.source.locate(layer, assetPath, spec.path).open());
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        const [first] = error.diagnostics;
        if (first.code === 'UC1714') throw error;
        return refuse(reasonOf(error), first.code === 'UC1716' ? 'UC1716' : code);
      }
    }
    const path = primPath === '' ? stack.defaultPrim() : primPath;
    if (path === null) return refuse(`${stack.root.identifier} has no valid defaultPrim to be the target`);
    if (!isPrimPath(path)) return refuse(`<${path}> is not the path of a prim`);
    // `from.offset` already converts from the rate of the authoring layer to the rate of the root layer of its stack,
    // so the ratio here starts from the rate of the authoring layer. An internal arc needs no ratio.
    const isInternal = assetPath === '';
    const rate = isInternal ? 1 : stacks.rates.of(layer);
    const own = arcOffset(item, rate, isInternal ? 1 : stacks.rates.of(stack.root));
    if (!own.isUsable) findings.report('UC1725', layer, spec.path, `the layer offset of ${label} cannot be used`);
    return {
      stack,
      path,
      offset: composeOffsets(from.offset, own.offset),
      isInternal,
      layer,
      label,
    };
  }
}
