import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Code, Diagnostics, diagnostic, SourceError } from '../../src/diagnostics/diagnostic.ts';
import type { SceneImage, SceneMaterial } from '../../src/scene/types.ts';
import { imageFiles } from '../../src/textures/encode/png.ts';
import { makeFile, readRequest } from '../../src/textures/makeFile.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { type MissingTexture, NO_TEXTURES, type ReadUvTriangles } from '../../src/textures/types.ts';
import {
  chunk,
  colorUse,
  grey,
  image,
  material,
  missing,
  neverRead,
  pixelsOf,
  png,
  quad,
  rgb,
  rgba,
  scene,
  slotPixels,
  triangles,
  u32be,
  use,
} from './fixture.ts';

interface Given {
  readonly read?: ReadUvTriangles;
  readonly missing?: MissingTexture;
}

async function prepare(materials: readonly SceneMaterial[], images: readonly SceneImage[], given: Given = {}) {
  const diagnostics = new Diagnostics();
  const prepared = await prepareMaterials(
    scene(materials, images),
    { missingTexture: given.missing ?? 'error' },
    given.read ?? neverRead,
    diagnostics,
  );
  return { prepared, codes: diagnostics.list.map((d) => d.code), list: diagnostics.list };
}

/** The error of a preparation that fails. */
async function failure(
  materials: readonly SceneMaterial[],
  images: readonly SceneImage[],
  policy: MissingTexture = 'error',
): Promise<SourceError> {
  return prepare(materials, images, { missing: policy }).then(
    () => Promise.reject(new Error('did not fail')),
    (error) => {
      if (error instanceof SourceError) return error;
      throw error;
    },
  );
}

// Four colours in a square: red and green above blue and white.
const SQUARE = [
  [255, 0, 0, 0, 255, 0],
  [0, 0, 255, 255, 255, 255],
];
const square = rgb(SQUARE);

describe('copying', () => {
  it('hands on the bytes of PNG and JPEG as they are', async () => {
    const jpeg = await sharp({ create: { width: 5, height: 3, channels: 3, background: '#c0ffee' } })
      .jpeg()
      .toBuffer();
    const images = [image('wall', square), image('bark', jpeg, 'jpg')];
    const { prepared, codes } = await prepare(
      [material({ baseColor: colorUse(0), roughness: use(1, { channel: 'g' }) })],
      images,
    );
    expect(codes).toEqual([]);
    expect(prepared.textures.map((t) => [t.bytes === square || t.bytes === jpeg, t.width, t.height, t.flags])).toEqual([
      [true, 2, 2, 1],
      [true, 5, 3, 0],
    ]);
    const hash = (b: Uint8Array) => createHash('sha256').update(b).digest('hex').slice(0, 8);
    expect(prepared.textures.map((t) => t.fileName)).toEqual([`wall_${hash(square)}.png`, `bark_${hash(jpeg)}.jpg`]);
    expect(prepared.materials[0]).toMatchObject({
      slots: { baseColor: 0, normal: -1, metallic: -1, roughness: 1, emissive: -1, occlusion: -1 },
      roughnessChannel: 1,
      metallicChannel: 0,
      uv: { set: 'st', transform: null },
    });
  });

  it('serves metallic, roughness and occlusion from one file, its flags joined', async () => {
    const orm = rgb([[10, 20, 30]]);
    const textures = {
      occlusion: use(0, { channel: 'r' }),
      roughness: use(0, { channel: 'g' }),
      metallic: use(0, { channel: 'b' }),
      normal: use(0),
    };
    const { prepared } = await prepare([material(textures)], [image('orm', orm)]);
    expect(prepared.textures).toHaveLength(1);
    expect(prepared.textures[0].flags).toBe(2 | 128);
    expect(prepared.materials[0].slots).toMatchObject({ normal: 0, metallic: 0, roughness: 0, occlusion: 0 });
    expect(prepared.materials[0]).toMatchObject({ roughnessChannel: 1, metallicChannel: 2 });
  });

  it('keeps each content once a scene, under the name of its first use', async () => {
    const images = [image('first', square), image('second', square.slice()), image('other', rgb([[1, 2, 3]]))];
    const list = [
      material({ baseColor: colorUse(2) }),
      material({ emissive: colorUse(1) }),
      material({ baseColor: colorUse(0) }),
    ];
    const { prepared } = await prepare(list, images);
    expect(prepared.textures.map((t) => [t.fileName.split('_')[0], t.flags])).toEqual([
      ['other', 1],
      ['second', 1 | 64],
    ]);
    expect(prepared.materials.map((m) => [m.slots.baseColor, m.slots.emissive])).toEqual([
      [0, -1],
      [-1, 1],
      [1, -1],
    ]);
  });

  it('drops colour space chunks from data at byte level, keeps sRGB in colours', async () => {
    const tags = [chunk('sRGB', [0]), chunk('gAMA', u32be(45455))];
    const tagged = rgb([[1, 2, 3]], tags);
    const { prepared } = await prepare([material({ baseColor: colorUse(0), normal: use(0) })], [image('t', tagged)]);
    const [base, normal] = prepared.textures;
    expect(base.bytes).toBe(tagged);
    expect(Buffer.compare(normal.bytes as Uint8Array, rgb([[1, 2, 3]]))).toBe(0);
    for (const { bytes, sha256 } of [base, normal]) {
      expect(sha256).toBe(
        createHash('sha256')
          .update(bytes as Uint8Array)
          .digest('hex'),
      );
    }
  });

  it('reads each image once, and none of materials that nothing is drawn with', async () => {
    const reads = [0, 0];
    const counted = reads.map((_, i) => ({
      ...image(`i${i}`, square),
      read: async () => {
        reads[i]++;
        return square;
      },
    }));
    const whole = scene(
      [material({ baseColor: colorUse(0), normal: use(0) }), material({ baseColor: colorUse(1) })],
      counted,
    );
    const one = { ...whole.meshes[0], primitives: whole.meshes[0].primitives.slice(0, 1) };
    const diagnostics = new Diagnostics();
    const prepared = await prepareMaterials(
      { ...whole, meshes: [one] },
      { missingTexture: 'error' },
      neverRead,
      diagnostics,
    );
    expect(reads).toEqual([1, 0]);
    expect(prepared.materials).toHaveLength(2);
    expect(prepared.materials[1].slots.baseColor).toBe(-1);
    expect(prepared.textures).toHaveLength(1);
  });
});

