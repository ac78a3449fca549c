// Every rule for a USDZ package: the archive, the types of its files, that each path in it leads to a file of it, and what
// the stage has to state. What reading forgives is an error here. With `arkit`, the profile of ARKit too.

import { type Diagnostic, Diagnostics, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { LimitWatch } from '../../diagnostics/limits.ts';
import { type Content, headOf } from '../content.ts';
import { imageTypeOf, imageTypeOfContent, isAllowedInPackage, isLayerName, isPackageName } from '../usdz/fileTypes.ts';
import { openUsdz, type UsdzPackage } from '../usdz/openUsdz.ts';
import { splitPackagePath } from '../usdz/packagePaths.ts';
import { UnpackBudget } from '../usdz/unpackBudget.ts';
import { type AuthoredPath, authoredPaths } from './assetPaths.ts';
import { numberOf, textOf } from './compose/values/values.ts';
import type { Layer } from './layer.ts';
import { readLayer } from './readLayer.ts';

/** What reading forgives: compression, alignment, order, spelling of names, sizes after the data. */
const FORGIVEN = new Set(['UC1620', 'UC1621', 'UC1622', 'UC1623', 'UC1624', 'UC1625']);
const MAX_DEPTH = 8;
/** Attributes whose files are textures. */
const TEXTURE_INPUT = /\.inputs:(?:texture:)?file$/;
/** More than an image is recognised by. */
const HEAD_BYTES = 16;
const UDIM = '<UDIM>';
const FIRST_TILE = 1001;
const LAST_TILE = 1100;

export interface UsdzRules {
  readonly arkit: boolean;
}

class Check {
  readonly #diagnostics: Diagnostics;
  readonly #rules: UsdzRules;
  readonly #budget: UnpackBudget;
  readonly #limits: LimitWatch;
  /** Packages that paths lead into, by identifier: a hostile layer may have thousands of such paths. */
  readonly #inner = new Map<string, UsdzPackage>();

  constructor(diagnostics: Diagnostics, rules: UsdzRules, budget: UnpackBudget, limits: LimitWatch) {
    this.#diagnostics = diagnostics;
    this.#rules = rules;
    this.#budget = budget;
    this.#limits = limits;
  }

  /** Checks what can be checked; what `work` throws is a finding. */
  #try<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      for (const item of error.diagnostics) this.#diagnostics.add(item);
      return null;
    }
  }

  package(content: Content, identifier: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.#diagnostics.report('UC1635', identifier, '', `it is ${depth} deep`);
      return;
    }
    const usdz = this.#try(() => openUsdz(content, identifier, this.#diagnostics, this.#budget, this.#limits));
    if (!usdz) return;
    const layers = new Map<string, Layer>();
    for (const { name, isSpecial } of usdz.entries) {
      if (isSpecial) this.#diagnostics.report('UC3821', identifier, name, 'its Unix mode says so');
      if (!isAllowedInPackage(name)) this.#diagnostics.report('UC1630', identifier, name, `'${name}'`);
      const file = this.#try(() => usdz.open(name));
      if (!file) continue;
      if (imageTypeOf(name) !== null) this.#image(usdz, name, file);
      if (isPackageName(name)) this.package(file, usdz.identify(name), depth + 1);
      if (!isLayerName(name)) continue;
      const noInclude = () => fail('UC1608', identifier, name, 'no package holds MaterialX documents');
      const layer = this.#try(() => readLayer(file, usdz.identify(name), this.#diagnostics, noInclude, file.size));
      if (layer) layers.set(name, layer);
    }
    for (const [name, layer] of layers) {
      this.#try(() => {
        for (const authored of authoredPaths(layer)) this.#try(() => this.#path(usdz, name, layer, authored));
      });
    }
    const root = layers.get(usdz.root.name);
    if (root) this.#try(() => this.#stage(root, [...layers.values()]));
    if (this.#rules.arkit && depth === 0) this.#arkit(usdz, root ?? null);
  }

  #image(usdz: UsdzPackage, name: string, file: Content): void {
    const named = imageTypeOf(name);
    const held = imageTypeOfContent(headOf(file, HEAD_BYTES));
    const report = (message: string) => this.#diagnostics.report('UC1631', usdz.identifier, name, message);
    if (held !== named) report(`'${name}' holds ${held === null ? 'no image of these types' : held}`);
    else if (this.#rules.arkit && held !== 'png' && held !== 'jpeg') report(`'${name}' is ${held}`);
  }

  #path(usdz: UsdzPackage, from: string, layer: Layer, { assetPath, element, kind }: AuthoredPath): void {
    if (assetPath.startsWith('`')) {
      const message = `the variable expression ${assetPath} is not evaluated`;
      this.#diagnostics.report('UC1917', layer.identifier, element, message);
      return;
    }
    const found = this.#resolve(usdz, from, assetPath, element);
    if (found === null) {
      this.#diagnostics.report('UC1608', layer.identifier, element, `the package has no file '${assetPath}'`);
      return;
    }
    const [outer, ...inner] = splitPackagePath(found);
    let at = usdz;
    let name = outer;
    for (const next of inner) {
      at = this.#innerPackage(at, name);
      name = next;
      if (!at.has(name)) fail('UC1608', layer.identifier, element, `the package has no file '${assetPath}'`);
    }
    if (kind === 'value' && TEXTURE_INPUT.test(element) && imageTypeOf(name) === null) {
      this.#diagnostics.report('UC1631', layer.identifier, element, `'${assetPath}'`);
    }
  }

  #innerPackage(outer: UsdzPackage, name: string): UsdzPackage {
    const identifier = outer.identify(name);
    const known = this.#inner.get(identifier);
    if (known) return known;
    // What is wrong with it is found when it is checked itself.
    const inner = openUsdz(outer.open(name), identifier, new Diagnostics(), this.#budget, this.#limits);
    this.#inner.set(identifier, inner);
    return inner;
  }

  #resolve(usdz: UsdzPackage, from: string, assetPath: string, element: string): string | null {
    if (!assetPath.includes(UDIM)) return usdz.resolve(assetPath, from, element);
    for (let tile = FIRST_TILE; tile <= LAST_TILE; tile++) {
      const found = usdz.resolve(assetPath.replaceAll(UDIM, String(tile)), from, element);
      if (found !== null) return found;
    }
    return null;
  }

  /** What the root layer has to state. */
  #stage(root: Layer, layers: readonly Layer[]): void {
    const { identifier } = root;
    const stated = root.specs.get('/');
    const report = (code: 'UC1632' | 'UC1703' | 'UC1704' | 'UC1705' | 'UC1707', message: string) =>
      this.#diagnostics.add({ ...diagnostic(code, identifier, '/', message), severity: 'error' });
    const prim = textOf(stated?.get('defaultPrim'));
    const primPath = prim?.startsWith('/') ? prim : `/${prim}`;
    if (!prim) report('UC1632', 'defaultPrim is not authored');
    else if (!layers.some(({ specs }) => specs.has(primPath))) report('UC1632', `there is no prim ${primPath}`);
    const axis = stated?.get('upAxis');
    const up = textOf(axis);
    if (axis === undefined) report('UC1707', 'upAxis is not authored');
    else if (up !== 'Y' && up !== 'Z') report('UC1705', `upAxis is ${up === null ? 'no token' : `"${up}"`}`);
    else if (this.#rules.arkit && up !== 'Y') this.#diagnostics.report('UC1634', identifier, '/', 'upAxis is "Z"');
    const unit = stated?.get('metersPerUnit');
    const meters = numberOf(unit);
    if (unit === undefined) report('UC1703', 'metersPerUnit is not authored');
    else if (meters === null || !(meters > 0 && Number.isFinite(meters))) {
      report('UC1704', `metersPerUnit is ${meters ?? 'no number'}`);
    }
  }

  #arkit(usdz: UsdzPackage, root: Layer | null): void {
    const report = (element: string, message: string) =>
      this.#diagnostics.report('UC1633', usdz.identifier, element, message);
    const layers = usdz.entries.filter(({ name }) => isLayerName(name) || isPackageName(name));
    if (layers.length > 1) report(layers[1].name, `the package holds ${layers.length} layers and packages`);
    if (root && root.format !== 'usdc') report(usdz.root.name, `'${usdz.root.name}' is text`);
  }
}

/** All findings of a package; `identifier` names it in messages. */
export function checkUsdz(
  content: Content,
  identifier: string,
  rules: UsdzRules,
  limits = new LimitWatch(),
): readonly Diagnostic[] {
  const diagnostics = new Diagnostics();
  const budget = new UnpackBudget();
  budget.addArchive(content.size);
  new Check(diagnostics, rules, budget, limits).package(content, identifier, 0);
  return diagnostics.list.map((item) => (FORGIVEN.has(item.code) ? { ...item, severity: 'error' } : item));
}
