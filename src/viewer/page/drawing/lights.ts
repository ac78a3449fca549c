// Lights: the sun of an hour or of a picture, or those that the set itself has, in the units of three.js. The engine's units are watts, of
// directional lights watts a square metre: a point light of P watts has an intensity of P / 4 pi in each direction.

import { Color, DirectionalLight, Group, type Light, PointLight, SpotLight } from 'three';
import type { UntoldLight } from '../../../formats/untold/types.ts';
import type { Vec3 } from '../../../scene/types.ts';
import { daylightAt } from '../../daylight.ts';
import type { ReadEnvironment } from '../reading/environment.ts';
import { SunShadow } from './shadows.ts';

/** The sun of the hour, the lights of the set, or both. */
export type LightSource = 'sun' | 'set' | 'both';

/** A light of the set, as a file or a manifest has it. */
export type AuthoredLight = Pick<
  UntoldLight,
  'type' | 'color' | 'intensity' | 'position' | 'direction' | 'innerCone' | 'outerCone' | 'areaSize'
>;

const colorOf = ([r, g, b]: Vec3): Color => new Color().setRGB(r, g, b);
const radians = (degrees: number): number => (degrees / 180) * Math.PI;

function aimed<T extends DirectionalLight | SpotLight>(light: T, position: Vec3, direction: Vec3): T {
  light.position.set(...position);
  light.target.position.set(position[0] + direction[0], position[1] + direction[1], position[2] + direction[2]);
  return light;
}

function lightOf(light: AuthoredLight): Light {
  const { type, intensity, position, direction, innerCone, outerCone } = light;
  const color = colorOf(light.color);
  if (type === 'directional') {
    return aimed(new DirectionalLight(color, intensity), [0, 0, 0], direction);
  }
  if (type === 'point') {
    const made = new PointLight(color, intensity / (4 * Math.PI));
    made.position.set(...position);
    return made;
  }
  if (type === 'spot') {
    const outer = Math.min(89, Math.max(outerCone, 0.1));
    const penumbra = 1 - Math.min(1, innerCone / outer);
    return aimed(new SpotLight(color, intensity / (4 * Math.PI), 0, radians(outer), penumbra), position, direction);
  }
  // An area sends P / pi straight ahead, and less to the sides.
  return aimed(new SpotLight(color, intensity / Math.PI, 0, radians(89), 1), position, direction);
}

export class Lights {
  readonly group = new Group();
  readonly #sun = new DirectionalLight();
  #authored: Light[] = [];
  #hour = 10;
  #source: LightSource = 'sun';
  #picture: Pick<ReadEnvironment, 'sun'> | null = null;
  readonly shadow = new SunShadow(this.#sun);

  constructor() {
    this.group.add(this.#sun, this.#sun.target);
    this.#update();
  }

  setAuthored(lights: readonly AuthoredLight[]): void {
    for (const light of this.#authored) light.removeFromParent();
    this.#authored = lights.map(lightOf);
    for (const light of this.#authored) {
      this.group.add(light);
      if ('target' in light) this.group.add((light as SpotLight).target);
    }
    this.#update();
  }

  get authoredCount(): number {
    return this.#authored.length;
  }

  set source(value: LightSource) {
    this.#source = value;
    this.#update();
  }

  get hour(): number {
    return this.#hour;
  }

  set hour(value: number) {
    this.#hour = value;
    this.#update();
  }

  /** A picture of the surroundings, which has its own sun, or none; null: the sun is that of the hour. */
  set picture(picture: Pick<ReadEnvironment, 'sun'> | null) {
    this.#picture = picture;
    this.#update();
  }

  /** The direction to the sun. */
  get sun(): Vec3 {
    return this.#picture?.sun?.direction ?? daylightAt(this.#hour).sun;
  }

  /** What the light of the sky is multiplied with. */
  get sky(): number {
    return this.#picture ? 1 : daylightAt(this.#hour).sky;
  }

  #update(): void {
    const { sun, sunColor, sunIrradiance } = daylightAt(this.#hour);
    const own = this.#picture?.sun;
    // A white surface shows irradiance over pi.
    const irradiance = this.#picture ? (own ? Math.PI : 0) : sunIrradiance;
    this.#sun.visible = this.#source !== 'set' && irradiance > 0;
    this.#sun.color.copy(colorOf(own?.color ?? sunColor));
    this.#sun.intensity = irradiance;
    this.shadow.aim(own?.direction ?? sun);
    for (const light of this.#authored) light.visible = this.#source !== 'sun';
  }
}