describe('images with equal bytes', () => {
  it('are made into a file once, under the name of the one that is used first', async () => {
    const made: number[] = [];
    const whole = scene(
      [
        material({ baseColor: colorUse(1) }),
        material({ baseColor: colorUse(0) }),
        material({ baseColor: colorUse(2) }),
      ],
      [image('left', square), image('right', square.slice()), image('other', rgb([[1, 2, 3]]))],
    );
    const ownFiles = imageFiles('keep');
    const prepared = await prepareMaterials(
      whole,
      {
        missingTexture: 'error',
        makeFile: async (request) => {
          const read = await readRequest(request);
          made.push(request.texels.kind === 'image' ? request.texels.image.index : -1);
          return makeFile(read, ownFiles);
        },
      },
      neverRead,
      new Diagnostics(),
    );
    expect(made).toEqual([1, 2]);
    expect(prepared.materials.map(({ slots }) => slots.baseColor)).toEqual([0, 0, 1]);
    expect(prepared.textures.map(({ fileName }) => fileName.split('_')[0])).toEqual(['right', 'other']);
  });
});

describe('converting', () => {
  it('expands grey, rounds 16 bits and turns other formats into PNG', async () => {
    const deep = png(1, 1, [[0x80, 0x00, 0x00, 0xff, 0xff, 0xff]], { depth: 16, colorType: 2 });
    const webp = await sharp(Buffer.from([9, 8, 7]), { raw: { width: 1, height: 1, channels: 3 } })
      .webp({ lossless: true })
      .toBuffer();
    const images = [image('g', grey([[7, 200]])), image('d', deep), image('w', webp, 'webp')];
    const textures = { baseColor: colorUse(0), normal: use(1), emissive: colorUse(2) };
    const { prepared, codes } = await prepare([material(textures)], images);
    expect(codes).toEqual(['UC2107']);
    expect(prepared.textures.map((t) => t.fileName.slice(-4))).toEqual(['.png', '.png', '.png']);
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[7, 7, 7, 200, 200, 200]]);
    expect(await slotPixels(prepared, 'normal')).toEqual([[128, 1, 255]]);
    expect(await slotPixels(prepared, 'emissive')).toEqual([[9, 8, 7]]);
  });

  it('goes by content and says so when the name disagrees', async () => {
    const { prepared, codes } = await prepare([material({ baseColor: colorUse(0) })], [image('wall', square, 'jpg')]);
    expect(codes).toEqual(['UC2104']);
    expect(prepared.textures[0].fileName).toMatch(/^wall_[0-9a-f]{8}\.png$/);
  });

  it('uses the first frame of an animation with a warning', async () => {
    const frames = Buffer.from([255, 0, 0, 255, 0, 0, 255, 255]);
    const gif = await sharp(frames, { raw: { width: 1, height: 2, channels: 4, pageHeight: 1 } })
      .gif()
      .toBuffer();
    const { prepared, codes } = await prepare([material({ baseColor: colorUse(0) })], [image('a', gif, 'gif')]);
    expect(codes).toEqual(['UC2108']);
    expect((await slotPixels(prepared, 'baseColor'))[0].slice(0, 3)).toEqual([255, 0, 0]);
  });
});

describe('colour space', () => {
  it('encodes linear colours for a slot that decodes, decodes sRGB for one that does not, leaves alpha', async () => {
    // Linear 128/255 = 0.502 is sRGB 188; sRGB 128 is linear 0.2159 = 55.04/255.
    const pixel = rgba([[128, 0, 255, 128]]);
    const textures = { baseColor: use(0), opacity: use(0, { channel: 'a' }), normal: use(0, { colorSpace: 'srgb' }) };
    const { prepared } = await prepare([material(textures, { alphaMode: 'blend' })], [image('p', pixel)]);
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[188, 0, 255, 128]]);
    expect(await slotPixels(prepared, 'normal')).toEqual([[55, 0, 255]]);
  });

  it('does not care about the colour space of an alpha channel', async () => {
    const pixel = rgba([[1, 2, 3, 128]]);
    const textures = { roughness: colorUse(0, { channel: 'a' }) };
    const { prepared } = await prepare([material(textures)], [image('p', pixel)]);
    expect(prepared.textures[0].bytes).toBe(pixel);
    expect(prepared.materials[0].roughnessChannel).toBe(3);
  });
});

