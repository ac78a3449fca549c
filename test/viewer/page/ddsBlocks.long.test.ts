// Random blocks of every kind as Chromium's WebGL decodes them, which shares no code with ours.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeImage } from '../../../src/textures/decode/decode.ts';
import { ImageFault } from '../../../src/textures/decode/fault.ts';
import { probeImage } from '../../../src/textures/decode/probe.ts';
import { random } from '../../geometry/meshes.ts';
import { dds } from '../../textures/ddsFile.ts';
import { CHROMIUM, launch } from './browser.ts';

const SIDE = 256;
const BLOCKS = (SIDE / 4) ** 2;

/** Runs in the page: texels of blocks, or a word for what it cannot do. */
function drawn({
  extension,
  format,
  base64,
  side,
}: {
  extension: string;
  format: number;
  base64: string;
  side: number;
}) {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl?.getExtension(extension)) return `no ${extension}`;
  const blocks = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const shader = (type: number, source: string) => {
    const made = gl.createShader(type) as WebGLShader;
    gl.shaderSource(made, `#version 300 es\n${source}`);
    gl.compileShader(made);
    return made;
  };
  const program = gl.createProgram();
  gl.attachShader(
    program,
    shader(
      gl.VERTEX_SHADER,
      'void main() { gl_Position = vec4(vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1), 0, 1); }',
    ),
  );
  gl.attachShader(
    program,
    shader(
      gl.FRAGMENT_SHADER,
      'precision highp float; uniform highp sampler2D blocks; out vec4 texel; void main() { texel = texelFetch(blocks, ivec2(gl_FragCoord.xy), 0); }',
    ),
  );
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.compressedTexImage2D(gl.TEXTURE_2D, 0, format, side, side, 0, blocks);
  const target = gl.createTexture();
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D, target);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, side, side);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
  gl.viewport(0, 0, side, side);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const texels = new Uint8Array(side * side * 4);
  gl.readPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  const fault = gl.getError();
  if (fault !== 0) return `error ${fault}`;
  let text = '';
  for (let i = 0; i < texels.length; i += 4096) text += String.fromCharCode(...texels.subarray(i, i + 4096));
  return { base64: btoa(text) };
}

describe.skipIf(CHROMIUM === null)('blocks are decoded as Chromium decodes them', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  const S3TC = 'WEBGL_compressed_texture_s3tc';
  const RGTC = 'EXT_texture_compression_rgtc';
  const BPTC = 'EXT_texture_compression_bptc';
  // Interpolated values of BC1 to BC5 may be rounded otherwise.
  test.each([
    ['BC1', S3TC, 0x83f1, 71, 8, 4, 2],
    ['BC2', S3TC, 0x83f2, 74, 16, 4, 2],
    ['BC3', S3TC, 0x83f3, 77, 16, 4, 2],
    ['BC4', RGTC, 0x8dbb, 80, 8, 1, 1],
    ['BC5', RGTC, 0x8dbd, 83, 16, 2, 1],
    ['BC7', BPTC, 0x8e8c, 98, 16, 4, 0],
  ])('%s', async (name, extension, format, dxgi, bytes, channels, most) => {
    const next = random(7);
    const blocks = Uint8Array.from({ length: BLOCKS * bytes }, () => next() * 256);
    // Random bytes are of mode 0 in every second block: one mode after the other.
    if (name === 'BC7') {
      for (let i = 0; i < BLOCKS; i++) {
        const mode = i & 7;
        blocks[i * 16] = (blocks[i * 16] & ~((2 << mode) - 1)) | (1 << mode);
      }
    }
    const page = await browser.newPage();
    const base64 = Buffer.from(blocks).toString('base64');
    const result = await page.evaluate(drawn, { extension, format, base64, side: SIDE });
    await page.close();
    if (typeof result === 'string') throw new Error(result);
    const wanted = Buffer.from(result.base64, 'base64');
    const file = dds({ width: SIDE, height: SIDE, dxgi, data: blocks });
    const info = await probeImage(file);
    if (info instanceof ImageFault) throw new Error(info.message);
    const pixels = await decodeImage(file, info);
    if (pixels instanceof ImageFault) throw new Error(pixels.message);
    let largest = 0;
    for (let i = 0; i < wanted.length; i++) {
      if (i % 4 < channels) largest = Math.max(largest, Math.abs(pixels.data[i] - wanted[i]));
    }
    expect(largest).toBeLessThanOrEqual(most);
    expect(new Set(wanted).size).toBeGreaterThan(200);
  });
});
