// Textures of the specular workflow: converted texel by texel into a base colour and a file for metallic and roughness.

import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { convertedFactors, metallicOf } from '../../src/scene/specularWorkflow.ts';
import type { SceneImage, SceneMaterial, Vec3, Vec4 } from '../../src/scene/types.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import {
  chunk,
  colorUse,
  image,
  material,
  missing,
  neverRead,
  rgb,
  rgba,
  SIGNATURE,
  scene,
  slotPixels,
  triangles,
  u32be,
  use,
} from './fixture.ts';

async function prepare(materials: readonly SceneMaterial[], images: readonly SceneImage[], read = neverRead) {
  const diagnostics = new Diagnostics();
  const prepared = await prepareMaterials(scene(materials, images), { missingTexture: 'drop' }, read, diagnostics);
  return { prepared, codes: diagnostics.list.map((d) => d.code) };
}

const all = (value: number): Vec4 => [value, value, value, value];

/** As the glTF importer gives it: specular colours and glossiness are one image. */
const glossy = (
  slots: { diffuse?: number; specular?: number },
  changes: Partial<SceneMaterial> = {},
  { glossiness = 1, ...colors }: { diffuse?: Vec3; specular?: Vec3; glossiness?: number } = {},
) =>
  material(
    {
      ...(slots.diffuse !== undefined && { baseColor: colorUse(slots.diffuse) }),
      ...(slots.specular !== undefined && {
        metallic: colorUse(slots.specular),
        roughness: use(slots.specular, { channel: 'a', scale: all(-glossiness), bias: all(1) }),
      }),
    },
    {
      metallic: 0.25,
      roughness: slots.specular === undefined ? 1 - glossiness : 1,
      specularWorkflow: { diffuse: [1, 1, 1], specular: [1, 1, 1], roughness: 1 - glossiness, ...colors },
      ...changes,
    },
  );

/** Linear to an sRGB byte (IEC 61966-2-1). */
const srgb = (l: number) => Math.round((l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055) * 255);

describe('the conversion of one pair of colours', () => {
  it('4 % of white is a dielectric of the diffuse colour', () => {
    const { color, metallic } = metallicOf([0.6, 0.3, 0.1], [0.04, 0.04, 0.04]);
    expect(metallic).toBe(0);
    expect(color).toEqual([0.6, 0.3, 0.1].map((c) => expect.closeTo(c, 12)));
  });

  it('less than 4 % is a dielectric of the same diffuse colour', () => {
    expect(metallicOf([0.6, 1, 0], [0, 0.02, 0])).toEqual({ color: [0.6, 1, 0], metallic: 0 });
  });

  it('texels of diffuse colours wait for their conversion only if they can become metallic', () => {
    const of = (specular: Vec3, hasDiffuse: boolean, hasSpecular: boolean) =>
      convertedFactors({ diffuse: [1, 1, 1], specular, roughness: 1 }, hasDiffuse, hasSpecular).specularWorkflow !==
      undefined;
    expect(of([0, 0, 0], true, false)).toBe(false);
    expect(of([0.5, 0.5, 0.5], true, false)).toBe(true);
    expect(of([0.5, 0.5, 0.5], false, false)).toBe(false);
    expect(of([0, 0, 0], false, true)).toBe(true);
  });

  it('a black diffuse colour is a metal of the specular colour', () => {
    const { color, metallic } = metallicOf([0, 0, 0], [1, 0.5, 0.25]);
    expect(metallic).toBeCloseTo(1, 12);
    expect(color).toEqual([1, 0.5, 0.25].map((c) => expect.closeTo(c, 6)));
  });

  it('gives back what a metallic-roughness material reflects, for greys', () => {
    // The forward way: diffuse = base (1 - 0.04) (1 - m) / (1 - specular), specular = lerp(0.04, base, m).
    for (const [base, m] of [
      [0.5, 0.25],
      [0.8, 0.5],
      [0.3, 0.9],
    ]) {
      const specular = 0.04 + (base - 0.04) * m;
      const diffuse = (base * (1 - 0.04) * (1 - m)) / (1 - specular);
      const found = metallicOf([diffuse, diffuse, diffuse], [specular, specular, specular]);
      expect(found.metallic).toBeCloseTo(m, 6);
      expect(found.color[0]).toBeCloseTo(base, 5);
    }
  });
});