describe('channels, scale and bias', () => {
  const pixel = image('p', rgba([[10, 60, 110, 160]]));

  it('copies occlusion of another channel to red', async () => {
    const { prepared } = await prepare([material({ occlusion: use(0, { channel: 'b' }) })], [pixel]);
    expect(await slotPixels(prepared, 'occlusion')).toEqual([[110, 110, 110]]);
    expect(prepared.textures[0].flags).toBe(128);
  });

  it('spreads one channel over a colour', async () => {
    const { prepared } = await prepare([material({ baseColor: colorUse(0, { channel: 'g' }) })], [pixel]);
    expect((await slotPixels(prepared, 'baseColor'))[0].slice(0, 3)).toEqual([60, 60, 60]);
  });

  it('flips green of a normal map, and nothing else', async () => {
    const flipped = use(0, { scale: [1, -1, 1, 1], bias: [0, 1, 0, 0] });
    const { prepared, codes } = await prepare([material({ normal: flipped }, { normalScale: 0.7 })], [pixel]);
    expect(await slotPixels(prepared, 'normal')).toEqual([[10, 195, 110]]);
    expect(prepared.materials[0].normalScale).toBe(0.7);
    expect(prepared.textures[0].flags).toBe(2);
    expect(codes).toEqual([]);
  });

  it('makes gloss roughness', async () => {
    const gloss = use(0, { channel: 'g', scale: [1, -1, 1, 1], bias: [0, 1, 0, 0] });
    const { prepared } = await prepare([material({ roughness: gloss }, { roughness: 0.5 })], [pixel]);
    expect((await slotPixels(prepared, 'roughness'))[0][1]).toBe(195);
    expect(prepared.materials[0]).toMatchObject({ roughness: 0.5, roughnessChannel: 1 });
  });

  it('puts a plain scale into the factor and copies the file', async () => {
    const scale = [0.5, 0.5, 0.25, 1] as const;
    const textures = {
      baseColor: colorUse(0, { scale }),
      metallic: use(0, { channel: 'r', scale }),
      emissive: colorUse(0, { scale: [3, 3, 3, 1] }),
    };
    const { prepared } = await prepare(
      [material(textures, { baseColor: [1, 0.5, 1, 1], emissive: [2, 1, 0] })],
      [pixel],
    );
    expect(prepared.textures).toHaveLength(1);
    expect(prepared.materials[0]).toMatchObject({
      baseColor: [0.5, 0.25, 0.25, 1],
      metallic: 0.5,
      emissive: [6, 3, 0],
    });
  });

  it('bakes scale and bias of a colour in linear light', async () => {
    // sRGB 128 is 0.21586; halved and lifted by a quarter 0.35793, which is sRGB 161 (161.3).
    const baseColor = colorUse(0, { scale: [0.5, 0.5, 0.5, 1], bias: [0.25, 0.25, 0.25, 0] });
    const { prepared } = await prepare([material({ baseColor })], [image('m', rgb([[128, 128, 128]]))]);
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[161, 161, 161]]);
  });

  it('keeps emission above 1 in the factor', async () => {
    // 1 * 3 + 1 = 4 at most: texels (t * 3 + 1) / 4, so black is 0.25 (sRGB 137) and white 1.
    const emissive = colorUse(0, { scale: [3, 3, 3, 1], bias: [1, 1, 1, 0] });
    const { prepared, codes } = await prepare(
      [material({ emissive }, { emissive: [1, 0.5, 0] })],
      [image('e', rgb([[0, 255, 0]]))],
    );
    expect(await slotPixels(prepared, 'emissive')).toEqual([[137, 255, 137]]);
    expect(prepared.materials[0].emissive).toEqual([4, 2, 0]);
    expect(codes).toEqual([]);
  });

  it('warns when values are clipped', async () => {
    const roughness = use(0, { channel: 'r', scale: [2, 1, 1, 1] });
    const bright = await prepare([material({ roughness })], [image('r', rgb([[200, 0, 0]]))]);
    expect(bright.codes).toEqual(['UC2114']);
    expect((await slotPixels(bright.prepared, 'roughness'))[0][0]).toBe(255);
    const dark = await prepare([material({ roughness })], [image('r', rgb([[100, 0, 0]]))]);
    expect(dark.codes).toEqual([]);
    expect((await slotPixels(dark.prepared, 'roughness'))[0][0]).toBe(200);
  });
});

