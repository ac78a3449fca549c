// Pictures on the page of a report.

import { html, type Markup } from './markup.ts';
import type { ReportPicture } from './pictures.ts';

export function figure({ png, width, height, caption }: ReportPicture): Markup {
  const data = Buffer.from(png.buffer, png.byteOffset, png.length).toString('base64');
  return html`<figure><img src="data:image/png;base64,${data}" width="${width}" height="${height}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`;
}
