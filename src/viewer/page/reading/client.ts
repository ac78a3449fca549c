// Asks the reading thread for payloads and textures.

import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { UntoldClip } from '../../../formats/untold/types.ts';
import { AGAINST } from '../../description.ts';
import type { ReadPayload, ReadTexture, Reply, Request } from './protocol.ts';

/** A file that could not be read. */
export class ReadFault extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ code, file, message }) => `${code} ${file}: ${message}`).join('\n'));
    this.diagnostics = diagnostics;
  }
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export class Reading {
  readonly #thread = new Worker('reader.js', { type: 'module' });
  readonly #open = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  #last = 0;

  constructor() {
    this.#thread.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#open.get(data.id);
      this.#open.delete(data.id);
      if ('faults' in data) waiting?.reject(new ReadFault(data.faults));
      else waiting?.resolve(data);
    });
    this.#thread.addEventListener('error', ({ message }) => {
      const fault = {
        code: 'UC1101',
        severity: 'error',
        file: '',
        path: '',
        message: `the reading thread failed: ${message}`,
        remedy: 'reload the page',
      } as const;
      for (const { reject } of this.#open.values()) reject(new ReadFault([fault]));
      this.#open.clear();
    });
  }

  /** How many files are being read. */
  get inFlight(): number {
    return this.#open.size;
  }

  async payload(path: string): Promise<ReadPayload> {
    const reply = await this.#ask({ kind: 'payload', url: urlOf(path), name: path });
    return (reply as Extract<Reply, { payload: unknown }>).payload;
  }

  async texture(path: string, astc: boolean): Promise<ReadTexture> {
    const reply = await this.#ask({ kind: 'texture', url: urlOf(path), name: path, astc });
    return (reply as Extract<Reply, { texture: unknown }>).texture;
  }

  /** The clips of a file. */
  async clips(path: string): Promise<readonly UntoldClip[]> {
    const reply = await this.#ask({ kind: 'clips', url: urlOf(path), name: path });
    return (reply as Extract<Reply, { clips: unknown }>).clips;
  }

  #ask(request: WithoutId<Request>): Promise<Reply> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#thread.postMessage({ ...request, id });
    });
  }
}

/** Where the server has a file of the set, or of the other output. */
export function urlOf(path: string): string {
  const isOther = path.startsWith(AGAINST);
  const own = isOther ? path.slice(AGAINST.length) : path;
  return `${isOther ? 'against' : 'set'}/${own.split('/').map(encodeURIComponent).join('/')}`;
}
