// Checks the manifest of a pack of models, and that its models are there. Nothing is read here: the caller gives a probe that
// finds files, and checks each model itself.

import { jsonFaultWords } from '../../bytes/jsonFault.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../findings.ts';
import { ChainChecks } from './chains.ts';
import { climbs, PACK_VERSION, type PackProbe, packPathFault, type UntoldPack } from './document.ts';

export interface PackReport {
  /** Null when something of it is wrong, files that are missing apart. */
  readonly pack: UntoldPack | null;
  /** The path of every model that exists, once, in the order of the manifest. */
  readonly models: readonly string[];
  /** The same of the levels of chains. */
  readonly levels: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const LARGEST_FLOAT32 = 3.4028234663852886e38;
const LAST_ROW = [0, 0, 0, 1];

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= LARGEST_FLOAT32;

/** Why a value is no matrix that places a model; null: it is one. */
function matrixFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length !== 4) return 'it has not 4 rows';
  for (const [r, row] of value.entries()) {
    if (!Array.isArray(row) || row.length !== 4) return `row ${r} has not 4 numbers`;
    if (!row.every(isNumber)) return `row ${r} holds what is no finite number`;
  }
  const last: readonly number[] = value[3];
  return last.every((number, c) => number === LAST_ROW[c]) ? null : `the last row is ${last.join(' ')}, not 0 0 0 1`;
}

class PackChecks {
  readonly #findings: Findings;
  readonly #probe: PackProbe;
  readonly models = new Set<string>();
  levels: readonly string[] = [];
  isSound = true;
  /** Of all models, whether they are there or not. */
  readonly #paths = new Set<string>();

  constructor(findings: Findings, probe: PackProbe) {
    this.#findings = findings;
    this.#probe = probe;
  }

  check(pack: Loose): void {
    const { formatVersion, sourceAsset, models, lodChains } = pack;
    if (!Number.isInteger(formatVersion)) this.#refuse('UC3191', 'formatVersion', 'it is missing or no whole number');
    else if (formatVersion !== PACK_VERSION) this.#refuse('UC3192', 'formatVersion', `it is ${formatVersion}`);
    if (sourceAsset === undefined || sourceAsset === null) {
      this.#findings.report('UC3197', 'sourceAsset', 'it is missing');
    } else if (typeof sourceAsset !== 'string') this.#refuse('UC3191', 'sourceAsset', 'it is no text');
    if (!Array.isArray(models)) {
      this.#refuse('UC3191', 'models', 'it is missing or no list');
      return;
    }
    if (models.length === 0) this.#findings.report('UC3196', 'models', 'the list is empty');
    for (const [i, model] of models.entries()) this.#model(model, `models/${i}`);
    if (lodChains === undefined) return;
    const chains = new ChainChecks(this.#findings, this.#probe, this.#paths);
    this.isSound = chains.check(lodChains) && this.isSound;
    this.levels = chains.levels;
  }

  #refuse(code: 'UC3191' | 'UC3192' | 'UC3193' | 'UC3194', place: string, message: string): void {
    this.isSound = false;
    this.#findings.report(code, place, message);
  }

  #model(model: unknown, place: string): void {
    if (!isObject(model)) {
      this.#refuse('UC3191', place, 'it is no object');
      return;
    }
    const { displayName, path, transform } = model;
    if (displayName !== undefined && displayName !== null && typeof displayName !== 'string') {
      this.#refuse('UC3191', `${place}/displayName`, 'it is no text');
    }
    const fault = matrixFault(transform);
    if (fault !== null) this.#refuse('UC3193', `${place}/transform`, fault);
    if (typeof path !== 'string') {
      this.#refuse('UC3191', `${place}/path`, 'it is missing or no text');
      return;
    }
    this.#paths.add(path);
    const outside = packPathFault(path);
    if (outside !== null) this.#refuse('UC3194', `${place}/path`, `${JSON.stringify(path)}: ${outside}`);
    else if (this.models.has(path)) return;
    else if (climbs(path)) this.#findings.report('UC3198', `${place}/path`, path);
    if (outside !== null || this.models.has(path)) return;
    if (this.#probe.size(path) === null) this.#findings.report('UC3195', `${place}/path`, `no file ${path}`);
    else this.models.add(path);
  }
}

/** With names for models that have none: the engine's tools fall back to the path, too. */
const named = (pack: UntoldPack): UntoldPack => ({
  ...pack,
  models: pack.models.map((model) => ({ ...model, displayName: model.displayName ?? model.path })),
});

/** Checks a pack. `file` is its name for messages. Throws what the probe throws. */
export function validatePack(text: string, file: string, probe: PackProbe): PackReport {
  const findings = new Findings(file);
  const refused = (message: string): PackReport => {
    findings.report('UC3190', '', message);
    return { pack: null, models: [], levels: [], diagnostics: findings.list() };
  };
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return refused(jsonFaultWords(json));
  }
  if (!isObject(value)) return refused('it holds no object');
  const checks = new PackChecks(findings, probe);
  checks.check(value);
  return {
    pack: checks.isSound ? named(value as unknown as UntoldPack) : null,
    models: [...checks.models],
    levels: checks.levels,
    diagnostics: findings.list(),
  };
}

/** A pack by its text alone, whether or not its models are there; null for anything else. */
export function readPack(text: string): UntoldPack | null {
  return validatePack(text, '', { size: () => 0 }).pack;
}