describe('opacity', () => {
  const leaf = rgba([[10, 20, 30, 40]]);
  const opacity = use(0, { channel: 'a' });

  it('in the alpha of the base image is that image', async () => {
    const list = [material({ baseColor: colorUse(0), opacity }, { alphaMode: 'mask' })];
    const { prepared } = await prepare(list, [image('leaf', leaf)]);
    expect(prepared.textures[0].bytes).toBe(leaf);
  });

  it('in another image is joined, at the larger size', async () => {
    const images = [
      image('c', rgb([[10, 20, 30]])),
      image(
        'o',
        grey([
          [0, 255],
          [255, 0],
        ]),
      ),
    ];
    const textures = { baseColor: colorUse(0), opacity: use(1, { channel: 'r' }) };
    const { prepared } = await prepare([material(textures, { alphaMode: 'blend' })], images);
    expect(await slotPixels(prepared, 'baseColor')).toEqual([
      [10, 20, 30, 0, 10, 20, 30, 255],
      [10, 20, 30, 255, 10, 20, 30, 0],
    ]);
    expect(prepared.textures[0].fileName).toMatch(/^c_/);
  });

  it('in another channel of the base image, inverted, is joined', async () => {
    const inverted = use(0, { channel: 'r', scale: [-1, 1, 1, 1], bias: [1, 0, 0, 0] });
    const { prepared } = await prepare(
      [material({ baseColor: colorUse(0), opacity: inverted }, { alphaMode: 'blend' })],
      [image('l', leaf)],
    );
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[10, 20, 30, 245]]);
  });

  it('without a base texture makes a white one', async () => {
    const factor = { alphaMode: 'mask', baseColor: [0.1, 0.2, 0.3, 0.5] } as const;
    const { prepared } = await prepare([material({ opacity: use(0, { channel: 'g' }) }, factor)], [image('l', leaf)]);
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[255, 255, 255, 20]]);
    expect(prepared.materials[0]).toMatchObject({ baseColor: [0.1, 0.2, 0.3, 0.5], uv: { set: 'st' } });
  });

  it('means nothing to an opaque material', async () => {
    const { prepared } = await prepare([material({ baseColor: colorUse(0), opacity })], [image('l', leaf)]);
    expect(prepared.textures[0].bytes).toBe(leaf);
    expect((await prepare([material({ opacity })], [image('l', leaf)])).prepared.textures).toEqual([]);
  });

  it('is not what the alpha of a base image says without an opacity texture', async () => {
    const { prepared } = await prepare(
      [material({ baseColor: colorUse(0) }, { alphaMode: 'blend' })],
      [image('l', leaf)],
    );
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[10, 20, 30]]);
  });

  it('of a JPEG is opaque: the file is copied', async () => {
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#345' } })
      .jpeg()
      .toBuffer();
    const { prepared } = await prepare(
      [material({ baseColor: colorUse(0), opacity }, { alphaMode: 'blend' })],
      [image('j', jpeg, 'jpg')],
    );
    expect(prepared.textures[0].bytes).toBe(jpeg);
  });
});

describe('another transform of the same UVs', () => {
  it('tiles a texture of twice the scale into one tile, texel for texel', async () => {
    const normal = use(1, { transform: [2, 0, 0, 2, 0, 0] });
    const images = [image('base', square), image('n', rgb([[1, 2, 3, 4, 5, 6]]))];
    const { prepared, codes } = await prepare([material({ baseColor: colorUse(0), normal })], images);
    const row = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6];
    expect(await slotPixels(prepared, 'normal')).toEqual([row, row]);
    expect(prepared.textures[0].bytes).toBe(square);
    expect(prepared.materials[0].uv).toEqual({ set: 'st', transform: null });
    expect(codes).toEqual(['UC2111']);
  });

  it('shifts by whole texels exactly, towards +V upwards', async () => {
    const emissive = colorUse(0, { transform: [1, 0, 0, 1, 0.5, 0] });
    const occlusion = use(0, { transform: [1, 0, 0, 1, 0, 0.5] });
    const { prepared } = await prepare(
      [material({ baseColor: colorUse(0), emissive, occlusion })],
      [image('s', square)],
    );
    expect(await slotPixels(prepared, 'emissive')).toEqual([
      [0, 255, 0, 255, 0, 0],
      [255, 255, 255, 0, 0, 255],
    ]);
    expect(await slotPixels(prepared, 'occlusion')).toEqual([SQUARE[1], SQUARE[0]]);
  });

  it('is relative to the leading transform, which the UVs take', async () => {
    const lead = [4, 0, 0, 4, 0.25, 0] as const;
    const baseColor = colorUse(0, { transform: lead });
    const same = await prepare(
      [material({ baseColor, roughness: use(0, { transform: [...lead], channel: 'r' }) })],
      [image('s', square)],
    );
    expect(same.prepared.materials[0].uv).toEqual({ set: 'st', transform: lead });
    expect(same.prepared.textures).toHaveLength(1);
  });

  it('turns normals with their UVs', async () => {
    // A quarter turn: uv of the texture = (-v, u), so u of uv0 runs along +v of the texture, v along -u. A slope of
    // +x there (255, 128, 128) is a slope along -v here.
    const normal = use(1, { transform: [0, 1, -1, 0, 0, 0] });
    const images = [image('b', square), image('n', rgb([[255, 128, 128]]))];
    const { prepared } = await prepare([material({ baseColor: colorUse(0), normal })], images);
    const [[x, y, z]] = await slotPixels(prepared, 'normal');
    expect([x, y, z]).toEqual([128, 0, 128]);
  });

  it('of any scale is resampled where the UVs stay in one tile', async () => {
    const normal = use(1, { transform: [0.5, 0, 0, 0.5, 0, 0] });
    const images = [image('b', square), image('n', rgb([[0, 0, 0, 40, 40, 40, 80, 80, 80, 120, 120, 120]]))];
    const { prepared, codes } = await prepare([material({ baseColor: colorUse(0), normal })], images, {
      read: triangles({ st: quad(0, 0, 1, 1) }),
    });
    // Half of four texels: two, whose centres are those of texels 0 and 1.
    expect(await slotPixels(prepared, 'normal')).toEqual([[0, 0, 0, 40, 40, 40]]);
    expect(codes).toEqual(['UC2111']);
  });

  it('of half the scale under repeating UVs: the tile of uv0 holds two periods of the leader', async () => {
    const normal = use(1, { transform: [0.5, 0, 0, 1, 0, 0] });
    const images = [image('b', rgb([[1, 2, 3]])), image('n', rgb([[10, 10, 10, 20, 20, 20]]))];
    const { prepared } = await prepare([material({ baseColor: colorUse(0), normal })], images, {
      read: triangles({ st: quad(0, 0, 10, 10) }),
    });
    expect(prepared.materials[0].uv).toEqual({ set: 'st', transform: [0.5, 0, 0, 1, 0, 0] });
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[1, 2, 3, 1, 2, 3]]);
    expect(prepared.textures[prepared.materials[0].slots.normal].bytes).toBe(await images[1].read());
  });

  it('that no layout can hold is left out with a warning', async () => {
    const normal = use(1, { transform: [0.37, 0, 0, 0.37, 0, 0] });
    const { prepared, codes, list } = await prepare(
      [material({ baseColor: colorUse(0), normal })],
      [image('b', square), image('n', square)],
      { read: triangles({ st: quad(0, 0, 10, 10) }) },
    );
    expect(codes).toEqual(['UC2110']);
    expect(list[0]).toMatchObject({ path: '/Looks/Paint', severity: 'warning' });
    expect(prepared.materials[0].slots).toMatchObject({ baseColor: 0, normal: -1 });
    expect(prepared.textures).toHaveLength(1);
  });

  it('that squeezes the leader to a point is baked', async () => {
    const { prepared } = await prepare(
      [material({ baseColor: colorUse(0, { transform: [0, 0, 0, 0, 0.75, 0.75] }) })],
      [image('s', square)],
    );
    expect(await slotPixels(prepared, 'baseColor')).toEqual([[0, 255, 0]]);
    expect(prepared.materials[0].uv).toEqual({ set: 'st', transform: null });
  });
});