describe('textures', () => {
  // Plastic and gold side by side: diffuse orange and black, specular 4 % (sRGB 56) and gold, glossiness 0.4 and 1.
  const images = [
    image('paint', rgb([[255, 128, 0, 0, 0, 0]])),
    image('shine', rgba([[56, 56, 56, 102, 255, 200, 64, 255]])),
  ];

  it('plastic stays plastic and gold becomes metal, in two files with glTF channels', async () => {
    const { prepared, codes } = await prepare([glossy({ diffuse: 0, specular: 1 })], images);
    expect(codes).toEqual([]);
    expect(prepared.textures.map((t) => t.fileName.replace(/_.*/, ''))).toEqual(['paint', 'shine']);
    const [base] = await slotPixels(prepared, 'baseColor');
    const near = (values: number[]) => values.map((v) => expect.closeTo(v, -0.5));
    expect(base).toEqual(near([255, 128, 0, 255, 200, 64]));
    const [packed] = await slotPixels(prepared, 'metallic');
    // Roughness 1 - 0.4 and 0, metalness 0 and 1; red is free for no one.
    expect(packed).toEqual([255, 153, 0, 255, 0, 255]);
    const [one] = prepared.materials;
    expect(one.slots.metallic).toBe(one.slots.roughness);
    expect(one).toMatchObject({
      baseColor: [1, 1, 1, 1],
      metallic: 1,
      roughness: 1,
      metallicChannel: 2,
      roughnessChannel: 1,
    });
  });

  it('factors multiply the texels before they are converted', async () => {
    const factors = { diffuse: [0.5, 0.5, 0.5], specular: [0, 0, 0], glossiness: 0.5 } as const;
    const { prepared } = await prepare([glossy({ diffuse: 0, specular: 1 }, {}, factors)], images);
    const [base] = await slotPixels(prepared, 'baseColor');
    // No specular at all counts as the 4 % of a dielectric.
    const linear128 = ((128 / 255 + 0.055) / 1.055) ** 2.4;
    expect(base.slice(0, 3)).toEqual([srgb(0.5), srgb(0.5 * linear128), 0]);
    expect((await slotPixels(prepared, 'roughness'))[0]).toEqual([255, 204, 0, 255, 128, 0]);
  });

  it('a specular texture alone makes both files, and so does a diffuse one of what may be metal', async () => {
    const silver = { specular: [0.5, 0.5, 0.5], glossiness: 0.2 } as const;
    const one = (await prepare([glossy({ diffuse: 0 }, {}, silver)], images)).prepared;
    // Where the diffuse colour is black, all of the specular colour is that of a metal.
    expect((await slotPixels(one, 'baseColor'))[0].slice(3)).toEqual([188, 188, 188]);
    expect((await slotPixels(one, 'metallic'))[0].slice(3)).toEqual([255, 255, 255]);
    expect(one.materials[0]).toMatchObject({ metallic: 1, roughness: 0.8, slots: { roughness: -1 } });
    const black = { diffuse: [0, 0, 0] } as const;
    const two = (await prepare([glossy({ specular: 1 }, {}, black)], images)).prepared;
    expect((await slotPixels(two, 'metallic'))[0][5]).toBe(255);
    expect((await slotPixels(two, 'baseColor'))[0].slice(3)).toEqual([255, 200, 64]);
  });

  it('scale, bias and channel of the colours count', async () => {
    const grey = glossy({ diffuse: 0 }, { metallic: 0 }, { specular: [0.04, 0.04, 0.04] });
    const baseColor = colorUse(0, { channel: 'g', scale: all(-1), bias: all(1) });
    const { prepared } = await prepare([{ ...grey, textures: { baseColor } }], images);
    const linear128 = ((128 / 255 + 0.055) / 1.055) ** 2.4;
    const inverted = srgb(1 - linear128);
    expect((await slotPixels(prepared, 'baseColor'))[0]).toEqual([inverted, inverted, inverted, 255, 255, 255]);
  });

  it('roughness in an image of its own keeps its file', async () => {
    const material = glossy({ diffuse: 0, specular: 1 });
    const textures = { ...material.textures, roughness: use(2, { channel: 'g' }) };
    const rough = image('rough', rgb([[0, 51, 0, 0, 102, 0]]));
    const { prepared } = await prepare([{ ...material, textures, roughness: 0.5 }], [...images, rough]);
    const [one] = prepared.materials;
    expect(one.slots.metallic).not.toBe(one.slots.roughness);
    expect(one).toMatchObject({ metallic: 1, roughness: 0.5, metallicChannel: 2, roughnessChannel: 1 });
    expect((await slotPixels(prepared, 'metallic'))[0]).toEqual([255, 255, 0, 255, 255, 255]);
    expect((await slotPixels(prepared, 'roughness'))[0]).toEqual([0, 51, 0, 0, 102, 0]);
  });

  it('a damaged diffuse image leaves no metal behind', async () => {
    // Only the compressed texels are wrong, so that the fault is found when the file is made.
    const header = chunk('IHDR', [...u32be(2, 1), 8, 2, 0, 0, 0]);
    const texels = chunk('IDAT', [0x78, 0x9c, 0xff, 0xff, 0xff, 0xff]);
    const damaged = [image('paint', Buffer.concat([SIGNATURE, header, texels, chunk('IEND', [])])), images[1]];
    const { prepared, codes } = await prepare([glossy({ diffuse: 0 }, {}, { specular: [0.5, 0.5, 0.5] })], damaged);
    expect(codes).toContain('UC2105');
    expect(prepared.materials[0]).toMatchObject({ metallic: 0, slots: { baseColor: -1, metallic: -1 } });
  });

  it('opacity is the alpha of the diffuse texture, times its factor', async () => {
    const paint = image('paint', rgba([[255, 128, 0, 64, 0, 0, 0, 255]]));
    const see = glossy({ diffuse: 0, specular: 1 }, { alphaMode: 'blend', baseColor: [0.1, 0.1, 0.1, 0.5] });
    const opacity = colorUse(0, { channel: 'a', colorSpace: 'linear' });
    const { prepared } = await prepare([{ ...see, textures: { ...see.textures, opacity } }], [paint, images[1]]);
    const [base] = await slotPixels(prepared, 'baseColor');
    expect([base[3], base[7]]).toEqual([64, 255]);
    expect(prepared.materials[0].baseColor).toEqual([1, 1, 1, 0.5]);
  });

  it('other UVs of the specular texture are followed', async () => {
    const turned = glossy({ diffuse: 0, specular: 1 });
    const other = { uvSet: 'st1' };
    const textures = {
      ...turned.textures,
      metallic: colorUse(1, other),
      roughness: { ...turned.textures.roughness!, ...other },
    };
    // The second set has the image the other way round along u.
    const st = [0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1];
    const st1 = st.map((value, i) => (i % 2 === 0 ? 1 - value : value));
    const { prepared, codes } = await prepare([{ ...turned, textures }], images, triangles({ st, st1 }));
    expect(codes).toEqual(['UC2111', 'UC2111']);
    const [packed] = await slotPixels(prepared, 'roughness');
    // Glossiness 1 on the left now, 0.4 on the right.
    expect([packed[1], packed[4]]).toEqual([0, 153]);
  });

  it('where no image can be read, the diffuse factor and the roughness remain, without metal', async () => {
    const lost = [image('a', missing('images/a')), image('b', missing('images/b'))];
    const baseColor = [1, 1, 1, 0.7] as const;
    const colors = { diffuse: [0.2, 0.4, 0.6], glossiness: 0.25 } as const;
    const { prepared, codes } = await prepare([glossy({ diffuse: 0, specular: 1 }, { baseColor }, colors)], lost);
    expect(codes).toEqual(['UC2105', 'UC2105', 'UC2105']);
    expect(prepared.materials[0]).toMatchObject({
      baseColor: [0.2, 0.4, 0.6, 0.7],
      metallic: 0,
      roughness: 0.75,
      slots: { baseColor: -1, metallic: -1 },
    });
  });

  it('without its specular texture a material is a dielectric of its diffuse colours', async () => {
    const lost = [images[0], image('b', missing('images/b'))];
    const { prepared, codes } = await prepare([glossy({ diffuse: 0, specular: 1 }, {}, { glossiness: 0.2 })], lost);
    expect(codes).toEqual(['UC2105', 'UC2105']);
    expect((await slotPixels(prepared, 'baseColor'))[0]).toEqual([255, 128, 0, 0, 0, 0]);
    expect(prepared.materials[0]).toMatchObject({
      metallic: 0,
      roughness: 0.8,
      slots: { metallic: -1, roughness: -1 },
    });
  });
});
