// What a scene of Urho3D has that has no place in a Scene, said once a kind.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { textAttribute } from '../../formats/urho3d/xml/attributes.ts';
import { numbersOf, type XmlElement } from '../../formats/urho3d/xml/document.ts';

/** Components that the engine draws, or that change how all looks. Those of others are of no picture. */
const DRAWN: ReadonlySet<string> = new Set([
  'AnimatedSprite2D',
  'BillboardSet',
  'CustomGeometry',
  'DecalSet',
  'ParticleEmitter',
  'ParticleEmitter2D',
  'RibbonTrail',
  'Skybox',
  'StaticSprite2D',
  'StretchableSprite2D',
  'Terrain',
  'Text3D',
  'TileMap2D',
  'Zone',
]);
/** Components that each scene has for the engine itself. */
const OF_ENGINE: ReadonlySet<string> = new Set(['DebugRenderer', 'Octree']);

const counted = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, count]) => (count === 1 ? type : `${type} (${count})`))
    .join(', ');

const SHOWN = 3;

function firstOf(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, SHOWN).map((name) => JSON.stringify(name.slice(0, 80)));
  return `${shown.join(', ')}${names.size > SHOWN ? ` and ${names.size - SHOWN} more` : ''}`;
}

export class Findings {
  readonly #drawn = new Map<string, number>();
  readonly #others = new Map<string, number>();
  readonly #changes = new Map<string, number>();
  readonly #animations = new Set<string>();

  /** A component that is not read. */
  component(type: string): void {
    if (OF_ENGINE.has(type)) return;
    const counts = DRAWN.has(type) ? this.#drawn : this.#others;
    const name = type || 'a component without a type';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /** Something that is another thing here, or left out. */
  change(what: string): void {
    this.#changes.set(what, (this.#changes.get(what) ?? 0) + 1);
  }

  /** An animation that a model plays and that is not found. */
  animation(name: string): void {
    this.#animations.add(name);
  }

  /** Attributes of a model that have no place. */
  attributes(element: XmlElement): void {
    if ((numbersOf(textAttribute(element, 'Draw Distance', '0'), 1)?.[0] ?? 0) > 0) this.change('draw distances');
  }

  report(file: string, diagnostics: Diagnostics): void {
    if (this.#drawn.size > 0) diagnostics.report('UC2486', file, '', `left out: ${counted(this.#drawn)}`);
    if (this.#others.size > 0) diagnostics.report('UC2487', file, '', `left out: ${counted(this.#others)}`);
    if (this.#animations.size > 0) this.change(`animations that are not found: ${firstOf(this.#animations)}`);
    if (this.#changes.size > 0) diagnostics.report('UC2488', file, '', counted(this.#changes));
  }
}