describe('another UV set', () => {
  const images = [
    image('b', square),
    image(
      'ao',
      grey([
        [10, 20],
        [30, 40],
      ]),
    ),
  ];
  const list = [material({ baseColor: colorUse(0), occlusion: use(1, { uvSet: 'st1', channel: 'r' }) })];

  it('with the same values is no other', async () => {
    const read = triangles({ st: quad(0, 0, 7, 7), st1: quad(0, 0, 7, 7) });
    const { prepared, codes } = await prepare(list, images, { read });
    expect(codes).toEqual([]);
    expect(await slotPixels(prepared, 'occlusion')).toEqual([
      [10, 10, 10, 20, 20, 20],
      [30, 30, 30, 40, 40, 40],
    ]);
  });

  it('is resampled into charts that do not overlap', async () => {
    // The left half of uv0 shows the upper right texel, the right half the lower left one.
    const st = [...quad(0, 0, 0.5, 1), ...quad(0.5, 0, 1, 1)];
    const st1 = [...quad(0.7, 0.7, 0.8, 0.8), ...quad(0.2, 0.2, 0.3, 0.3)];
    const { prepared, codes } = await prepare(list, images, { read: triangles({ st, st1 }) });
    expect(codes).toEqual(['UC2111']);
    const rows = await slotPixels(prepared, 'occlusion');
    expect(rows).toHaveLength(4);
    const row = rows[1].filter((_, i) => i % 3 === 0);
    // Bilinear between texel centres 0.25 and 0.75 in both directions: near 20 and near 30.
    expect(row.slice(0, 2).every((v) => Math.abs(v - 20) <= 2)).toBe(true);
    expect(row.slice(2).every((v) => Math.abs(v - 30) <= 2)).toBe(true);
  });

  it('is left out where charts overlap, with the factor alone', async () => {
    const st = [...quad(0, 0, 0.5, 1), ...quad(0, 0, 0.5, 1)];
    const st1 = [...quad(0, 0, 0.5, 0.5), ...quad(0.5, 0.5, 1, 1)];
    const { prepared, codes } = await prepare(list, images, { read: triangles({ st, st1 }) });
    expect(codes).toEqual(['UC2110']);
    expect(prepared.materials[0].slots).toMatchObject({ baseColor: 0, occlusion: -1 });
    expect(prepared.textures).toHaveLength(1);
    // An emission and a metalness go with their textures.
    const other = { uvSet: 'st1' };
    const textures = {
      baseColor: colorUse(0),
      emissive: colorUse(1, other),
      metallic: use(1, { ...other, channel: 'r' }),
    };
    const lost = await prepare([material(textures)], images, { read: triangles({ st, st1 }) });
    expect(lost.prepared.materials[0]).toMatchObject({ emissive: [0, 0, 0], metallic: 0, slots: { emissive: -1 } });
    expect(lost.list.map((d) => `${d.code} ${d.message}`)).toEqual([
      'UC2110 metallic texture ao.png: left out, metallic 0: UV set st1 cannot follow st',
      'UC2110 emissive texture ao.png: left out, emission 0: UV set st1 cannot follow st',
    ]);
  });

  it('of an opacity texture does not coarsen the base colour', async () => {
    const base = await sharp({ create: { width: 32, height: 16, channels: 3, background: '#102030' } })
      .png()
      .toBuffer();
    const read = triangles({
      st: [...quad(0, 0, 0.5, 1), ...quad(0.5, 0, 1, 1)],
      st1: [...quad(0, 0, 1, 1), ...quad(0, 0, 1, 1)],
    });
    const textures = { baseColor: colorUse(0), opacity: use(1, { uvSet: 'st1', channel: 'r' }) };
    const { prepared } = await prepare([material(textures, { alphaMode: 'blend' })], [image('b', base), images[1]], {
      read,
    });
    expect(prepared.textures[0]).toMatchObject({ width: 32, height: 16 });
    const rows = await slotPixels(prepared, 'baseColor');
    expect(rows[0].slice(0, 3)).toEqual([16, 32, 48]);
    expect(rows[0][3]).toBe(rows[0][16 * 4 + 3]);
  });
});

