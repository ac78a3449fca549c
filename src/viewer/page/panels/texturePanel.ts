// The panel of textures: each file once, with a thumbnail, its size and format, and who uses it. A click shows it large, with
// each channel alone.

import { formatBytes } from '../../../bytes/units.ts';
import { FILE_SLOTS, slotKind } from '../../../scene/materialSlots.ts';
import type { LoadedPayload } from '../drawing/payloads.ts';
import type { ShownTexture } from '../drawing/textures.ts';
import { CHANNELS, type Channel, type Thumbnails } from '../drawing/thumbnails.ts';
import { count, element, fillSelect, row, terms } from './element.ts';

const SMALL = 56;
const LARGE = 512;
/** Thumbnails that are drawn at once: more would hold up the picture. */
const PORTION = 6;

interface UsedTexture {
  readonly texture: ShownTexture;
  /** Titles of slots. */
  readonly slots: ReadonlySet<string>;
  /** Names of materials. */
  readonly materials: ReadonlySet<string>;
}

/** Each file with its users, the largest first. */
function usedTextures(payloads: readonly LoadedPayload[]): UsedTexture[] {
  const used = new Map<string, { texture: ShownTexture; slots: Set<string>; materials: Set<string> }>();
  for (const { surfaces } of payloads) {
    for (const { material, textures } of surfaces) {
      for (const slot of FILE_SLOTS) {
        const texture = textures[slot];
        if (!texture) continue;
        const entry = used.get(texture.path) ?? { texture, slots: new Set(), materials: new Set() };
        entry.slots.add(slotKind(slot).title);
        entry.materials.add(material.name);
        used.set(texture.path, entry);
      }
    }
  }
  return [...used.values()].sort(
    (a, b) => b.texture.gpuBytes - a.texture.gpuBytes || (a.texture.path < b.texture.path ? -1 : 1),
  );
}

const names = (all: ReadonlySet<string>): string => [...all].sort().join(', ');

export class TexturePanel {
  readonly #panel: HTMLElement;
  readonly #thumbnails: Thumbnails;
  readonly #loaded: () => readonly LoadedPayload[];
  #key = '';
  #waiting: (() => void)[] = [];

  /** `loaded`: the payloads that are there now. */
  constructor(panel: HTMLElement, thumbnails: Thumbnails, loaded: () => readonly LoadedPayload[]) {
    this.#panel = panel;
    this.#thumbnails = thumbnails;
    this.#loaded = loaded;
  }

  /** Draws a texture, unless it has gone with its payload: the GPU would get it a second time, and nobody would take it back. */
  #draw(canvas: HTMLCanvasElement, { texture }: ShownTexture, channel: Channel): boolean {
    const isThere = this.#loaded().some(({ surfaces }) =>
      surfaces.some(({ textures }) => FILE_SLOTS.some((slot) => textures[slot]?.texture === texture)),
    );
    if (isThere) this.#thumbnails.draw(canvas, texture, channel);
    return isThere;
  }

  /** Shows other textures, if they are others, and goes on with their thumbnails. */
  update(): void {
    const used = usedTextures(this.#loaded());
    // One that has gone and come again is another texture.
    const key = used.map(({ texture, materials }) => `${texture.texture.id} ${materials.size}`).join();
    if (key !== this.#key || this.#panel.childElementCount === 0) this.#show(used);
    this.#key = key;
    for (const draw of this.#waiting.splice(0, PORTION)) draw();
  }

  /** More thumbnails are to be drawn. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  #show(used: readonly UsedTexture[]): void {
    this.#waiting = [];
    const bytes = used.reduce((sum, { texture }) => sum + texture.gpuBytes, 0);
    const all = `${count(used.length)} ${used.length === 1 ? 'file' : 'files'}, ${formatBytes(bytes)} on the GPU`;
    this.#panel.replaceChildren(
      element('p', { class: 'quiet' }, used.length === 0 ? 'What is shown has no textures.' : all),
      ...used.map((one) => this.#rowElement(one)),
    );
  }

  #rowElement(one: UsedTexture): HTMLElement {
    const { texture, slots, materials } = one;
    const { path, read } = texture;
    const canvas = element('canvas', { width: SMALL, height: SMALL, 'aria-hidden': 'true' });
    this.#waiting.push(() => this.#draw(canvas, texture, 'rgb'));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const users = materials.size === 1 ? names(materials) : `${count(materials.size)} materials`;
    return element(
      'div',
      { class: 'texture', title: `${path}\nused by ${names(materials)}` },
      element('button', { type: 'button', 'aria-label': `Show ${name}`, onclick: () => this.#open(one) }, canvas),
      element(
        'div',
        {},
        element('b', {}, name),
        element('br'),
        `${read.width} × ${read.height}, ${read.format}, ${formatBytes(read.bytes)}`,
        element('br'),
        element('span', { class: 'quiet' }, `${names(slots)} of ${users}`),
      ),
    );
  }

  #open({ texture, slots, materials }: UsedTexture): void {
    const { path, read } = texture;
    const scale = Math.min(1, LARGE / Math.max(read.width, read.height));
    const side = (length: number) => Math.max(1, Math.round(length * scale));
    const canvas = element('canvas', {
      width: side(read.width),
      height: side(read.height),
      role: 'img',
      'aria-label': path,
    });
    // Texels of small textures are seen as squares.
    canvas.style.width = `${canvas.width * Math.max(1, Math.floor(LARGE / Math.max(canvas.width, canvas.height)))}px`;
    const channel = element('select', { id: 'channel' });
    const draw = (shown: Channel) => {
      channel.disabled = !this.#draw(canvas, texture, shown);
      if (channel.disabled) channel.title = 'The texture has been unloaded';
    };
    fillSelect(channel, Object.entries(CHANNELS), 'rgb', (value) => draw(value as Channel));
    const dialog = element('dialog', { class: 'large', 'aria-label': `Texture ${path}` });
    dialog.append(
      canvas,
      row('Channels', channel),
      terms([
        ['File', path],
        ['Format', `${read.format}${read.isPackedNormal ? ', X and Y in green and alpha' : ''}`],
        ['Size', `${read.width} × ${read.height}, ${count(read.mips.length)} mips`],
        ['Bytes', formatBytes(read.bytes)],
        ['Used as', names(slots)],
        ['Used by', names(materials)],
      ]),
      element('p', {}),
      element('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
    );
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    draw('rgb');
    dialog.showModal();
  }
}
