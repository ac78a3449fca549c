// Decodes Basis Universal texels to RGBA. Takes only files that ktx2.ts has checked.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import { environmentFault } from '../../diagnostics/environment.ts';
import { forgetBasis, type Ktx2File, loadBasis } from './basisModule.ts';
import { ImageFault } from './fault.ts';
import type { Pixels } from './pixels.ts';

/** The first level of a checked KTX2 file; a fault when the decoder refuses its texels. */
export async function transcodeKtx2(bytes: Uint8Array, width: number, height: number): Promise<Pixels | ImageFault> {
  const module = await loadBasis();
  const damaged = (what: string) => new ImageFault('damaged', `KTX2 image ${what}`);
  let file: Ktx2File | null = null;
  try {
    file = new module.KTX2File(bytes);
    if (!file.isValid() || file.getWidth() !== width || file.getHeight() !== height) return damaged('is refused');
    if (!file.startTranscoding()) return damaged('has codebooks or blocks that cannot be decoded');
    const format = module.transcoder_texture_format.cTFRGBA32.value;
    const size = file.getImageTranscodedSizeInBytes(0, 0, 0, format);
    if (size !== width * height * 4) return damaged(`decodes to ${size} bytes`);
    const data = new Uint8Array(size);
    if (!file.transcodeImage(data, 0, 0, 0, format, 0, -1, -1)) return damaged('cannot be decoded');
    return { width, height, data };
  } catch (error) {
    // The module's memory may be corrupt: the next image gets a new module.
    forgetBasis();
    file = null;
    const fault = environmentFault(error, '');
    if (fault) throw new SourceError(fault);
    return damaged(`cannot be decoded: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  } finally {
    file?.close();
    file?.delete();
  }
}