describe('wrap modes', () => {
  const clamped = (wrap: 'clamp' | 'mirror' | 'black') => colorUse(0, { wrapS: wrap, wrapT: wrap });
  const list = (wrap: 'clamp' | 'mirror' | 'black') => [material({ baseColor: clamped(wrap) })];
  const strip = rgb([[10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40]]);
  const first = (rows: number[][]) => rows[0].filter((_, i) => i % 3 === 0);

  it.each(['clamp', 'mirror', 'black'] as const)('%s does not matter within 0 to 1', async (wrap) => {
    const { prepared, codes } = await prepare(list(wrap), [image('s', strip)], {
      read: triangles({ st: quad(0, 0, 1, 1) }),
    });
    expect(codes).toEqual([]);
    expect(prepared.textures[0].bytes).toBe(strip);
  });

  it('mirror is baked as two periods where UVs leave the tile', async () => {
    const { prepared } = await prepare(list('mirror'), [image('s', strip)], {
      read: triangles({ st: quad(-7, 0, 9, 1) }),
    });
    expect(first(await slotPixels(prepared, 'baseColor'))).toEqual([10, 20, 30, 40, 40, 30, 20, 10]);
    expect(prepared.materials[0].uv).toEqual({ set: 'st', transform: [0.5, 0, 0, 1, 0, 0] });
  });

  it('mirror takes the other textures of the material along', async () => {
    const both = [material({ baseColor: clamped('mirror'), normal: use(1) })];
    const { prepared } = await prepare(both, [image('s', strip), image('n', rgb([[1, 2, 3]]))], {
      read: triangles({ st: quad(0, 0, 2, 2) }),
    });
    expect(await slotPixels(prepared, 'normal')).toEqual([
      [1, 2, 3, 1, 2, 3],
      [1, 2, 3, 1, 2, 3],
    ]);
  });

  it('clamp is baked as a window around the UVs, on the texel grid', async () => {
    // -0.25 .. 1.25 of four texels, half a texel further for sampling: texels -2 to 5.
    const { prepared } = await prepare(list('clamp'), [image('s', strip)], {
      read: triangles({ st: quad(-0.25, 0, 1.25, 1) }),
    });
    expect(first(await slotPixels(prepared, 'baseColor'))).toEqual([10, 10, 10, 20, 30, 40, 40, 40]);
    // uv0 = (u * 4 + 2) / 8.
    expect(prepared.materials[0].uv).toEqual({ set: 'st', transform: [0.5, 0, 0, 1, 0.25, 0] });
  });

  it('black is baked black', async () => {
    const { prepared } = await prepare(list('black'), [image('s', strip)], {
      read: triangles({ st: quad(-0.25, 0, 1.25, 1) }),
    });
    expect(first(await slotPixels(prepared, 'baseColor'))).toEqual([0, 0, 10, 20, 30, 40, 0, 0]);
  });

  it('clamp over many tiles repeats, with a warning', async () => {
    const { prepared, codes } = await prepare(list('clamp'), [image('s', strip)], {
      read: triangles({ st: quad(-50, 0, 50, 1) }),
    });
    expect(codes).toEqual(['UC2112']);
    expect(prepared.textures[0].bytes).toBe(strip);
    expect(prepared.materials[0].uv.transform).toBeNull();
  });

  it('a baked texture beyond the limit is reduced, with a warning', async () => {
    const wide = await sharp({ create: { width: 8192, height: 1, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { prepared, codes } = await prepare(list('mirror'), [image('w', wide)], {
      read: triangles({ st: quad(0, 0, 3, 1) }),
    });
    expect(codes).toEqual(['UC2111', 'UC2113']);
    expect(prepared.textures[0]).toMatchObject({ width: 8192, height: 1 });
  });
});

describe('images that cannot be used', () => {
  const cut = square.slice(0, 40);
  const images = [
    image('gone', missing('images/gone')),
    image('cut', cut),
    image('exr', Uint8Array.of(0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0)),
    image('good', square),
  ];
  const list = [
    material({ baseColor: colorUse(0), normal: use(1), emissive: colorUse(3) }),
    material(
      { baseColor: colorUse(3), roughness: use(2, { channel: 'g' }), opacity: use(0, { channel: 'r' }) },
      { alphaMode: 'blend' },
    ),
  ];

  it('are all reported, then thrown together', async () => {
    const error = await failure(list, images);
    expect(error.diagnostics.map((d) => [d.code, d.severity, d.path])).toEqual([
      ['UC1203', 'error', 'images/gone'],
      ['UC2101', 'error', 'images/cut'],
      ['UC2101', 'error', 'images/exr'],
    ]);
    expect(error.diagnostics[1]).toMatchObject({ file: '/scene/cut.png' });
  });

  it('are left out under drop, with a warning for each slot', async () => {
    const { prepared, codes, list: reported } = await prepare(list, images, { missing: 'drop' });
    expect(codes).toEqual(['UC2105', 'UC2105', 'UC2105', 'UC2105']);
    expect(reported[1].message).toContain('UC2101 /scene/cut.png images/cut');
    expect(prepared.materials.map((m) => m.slots)).toEqual([
      { ...NO_TEXTURES, emissive: 0 },
      { ...NO_TEXTURES, baseColor: 0 },
    ]);
    expect(prepared.textures.map((t) => t.bytes)).toEqual([square]);
  });

  it('are replaced under placeholder', async () => {
    const { prepared, codes } = await prepare(list, images, { missing: 'placeholder' });
    expect(codes).toEqual(['UC2106', 'UC2106', 'UC2106', 'UC2106']);
    const [magenta, black] = [
      [255, 0, 255],
      [0, 0, 0],
    ];
    expect((await slotPixels(prepared, 'baseColor'))[0]).toEqual([magenta, black, magenta, black].flat());
    expect((await slotPixels(prepared, 'baseColor'))[1]).toEqual([black, magenta, black, magenta].flat());
    expect((await slotPixels(prepared, 'normal'))[3].slice(0, 3)).toEqual([128, 128, 255]);
    expect((await slotPixels(prepared, 'roughness', 1))[0].slice(0, 3)).toEqual([255, 255, 255]);
    // Opacity has no placeholder: the base colour stays, opaque.
    expect(prepared.textures[prepared.materials[1].slots.baseColor].bytes).toBe(square);
  });

  it('count as missing where their path is absolute or remote', async () => {
    const remote = image(
      'remote',
      new SourceError(diagnostic('UC1205', 'scene.gltf', 'images/0', 'absolute or remote path: /a.png')),
    );
    const one = [material({ baseColor: colorUse(0) })];
    expect((await failure(one, [remote])).diagnostics.map((d) => [d.code, d.severity])).toEqual([['UC1205', 'error']]);
    const dropped = await prepare(one, [remote], { missing: 'drop' });
    expect([dropped.codes, dropped.prepared.textures]).toEqual([['UC2105'], []]);
    expect(dropped.list[0].message).toContain('UC1205 scene.gltf images/0: absolute or remote path: /a.png');
    const replaced = await prepare(one, [remote], { missing: 'placeholder' });
    expect([replaced.codes, replaced.prepared.textures.length]).toEqual([['UC2106'], 1]);
  });

  it('stay errors, whatever the policy, where a path climbs out or a limit is hit', async () => {
    const refused = (code: Code) => new SourceError(diagnostic(code, 'scene.gltf', `images/${code}`, 'no'));
    const cases: [string, SceneImage][] = [
      ['UC1204', image('outside', refused('UC1204'))],
      ['UC1609', image('climbs', refused('UC1609'))],
      ['UC1207', image('huge', refused('UC1207'))],
      ['UC2103', image('big', png(20000, 1, [[0]], { colorType: 0 }))],
    ];
    for (const policy of ['drop', 'placeholder'] as const) {
      for (const [code, bad] of cases) {
        const error = await failure(
          [material({ baseColor: colorUse(0), normal: use(1) })],
          [image('gone', missing('images/gone')), bad],
          policy,
        );
        expect(error.diagnostics.map((d) => [d.code, d.severity])).toEqual([[code, 'error']]);
      }
    }
  });

  // As exporters write it: factors of one beside the textures that they scale.
  const lamp = (index: number) =>
    material(
      {
        baseColor: colorUse(3),
        metallic: use(index, { channel: 'b' }),
        roughness: use(index, { channel: 'g', scale: [1, 0.5, 1, 1] }),
        emissive: colorUse(index),
      },
      { metallic: 1, roughness: 0.8, emissive: [1, 1, 1] },
    );
  const hollow = Buffer.concat([
    square.subarray(0, 33),
    chunk('IDAT', [120, 156, 3, 0, 0, 0, 0, 1]),
    chunk('IEND', []),
  ]);

  it('leave no glow and no metal behind where they are left out', async () => {
    // Missing, and found to be broken only when its pixels are decoded.
    for (const set of [images, [image('hollow', hollow), ...images.slice(1)]]) {
      const { prepared, list: reported } = await prepare([lamp(0)], set, { missing: 'drop' });
      expect(prepared.materials[0]).toMatchObject({
        emissive: [0, 0, 0],
        metallic: 0,
        roughness: 0.8,
        slots: { metallic: -1, roughness: -1, emissive: -1 },
      });
      const messages = reported.map((d) => d.message.split(': ')[0]);
      expect(messages).toEqual([
        'metallic texture left out, metallic 0',
        'roughness texture left out, roughness at its factor',
        'emissive texture left out, emission 0',
      ]);
    }
  });

  it('nor where placeholders stand for them', async () => {
    for (const set of [images, [image('hollow', hollow), ...images.slice(1)]]) {
      const { prepared, list: reported } = await prepare([lamp(0)], set, { missing: 'placeholder' });
      expect(prepared.materials[0]).toMatchObject({ metallic: 0, roughness: 0.8 });
      expect((await slotPixels(prepared, 'emissive')).flat().every((v) => v === 0)).toBe(true);
      expect((await slotPixels(prepared, 'roughness')).flat().every((v) => v === 255)).toBe(true);
      expect(reported[0].message).toMatch(/^metallic texture replaced by a placeholder, metallic 0: /);
    }
  });

  it('keep their factors where no texture was authored, or nothing is drawn', async () => {
    const plain = material({ baseColor: colorUse(3) }, { metallic: 1, emissive: [1, 1, 1] });
    const { prepared } = await prepare([plain], images, { missing: 'drop' });
    expect(prepared.materials[0]).toMatchObject({ metallic: 1, emissive: [1, 1, 1] });
    const unused = { ...scene([lamp(0)], images), nodes: [] };
    const undrawn = await prepareMaterials(unused, { missingTexture: 'drop' }, neverRead, new Diagnostics());
    expect(undrawn.materials[0]).toMatchObject({ metallic: 1, emissive: [1, 1, 1] });
  });

  it('also when only the pixels are broken, behind right checksums', async () => {
    const empty = (word: number) =>
      Buffer.concat([
        square.subarray(0, 33),
        chunk('tEXt', [word, 0, word]),
        chunk('IDAT', [120, 156, 3, 0, 0, 0, 0, 1]),
        chunk('IEND', []),
      ]);
    const broken = [image('copied', empty(97)), image('baked', empty(98))];
    const textures = { baseColor: colorUse(0), normal: use(1, { scale: [1, -1, 1, 1], bias: [0, 1, 0, 0] }) };
    const error = await failure([material(textures)], broken);
    expect(error.diagnostics.map((d) => d.path)).toEqual(['images/copied', 'images/baked']);
    expect(error.diagnostics.every((d) => d.code === 'UC2101' || d.code === 'UC2102')).toBe(true);
    const dropped = await prepare([material(textures)], broken, { missing: 'drop' });
    expect(dropped.prepared.textures).toEqual([]);
    const replaced = await prepare([material(textures)], broken, { missing: 'placeholder' });
    expect(replaced.prepared.textures).toHaveLength(2);
  });

  it('let bugs through', async () => {
    const bug = { ...image('x', square), read: () => Promise.reject(new TypeError('a bug')) };
    await expect(prepare([material({ baseColor: colorUse(0) })], [bug], { missing: 'drop' })).rejects.toThrow(
      TypeError,
    );
  });
});

describe('equal scenes', () => {
  it('give equal bytes, names and messages, whatever order reads settle in', async () => {
    const run = async (delays: readonly number[]) => {
      const images = delays.map((delay, i) => ({
        ...image(
          `i${i}`,
          grey([
            [i, 100 + i],
            [i * 2, 3],
          ]),
        ),
        read: async () => {
          for (let k = 0; k < delay; k++) await new Promise((resolve) => setImmediate(resolve));
          return grey([
            [i, 100 + i],
            [i * 2, 3],
          ]);
        },
      }));
      const list = delays.map((_, i) =>
        material({ baseColor: colorUse(i), normal: use(delays.length - 1 - i, { transform: [2, 0, 0, 2, 0, 0] }) }),
      );
      const { prepared, list: reported } = await prepare(list, images);
      return {
        materials: prepared.materials,
        names: prepared.textures.map((t) => t.fileName),
        hashes: prepared.textures.map((t) => t.sha256),
        reported,
      };
    };
    expect(await run([9, 0, 5, 1, 7])).toEqual(await run([0, 9, 1, 5, 0]));
  });

  it('name every file by the hash of its bytes', async () => {
    const { prepared } = await prepare([material({ baseColor: colorUse(0) })], [image('g', grey([[1, 2]]))]);
    for (const { bytes, sha256, fileName } of prepared.textures) {
      expect(sha256).toBe(
        createHash('sha256')
          .update(bytes as Uint8Array)
          .digest('hex'),
      );
      expect(fileName).toBe(`g_${sha256.slice(0, 8)}.png`);
      expect((await pixelsOf(bytes as Uint8Array)).channels).toBe(3);
    }
  });
});

describe('bytes of files', () => {
  it('are given away as soon as a file is made, before the next image is read', async () => {
    const events: string[] = [];
    const held = new Map<string, Uint8Array>();
    const images = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => image(name, rgb([[i, 2, 3]])));
    const materials = images.map((_, i) => material({ baseColor: colorUse(i) }));
    const prepared = await prepareMaterials(
      scene(materials, images),
      {
        missingTexture: 'error',
        atOnce: 1,
        makeFile: async ({ texels }) => {
          if (texels.kind !== 'image') throw new Error('no image');
          events.push('made');
          const { info } = texels.image;
          const bytes = await texels.image.read();
          const { width, height } = info;
          const file = { bytes, extension: 'png', width, height, format: 0, mipCount: 1 };
          return { file, clipped: 0, clamped: false };
        },
        held: {
          hold: (sha256, bytes) => {
            events.push('held');
            held.set(sha256, bytes);
            return true;
          },
          read: (sha256) => held.get(sha256) as Uint8Array,
        },
      },
      neverRead,
      new Diagnostics(),
    );
    expect(events).toEqual(images.flatMap(() => ['made', 'held']));
    expect(prepared.textures.map(({ bytes }) => bytes)).toEqual(images.map(() => null));
    expect(prepared.textures.map(({ sha256 }) => held.has(sha256))).toEqual(images.map(() => true));
  });
});
