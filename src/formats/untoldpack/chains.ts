// Checks what the manifests of packs say of LOD chains.

import type { Findings } from '../findings.ts';
import { type PackProbe, packPathFault } from './document.ts';

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers of the manifest are 32-bit floats in the engine. */
const isFloat = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(Math.fround(value));

const isPositive = (value: unknown): value is number => isFloat(value) && value > 0;

const WANTED = { triangles: 'it is no whole number from 0 on', error: 'it is no number from 0 on' } as const;

export class ChainChecks {
  readonly #findings: Findings;
  readonly #probe: PackProbe;
  readonly #models: ReadonlySet<string>;
  readonly #levels = new Set<string>();
  #isSound = true;

  constructor(findings: Findings, probe: PackProbe, models: ReadonlySet<string>) {
    this.#findings = findings;
    this.#probe = probe;
    this.#models = models;
  }

  /** Paths of the levels that are there. */
  get levels(): readonly string[] {
    return [...this.#levels];
  }

  /** Whether all of it can be read. */
  check(chains: unknown): boolean {
    if (!isObject(chains)) this.#refuse('lodChains', 'it is no object');
    else for (const [model, levels] of Object.entries(chains)) this.#chain(model, levels);
    return this.#isSound;
  }

  #refuse(place: string, message: string): void {
    this.#isSound = false;
    this.#findings.report('UC3270', place, message);
  }

  #chain(model: string, levels: unknown): void {
    const place = `lodChains/${model}`;
    if (!this.#models.has(model)) this.#refuse(place, 'the pack has no model of this path');
    if (!Array.isArray(levels)) {
      this.#refuse(place, 'it is no list');
      return;
    }
    let before = Infinity;
    for (const [i, level] of levels.entries()) before = this.#level(level, `${place}/${i}`, before);
  }

  /** The size of the level. */
  #level(level: unknown, place: string, before: number): number {
    if (!isObject(level)) {
      this.#refuse(place, 'it is no object');
      return before;
    }
    const { path, screenSize, triangles, error } = level;
    for (const [name, value] of Object.entries({ triangles, error })) {
      const isRight = isFloat(value) && value >= 0 && (name === 'error' || Number.isSafeInteger(value));
      if (value !== undefined && !isRight) this.#refuse(`${place}/${name}`, WANTED[name as keyof typeof WANTED]);
    }
    if (typeof path !== 'string') this.#refuse(`${place}/path`, 'it is missing or no text');
    else this.#path(path, `${place}/path`);
    if (!isPositive(screenSize)) {
      this.#refuse(`${place}/screenSize`, 'it is missing or no number above 0 that a float32 holds');
      return before;
    }
    if (screenSize >= before) {
      this.#findings.report('UC3271', `${place}/screenSize`, `${screenSize} after ${before}`);
    }
    return screenSize;
  }

  #path(path: string, place: string): void {
    const outside = packPathFault(path);
    if (outside !== null) this.#refuse(place, `${JSON.stringify(path)}: ${outside}`);
    else if (this.#probe.size(path) === null) this.#findings.report('UC3272', place, `no file ${path}`);
    else this.#levels.add(path);
  }
}
