// Moves the camera: around a point and above the ground (orbit), freely (fly), or on the ground (walk). Mouse, touch and
// keyboard; with reduced motion nothing glides.

import { type PerspectiveCamera, Spherical, Vector3 } from 'three';
import type { CameraMode } from '../address.ts';
import type { Ground } from './ground.ts';
import { Walker } from './walk.ts';

/** Radians a pixel. */
const TURN = 0.0045;
/** Of two fingers, or of the mouse with Shift, that walk. */
const PIXELS_A_METRE = 50;
/** Straight up or down the view would tip over. */
const STEEPEST = 0.001;
/** How far above the ground orbiting stays, as a share of the distance from what is circled, and at least this many metres. */
const CLEARANCE = 0.01;
const LEAST_CLEARANCE = 0.1;
/** Metres a second; Shift is four times as fast. */
const WALKING_SPEED = 3;
/** Seconds in which a movement of the keys comes to half of its speed. */
const GLIDE = 0.06;

const MOVES: Readonly<Record<string, readonly [right: number, up: number, ahead: number]>> = {
  KeyW: [0, 0, 1],
  ArrowUp: [0, 0, 1],
  KeyS: [0, 0, -1],
  ArrowDown: [0, 0, -1],
  KeyA: [-1, 0, 0],
  ArrowLeft: [-1, 0, 0],
  KeyD: [1, 0, 0],
  ArrowRight: [1, 0, 0],
  KeyE: [0, 1, 0],
  PageUp: [0, 1, 0],
  KeyQ: [0, -1, 0],
  PageDown: [0, -1, 0],
};

export class CameraRig {
  readonly #camera: PerspectiveCamera;
  readonly #onMove: () => void;
  readonly #ground: Ground;
  readonly #walker: Walker;
  readonly #target = new Vector3();
  readonly #keys = new Set<string>();
  readonly #velocity = new Vector3();
  readonly #pointers = new Map<number, { x: number; y: number }>();
  readonly #stillness = matchMedia('(prefers-reduced-motion: reduce)');
  #mode: CameraMode = 'orbit';
  #isFast = false;
  /** Metres a second. */
  speed = 10;

