// Pictures on the page of a report.

import { html, type Markup } from './markup.ts';

export interface ReportPicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly caption: string;
}

/** The address of a PNG file that is part of the page. */
export const dataOf = (png: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.length).toString('base64')}`;

export function figure({ png, width, height, caption }: ReportPicture): Markup {
  return html`<figure><img src="${dataOf(png)}" width="${width}" height="${height}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`;
}
