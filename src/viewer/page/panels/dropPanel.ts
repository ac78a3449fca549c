// Another file for the page: dropped on it, or chosen with the button “Open…”. The middle of the picture says what is done with
// it, and why it is not shown. A Radiance picture alone becomes the surroundings of what is shown.

import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { DropProgress } from '../../drop.ts';
import { chosenFiles, droppedFiles, type GivenFile } from '../drop/gather.ts';
import { secretOfDrops, send } from '../drop/send.ts';
import { ReadFault } from '../reading/client.ts';
import { byId, element } from './element.ts';
import { messageElement } from './messagePanel.ts';

/** What is done in the phases of a cook. */
const PHASES: Readonly<Record<string, string>> = {
  read: 'Reading the source',
  textures: 'Making textures',
  cook: 'Making tiles',
  levels: 'Making levels',
  write: 'Writing',
  verify: 'Checking',
};

/** What a person calls the files: their folder, or the first of them. */
function nameOf([first, ...more]: readonly GivenFile[]): string {
  const [top, ...below] = first.path.split('/');
  return below.length > 0 || more.length === 0 ? top : `${top} and ${more.length} more`;
}

const megabytes = (files: readonly GivenFile[]): string =>
  `${(files.reduce((sum, { file }) => sum + file.size, 0) / 1e6).toFixed(1)} MB`;

const PICTURES = '.hdr,.pic';

/** Whether it is one picture of surroundings. */
const isPicture = (files: readonly GivenFile[]): boolean =>
  files.length === 1 && PICTURES.split(',').some((end) => files[0].path.toLowerCase().endsWith(end));

/** Makes the page take files. `box`: where it is told of them. */
export class DropPanel {
  readonly #box: HTMLElement;
  readonly #secret = secretOfDrops();
  #sending: AbortController | null = null;
  /** Lights what is shown by a Radiance picture; rejects with ReadFault. Null: nothing is shown yet. */
  surround: ((name: string, file: Blob) => Promise<void>) | null = null;

  constructor(box: HTMLElement) {
    this.#box = box;
    byId('open').addEventListener('click', () => this.#choose());
    this.#listen(byId('drop-here'));
  }

  #listen(here: HTMLElement): void {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    addEventListener('dragover', (event) => {
      if (!hasFiles(event)) return;
      // Else the browser would open the file in place of the page.
      event.preventDefault();
      here.hidden = false;
    });
    addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) here.hidden = true;
    });
    addEventListener('drop', (event) => {
      here.hidden = true;
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then(
        (files) => this.#take(files),
        (error) => this.#say('It cannot be read', [element('p', {}, String(error))]),
      );
    });
  }

  /** Shows a title, what belongs to it, and buttons, the first of which takes the focus. */
  #say(title: string, content: readonly Node[], buttons: readonly HTMLElement[] = [this.#closing()]): void {
    this.#box.classList.remove('failed');
    this.#box.setAttribute('role', 'status');
    this.#box.replaceChildren(element('h2', {}, title), ...content, element('p', { class: 'buttons' }, ...buttons));
    this.#box.hidden = false;
    buttons[0].focus();
  }

  #closing(): HTMLElement {
    const close = () => {
      this.#box.hidden = true;
    };
    return element('button', { type: 'button', onclick: close }, 'Close');
  }

  /** Says that an exported page takes nothing. Whether it does. */
  #refusesAll(): boolean {
    if (this.#secret !== null) return false;
    const text = 'This page was exported: it has no server that opens files. `untold view FILE` shows them.';
    this.#say('Nothing can be opened here', [element('p', {}, text)]);
    return true;
  }

  /** Asks for files or a folder. */
  #choose(): void {
    if (this.#refusesAll() || this.#sending) return;
    const button = (text: string, isFolder: boolean) => {
      const input = element('input', { type: 'file', multiple: true, webkitdirectory: isFolder, hidden: true });
      input.addEventListener('change', () => this.#take(chosenFiles(input)));
      return [element('button', { type: 'button', onclick: () => input.click() }, text), input];
    };
    const text =
      'A source or a cooked file, with the files that it names, or a folder that holds them; or a Radiance picture (.hdr) of surroundings. It stays on this machine.';
    this.#say(
      'Open',
      [element('p', {}, text)],
      [...button('Files…', false), ...button('Folder…', true), this.#closing()],
    );
  }

  /** Asks for a picture of surroundings. */
  choosePicture(): void {
    const input = element('input', { type: 'file', accept: PICTURES, hidden: true });
    input.addEventListener('change', () => this.#take(chosenFiles(input)));
    input.click();
  }

  async #surround({ path, file }: GivenFile): Promise<void> {
    if (this.surround === null) {
      this.#say(`${path} is not shown`, [element('p', {}, 'Nothing is there yet that it could light.')]);
      return;
    }
    this.#box.hidden = true;
    try {
      await this.surround(path, file);
    } catch (error) {
      const faults =
        error instanceof ReadFault ? error.diagnostics.map(messageElement) : [element('p', {}, String(error))];
      this.#fail(path, faults);
    }
  }

  #take(files: readonly GivenFile[]): void {
    if (isPicture(files)) {
      void this.#surround(files[0]);
      return;
    }
    if (this.#refusesAll() || this.#sending) return;
    if (files.length === 0) {
      this.#say('No file is in it', []);
      return;
    }
    const name = nameOf(files);
    void this.#send(files, name, this.#secret ?? '').catch(() => this.#say(`${name} is not opened`, []));
  }

  async #send(files: readonly GivenFile[], name: string, secret: string): Promise<void> {
    const sending = new AbortController();
    this.#sending = sending;
    const text = element('p', {}, `Handing over ${megabytes(files)} …`);
    const bar = element('progress');
    const cancel = element('button', { type: 'button', onclick: () => sending.abort() }, 'Cancel');
    this.#say(`Opening ${name}`, [text, bar], [cancel]);
    const onProgress = ({ pass, phase, done, total }: DropProgress) => {
      text.textContent = `${PHASES[phase] ?? phase}${pass > 0 ? ', for full detail' : ''} …`;
      if (total > 1) bar.value = done / total;
      else bar.removeAttribute('value');
    };
    try {
      this.#finish(name, await send(files, secret, sending.signal, onProgress));
    } finally {
      this.#sending = null;
    }
  }

  #fail(name: string, content: readonly Node[]): void {
    this.#say(`${name} cannot be shown`, content);
    this.#box.classList.add('failed');
    this.#box.setAttribute('role', 'alert');
  }

  #finish(name: string, faults: readonly Diagnostic[]): void {
    if (faults.length > 0) {
      this.#fail(name, faults.map(messageElement));
      return;
    }
    // The camera in the address is that of what was shown before.
    history.replaceState(null, '', location.pathname);
    location.reload();
  }
}