  constructor(camera: PerspectiveCamera, canvas: HTMLElement, ground: Ground, onMove: () => void) {
    this.#camera = camera;
    this.#ground = ground;
    this.#walker = new Walker(ground);
    this.#onMove = onMove;
    canvas.addEventListener('pointerdown', (event) => this.#down(event, canvas));
    canvas.addEventListener('pointermove', (event) => this.#drag(event, canvas));
    for (const name of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId));
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('keydown', (event) => this.#key(event, true));
    canvas.addEventListener('keyup', (event) => this.#key(event, false));
    canvas.addEventListener('blur', () => this.#keys.clear());
  }

  get mode(): CameraMode {
    return this.#mode;
  }

  set mode(mode: CameraMode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#velocity.set(0, 0, 0);
    if (mode === 'walk') {
      this.#stand();
      return;
    }
    // The point to circle is one in front of the camera, as far away as it was.
    const distance = Math.max(1, this.#target.distanceTo(this.#camera.position));
    this.#target.copy(this.#camera.position).addScaledVector(this.#ahead(), distance);
  }

  /** Comes down to the ground, and looks straight ahead the same way. */
  #stand(): void {
    const ahead = this.#target.clone().sub(this.#camera.position).setY(0);
    if (ahead.lengthSq() < 1e-12) ahead.set(0, 0, -1);
    this.#camera.position.copy(this.#walker.stand(this.#camera.position, this.#target));
    this.#target.copy(this.#camera.position).add(ahead.setLength(1));
    this.#camera.lookAt(this.#target);
    this.#moved();
  }

  get target(): Vector3 {
    return this.#target;
  }

  /** Puts the camera at a place from which it looks at another. */
  place(position: readonly number[], target: readonly number[]): void {
    this.#camera.position.set(position[0], position[1], position[2]);
    this.#target.set(target[0], target[1], target[2]);
    const isSteep = Math.hypot(position[0] - target[0], position[2] - target[2]) < 1e-6;
    this.#camera.up.set(0, isSteep ? 0 : 1, isSteep ? -1 : 0);
    this.#camera.lookAt(this.#target);
    this.#camera.up.set(0, 1, 0);
    if (this.#mode === 'walk') this.#stand();
    else this.#moved();
  }

  #moved(): void {
    this.#camera.updateMatrixWorld();
    this.#onMove();
  }

  #ahead(): Vector3 {
    return this.#camera.getWorldDirection(new Vector3());
  }

  #down(event: PointerEvent, canvas: HTMLElement): void {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #drag(event: PointerEvent, canvas: HTMLElement): void {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.x;
    const dy = event.clientY - before.y;
    if (this.#pointers.size === 2) this.#pinch(event, before);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const isPan = this.#pointers.size > 1 || event.buttons === 4 || event.buttons === 2 || event.shiftKey;
    if (isPan && this.#mode === 'walk') {
      this.#walk(-dx / PIXELS_A_METRE, dy / PIXELS_A_METRE);
      this.#led(null);
    } else if (isPan) {
      this.#pan(dx, dy, canvas.clientHeight);
    } else if (this.#mode === 'orbit') this.#orbit(dx, dy);
    else this.#surface(dx, dy);
  }

  #pinch(event: PointerEvent, before: { x: number; y: number }): void {
    const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    if (was > 0 && is > 0) this.#approach(was / is);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const steps = event.deltaMode === 1 ? event.deltaY / 3 : event.deltaY / 100;
    if (this.#mode === 'walk') return;
    if (this.#mode === 'fly') this.speed = Math.min(1e4, Math.max(0.05, this.speed * 0.85 ** steps));
    else this.#approach(1.15 ** Math.max(-5, Math.min(5, steps)));
  }

  /** Scales the distance from the point that is circled. */
  #approach(factor: number): void {
    const offset = this.#camera.position.clone().sub(this.#target).multiplyScalar(factor);
    if (offset.length() < 0.02 || this.#mode === 'walk') return;
    const to = offset.add(this.#target);
    if (this.#mode === 'orbit' && this.#lowest(to) > to.y && to.y < this.#camera.position.y) return;
    this.#camera.position.copy(to);
    this.#moved();
  }

  /** How low a camera that circles may be at a place. What is higher than it was, and steeper than 45 degrees, is no ground. */
  #lowest(to: Vector3): number {
    const { x, y, z } = this.#camera.position;
    const clearance = Math.max(LEAST_CLEARANCE, CLEARANCE * to.distanceTo(this.#target));
    const top = Math.max(y, to.y) + Math.hypot(to.x - x, to.z - z);
    return (this.#ground.below(to.x, top, to.z) ?? this.#ground.floor) + clearance;
  }

  #orbit(dx: number, dy: number): void {
    const around = new Spherical().setFromVector3(this.#camera.position.clone().sub(this.#target));
    around.theta -= dx * TURN;
    around.phi = Math.min(Math.PI - STEEPEST, Math.max(STEEPEST, around.phi - dy * TURN));
    const to = new Vector3();
    // Where the ground is higher the camera goes up on its sphere, until it is above the ground there.
    for (let tries = 0; ; tries++) {
      to.setFromSpherical(around).add(this.#target);
      const lowest = this.#lowest(to);
      if (to.y >= lowest - 1e-6 || this.#camera.position.y < this.#ground.floor) break;
      const cosine = (lowest - this.#target.y) / around.radius;
      if (cosine >= 1 || tries === 3) return;
      around.phi = Math.acos(Math.max(-1, cosine));
    }
    this.#camera.position.copy(to);
    this.#camera.lookAt(this.#target);
    this.#moved();
  }

  #surface(dx: number, dy: number): void {
    const ahead = new Spherical().setFromVector3(this.#ahead());
    ahead.theta += dx * -TURN * 0.7;
    ahead.phi = Math.min(Math.PI - STEEPEST, Math.max(STEEPEST, ahead.phi + dy * TURN * 0.7));
    const distance = Math.max(1, this.#target.distanceTo(this.#camera.position));
    this.#target.setFromSpherical(ahead).multiplyScalar(distance).add(this.#camera.position);
    this.#camera.lookAt(this.#target);
    this.#moved();
  }

  #pan(dx: number, dy: number, height: number): void {
    const distance = this.#mode === 'orbit' ? this.#camera.position.distanceTo(this.#target) : this.speed;
    const scale = (2 * Math.tan((this.#camera.fov * Math.PI) / 360) * distance) / Math.max(1, height);
    const right = new Vector3().setFromMatrixColumn(this.#camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.#camera.matrixWorld, 1);
    const shift = right.multiplyScalar(-dx * scale).addScaledVector(up, dy * scale);
    if (this.#mode === 'orbit') {
      const to = this.#camera.position.clone().add(shift);
      shift.y += Math.max(0, Math.min(-shift.y, this.#lowest(to) - to.y));
    }
    this.#camera.position.add(shift);
    this.#target.add(shift);
    this.#moved();
  }

  /** Walks so many metres to the right and ahead. */
  #walk(right: number, ahead: number): void {
    const { x, z } = this.#ahead().setY(0).normalize();
    this.#walker.go(x * ahead - z * right, z * ahead + x * right);
  }

  /** The eyes follow the feet; null: at once. True: they have moved. */
  #led(seconds: number | null): boolean {
    const before = this.#camera.position.clone();
    const isMoved = this.#walker.lead(this.#camera.position, this.#stillness.matches ? null : seconds);
    if (!isMoved) return false;
    this.#target.add(this.#camera.position).sub(before);
    this.#moved();
    return true;
  }

  #key(event: KeyboardEvent, isDown: boolean): void {
    this.#isFast = event.shiftKey;
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.code in MOVES)) return;
    event.preventDefault();
    if (isDown) this.#keys.add(event.code);
    else this.#keys.delete(event.code);
  }

  /** Goes on by so many seconds. True: the camera is moving. */
  step(seconds: number): boolean {
    const wish = new Vector3();
    for (const key of this.#keys) {
      const [right, up, ahead] = MOVES[key];
      wish.x += right;
      wish.y += up;
      wish.z += ahead;
    }
    if (this.#mode === 'orbit') return this.#orbitByKeys(wish, seconds);
    const speed = this.#mode === 'walk' ? WALKING_SPEED : this.speed;
    const wanted = wish.multiplyScalar(speed * (this.#isFast ? 4 : 1));
    const share = this.#stillness.matches ? 1 : 1 - 0.5 ** (seconds / GLIDE);
    this.#velocity.lerp(wanted, share);
    if (this.#velocity.length() < speed * 0.002) this.#velocity.set(0, 0, 0);
    if (this.#mode === 'walk') {
      this.#walk(this.#velocity.x * seconds, this.#velocity.z * seconds);
      return this.#led(seconds);
    }
    if (this.#velocity.lengthSq() === 0) return false;
    const right = new Vector3().setFromMatrixColumn(this.#camera.matrixWorld, 0);
    const shift = right
      .multiplyScalar(this.#velocity.x)
      .addScaledVector(this.#ahead(), this.#velocity.z)
      .add(new Vector3(0, this.#velocity.y, 0))
      .multiplyScalar(seconds);
    this.#camera.position.add(shift);
    this.#target.add(shift);
    this.#moved();
    return true;
  }

  #orbitByKeys(wish: Vector3, seconds: number): boolean {
    this.#velocity.set(0, 0, 0);
    if (wish.lengthSq() === 0) return false;
    // A quarter of a turn in a second.
    const pixels = (Math.PI / 2 / TURN) * seconds;
    if (wish.x !== 0 || wish.y !== 0) this.#orbit(-wish.x * pixels, wish.y * pixels);
    if (wish.z !== 0) this.#approach(0.35 ** (wish.z * seconds));
    return true;
  }
}
