import { describe, expect, it } from 'vitest';
import { DEFAULT_FACTORS } from '../../../../src/scene/materialSlots.ts';
import { importText, quad } from '../importText.ts';

/** A material whose surface has these inputs, beside these other shaders. */
function material(inputs: string, shaders = '', properties = ''): string {
  return `${quad('m', 'rel material:binding = </M>\ntexCoord2f[] primvars:st = [(0,0)]')}
    def Material "M" {
      token outputs:surface.connect = </M/Surface.outputs:surface>
      ${properties}
      def Shader "Surface" {
        uniform token info:id = "UsdPreviewSurface"
        ${inputs}
        token outputs:surface
      }
      ${shaders}
    }`;
}

/** A texture node fed by "st", with every input that would otherwise be said to be missing. */
function texture(name: string, inputs = '', st = 'st'): string {
  return `def Shader "${name}" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @tex/${name}.png@
      token inputs:wrapS = "repeat"
      token inputs:wrapT = "clamp"
      token inputs:sourceColorSpace = "auto"
      float2 inputs:st.connect = </M/${st}.outputs:result>
      ${inputs}
    }`;
}

const reader = (varname: string, name = 'st') => `def Shader "${name}" {
    uniform token info:id = "UsdPrimvarReader_float2"
    ${varname}
    float2 outputs:result
  }`;
const ST = reader('string inputs:varname = "st"');

async function read(body: string, files = {}) {
  const { scene, codes, diagnostics } = await importText(body, undefined, files);
  return { surface: scene.materials[0], images: scene.images, codes: codes(), list: diagnostics.list };
}

describe('emission alone', () => {
  const glow = 'color3f inputs:emissiveColor = (1, 0.5, 0)';
  const black = 'color3f inputs:diffuseColor = (0, 0, 0)';
  const LIGHT = { baseColor: [0, 0, 0, 1], metallic: 0, roughness: 1, emissive: [1, 0.5, 0] };

  it.each([glow, `${glow}\n${black}`])('is not lit: black and rough', async (inputs) => {
    const { surface, list } = await read(material(inputs));
    expect(surface).toMatchObject(LIGHT);
    expect(list).toMatchObject([{ code: 'UC1918', severity: 'info', path: '/M/Surface' }]);
  });

  it('counts as a texture, too', async () => {
    const inputs = 'color3f inputs:emissiveColor.connect = </M/Photo.outputs:rgb>';
    const { surface, codes } = await read(material(inputs, `${texture('Photo')}\n${ST}`));
    expect(surface).toMatchObject({ ...LIGHT, emissive: [1, 1, 1] });
    expect(Object.keys(surface.textures)).toEqual(['emissive']);
    expect(codes).toEqual(['UC1918']);
  });

  it.each([
    [`${glow}\ncolor3f inputs:diffuseColor = (0.5, 0, 0)`, { baseColor: [0.5, 0, 0, 1], roughness: 0.5 }],
    [`${glow}\nfloat inputs:roughness = 0.25`, { baseColor: [0.18, 0.18, 0.18, 1], roughness: 0.25 }],
    [`${glow}\n${black}\nfloat inputs:metallic = 0`, { baseColor: [0, 0, 0, 1], roughness: 0.5 }],
    [black, { baseColor: [0, 0, 0, 1], roughness: 0.5 }],
  ])('is lit where it says how: %s', async (inputs, expected) => {
    const { surface, codes } = await read(material(inputs));
    expect(surface).toMatchObject(expected);
    expect(codes).toEqual([]);
  });
});

describe('UsdPreviewSurface constants', () => {
  it('fallbacks', async () => {
    const { surface, codes } = await read(material(''));
    expect(surface).toEqual({
      name: 'M',
      path: '/M',
      alphaMode: 'opaque',
      alphaCutoff: 0.5,
      doubleSided: false,
      ...DEFAULT_FACTORS,
      baseColor: [0.18, 0.18, 0.18, 1],
      metallic: 0,
      roughness: 0.5,
      textures: {},
      usesVertexColors: false,
    });
    expect(codes).toEqual([]);
  });

  it('authored values', async () => {
    const inputs = `color3f inputs:diffuseColor = (0.25, 0.5, 0.75)
      color3f inputs:emissiveColor = (2, 0, 0)
      float inputs:metallic = 0.5
      float inputs:roughness = 0.25`;
    const { surface } = await read(material(inputs));
    expect(surface).toMatchObject({
      baseColor: [0.25, 0.5, 0.75, 1],
      emissive: [2, 0, 0],
      metallic: 0.5,
      roughness: 0.25,
    });
  });

  it.each([
    ['float inputs:opacity = 1', 'opaque', 0.5, 1],
    ['float inputs:opacity = 0.25', 'blend', 0.5, 0.25],
    ['float inputs:opacity = 0.25\nfloat inputs:opacityThreshold = 0.125', 'mask', 0.125, 0.25],
    ['float inputs:opacityThreshold = 0.75', 'mask', 0.75, 1],
  ])('%s', async (inputs, alphaMode, alphaCutoff, alpha) => {
    const { surface } = await read(material(inputs));
    expect(surface).toMatchObject({ alphaMode, alphaCutoff, baseColor: [0.18, 0.18, 0.18, alpha] });
  });

  it('the specular workflow: black specular is a dielectric, a bright one a metal of its colour', async () => {
    const specular = (color: string) =>
      material(
        `int inputs:useSpecularWorkflow = 1\nfloat inputs:metallic = 1\ncolor3f inputs:diffuseColor = (0.5, 0.5, 0.5)\ncolor3f inputs:specularColor = ${color}`,
      );
    const black = await read(specular('(0, 0, 0)'));
    expect(black.surface).toMatchObject({ metallic: 0, baseColor: [0.5, 0.5, 0.5, 1] });
    expect(black.codes).toEqual([]);
    const white = await read(specular('(1, 1, 1)'));
    expect(white.surface.metallic).toBeCloseTo(1, 12);
    expect(white.surface.baseColor[0]).toBeCloseTo(1, 12);
    expect(white.codes).toEqual(['UC1905']);
  });

  it('what the engine cannot draw is named', async () => {
    const { codes, list } = await read(
      material('int inputs:useSpecularWorkflow = 1\nfloat inputs:displacement = 0\nfloat inputs:ior = 1.1'),
    );
    expect(codes).toEqual(['UC1914']);
    expect(list[0].message).toBe('not carried over: ior');
    const dark = await read(material('float inputs:occlusion = 0.5'));
    expect(dark.surface.occlusionStrength).toBe(1);
    expect(dark.list.map((d) => `${d.code} ${d.message}`)).toEqual(['UC1914 not carried over: occlusion']);
  });

  it('a clearcoat makes the roughness of a dielectric and whitens the base colour, as in glTF', async () => {
    const coated = (more: string) =>
      read(material(`float inputs:clearcoat = 1\ncolor3f inputs:diffuseColor = (0.5, 0.25, 0)\n${more}`));
    const { surface, list } = await coated('float inputs:roughness = 0.6');
    expect(list.map((d) => `${d.code} ${d.message}`)).toEqual([
      'UC1914 clearcoat made the roughness and mixed into the base colour',
    ]);
    // 96 % of it, and 2.5 % white; the coat of no other roughness has 0.01.
    for (const [k, value] of [0.505, 0.265, 0.025, 1].entries()) expect(surface.baseColor[k]).toBeCloseTo(value, 12);
    expect(surface.roughness).toBeCloseTo(0.01, 12);
    const rough = await coated('float inputs:clearcoatRoughness = 0.3\nfloat inputs:roughness = 0.6');
    expect(rough.surface.roughness).toBeCloseTo(0.3, 6);
    // The highlight of a metal stays, and 4 % white are added.
    const metal = await coated('float inputs:metallic = 1\nfloat inputs:roughness = 0.6');
    expect(metal.surface.roughness).toBeCloseTo(0.6, 6);
    expect(metal.surface.baseColor[2]).toBeCloseTo(0.04, 12);
    expect(metal.list.map(({ message }) => message)).toEqual(['clearcoat mixed into the base colour']);
    const none = await read(material('float inputs:clearcoat = 0\nfloat inputs:clearcoatRoughness = 0.3'));
    expect([none.codes, none.surface.roughness]).toEqual([[], 0.5]);
  });

  it('presence is coverage, as transparency is here', async () => {
    const { surface, codes } = await read(
      material('float inputs:opacity = 0.5\ntoken inputs:opacityMode = "presence"'),
    );
    expect(surface).toMatchObject({ alphaMode: 'blend', baseColor: [0.18, 0.18, 0.18, 0.5] });
    expect(codes).toEqual([]);
  });
});

describe('UsdUVTexture', () => {
  it('image, wrap, coordinates and channel', async () => {
    const { surface, images, codes } = await read(
      material('color3f inputs:diffuseColor.connect = </M/albedo.outputs:rgb>', `${texture('albedo')}\n${ST}`),
    );
    expect(surface.baseColor).toEqual([1, 1, 1, 1]);
    expect(surface.textures).toEqual({
      baseColor: {
        image: 0,
        uvSet: 'st',
        transform: null,
        wrapS: 'repeat',
        wrapT: 'clamp',
        channel: 'rgb',
        scale: [1, 1, 1, 1],
        bias: [0, 0, 0, 0],
        colorSpace: 'srgb',
      },
    });
    expect(images).toMatchObject([
      { path: '/M/albedo.inputs:file', uri: 'tex/albedo.png', stem: 'albedo', file: '/scene/tex/albedo.png' },
    ]);
    expect(codes).toEqual([]);
  });

  it('an image that several inputs read is one image', async () => {
    const inputs = ['metallic', 'roughness', 'occlusion'].map(
      (name, i) => `float inputs:${name}.connect = </M/orm.outputs:${'bgr'[i]}>`,
    );
    const { surface, images } = await read(material(inputs.join('\n'), `${texture('orm')}\n${ST}`));
    expect(images).toHaveLength(1);
    expect([
      surface.textures.metallic?.channel,
      surface.textures.roughness?.channel,
      surface.textures.occlusion?.channel,
    ]).toEqual(['b', 'g', 'r']);
    expect(surface).toMatchObject({ metallic: 1, roughness: 1, occlusionStrength: 1 });
  });

  it.each([
    ['diffuseColor', 'rgb', 'auto', 'srgb', []],
    ['diffuseColor', 'rgb', 'raw', 'linear', []],
    ['diffuseColor', 'rgb', 'sRGB', 'srgb', []],
    ['roughness', 'g', 'raw', 'linear', []],
    ['roughness', 'g', 'auto', 'linear', ['UC1909']],
    ['roughness', 'g', 'sRGB', 'srgb', ['UC1910']],
    ['opacity', 'a', 'sRGB', 'linear', []],
  ])('%s from %s of a %s image is %s', async (input, output, authored, colorSpace, said) => {
    const node = texture('t').replace('"auto"', `"${authored}"`);
    const type = input === 'diffuseColor' ? 'color3f' : 'float';
    const { surface, codes } = await read(
      material(`${type} inputs:${input}.connect = </M/t.outputs:${output}>`, `${node}\n${ST}`),
    );
    expect(Object.values(surface.textures)[0].colorSpace).toBe(colorSpace);
    expect(codes).toEqual(said);
  });

  it('opacity of a texture blends, and with a threshold masks', async () => {
    const inputs =
      'color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>\nfloat inputs:opacity.connect = </M/t.outputs:a>';
    const blend = await read(material(inputs, `${texture('t')}\n${ST}`));
    expect(blend.surface).toMatchObject({ alphaMode: 'blend', textures: { opacity: { channel: 'a', image: 0 } } });
    const mask = await read(material(`${inputs}\nfloat inputs:opacityThreshold = 0.5`, `${texture('t')}\n${ST}`));
    expect(mask.surface).toMatchObject({ alphaMode: 'mask', alphaCutoff: 0.5 });
  });

  it('scale without bias is the factor of a colour; with bias it stays with the texture', async () => {
    const inputs =
      'color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>\ncolor3f inputs:emissiveColor.connect = </M/t.outputs:rgb>';
    const scaled = await read(material(inputs, `${texture('t', 'float4 inputs:scale = (0.5, 0.25, 1, 1)')}\n${ST}`));
    expect(scaled.surface).toMatchObject({ baseColor: [0.5, 0.25, 1, 1], emissive: [0.5, 0.25, 1] });
    expect(scaled.surface.textures.baseColor?.scale).toEqual([1, 1, 1, 1]);
    const bright = await read(material(inputs, `${texture('t', 'float4 inputs:scale = (4, 4, 4, 1)')}\n${ST}`));
    // A base colour cannot be brighter than white, a light can.
    expect(bright.surface).toMatchObject({ baseColor: [1, 1, 1, 1], emissive: [4, 4, 4] });
    expect(bright.surface.textures.baseColor?.scale).toEqual([4, 4, 4, 1]);
    const biased = await read(material(inputs, `${texture('t', 'float4 inputs:bias = (0.1, 0, 0, 0)')}\n${ST}`));
    expect(biased.surface).toMatchObject({ baseColor: [1, 1, 1, 1], emissive: [1, 1, 1] });
    expect(biased.surface.textures.baseColor?.bias[0]).toBeCloseTo(0.1, 6);
  });

  it('gloss maps, occlusion strength and number factors', async () => {
    const inputs =
      'float inputs:roughness.connect = </M/gloss.outputs:r>\nfloat inputs:metallic.connect = </M/metal.outputs:r>\nfloat inputs:occlusion.connect = </M/ao.outputs:r>';
    const shaders = [
      texture('gloss', 'float4 inputs:scale = (-1, -1, -1, 1)\nfloat4 inputs:bias = (1, 1, 1, 0)'),
      texture('metal', 'float4 inputs:scale = (0.5, 1, 1, 1)'),
      texture('ao', 'float4 inputs:scale = (0.75, 1, 1, 1)\nfloat4 inputs:bias = (0.25, 0, 0, 0)'),
    ];
    const { surface } = await read(material(inputs, `${shaders.join('\n')}\n${ST}`));
    expect(surface).toMatchObject({ roughness: 1, metallic: 0.5, occlusionStrength: 0.75 });
    expect(surface.textures.roughness).toMatchObject({ scale: [-1, -1, -1, 1], bias: [1, 1, 1, 0] });
    expect(surface.textures.occlusion).toMatchObject({ scale: [1, 1, 1, 1], bias: [0, 0, 0, 0] });
  });

  it('wrap modes: black is kept, what is not authored repeats', async () => {
    const node = texture('t').replace('token inputs:wrapS = "repeat"', '').replace('"clamp"', '"black"');
    const { surface, codes } = await read(
      material('color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>', `${node}\n${ST}`),
    );
    expect(surface.textures.baseColor).toMatchObject({ wrapS: 'repeat', wrapT: 'black' });
    expect(codes).toEqual(['UC1908']);
  });

  it('without a file gives its fallback, scaled and biased', async () => {
    const node = texture(
      't',
      'float4 inputs:fallback = (0.5, 0.25, 0.125, 1)\nfloat4 inputs:scale = (0.5, 1, 1, 1)\nfloat4 inputs:bias = (0.25, 0, 0, 0)',
    ).replace('@tex/t.png@', '@@');
    const { surface, codes } = await read(
      material(
        'color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>\nfloat inputs:roughness.connect = </M/t.outputs:b>',
        `${node}\n${ST}`,
      ),
    );
    expect(surface).toMatchObject({ baseColor: [0.5, 0.25, 0.125, 1], roughness: 0.125, textures: {} });
    expect(codes).toEqual(['UC1912']);
  });

  it('UDIM sets are tile 1001', async () => {
    const node = texture('t').replace('tex/t.png', 'tex/t.<UDIM>.png');
    const { images, codes } = await read(
      material('color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>', `${node}\n${ST}`),
    );
    expect(images).toMatchObject([{ uri: 'tex/t.<UDIM>.png', file: '/scene/tex/t.1001.png' }]);
    expect(codes).toEqual(['UC1913']);
  });
});

describe('normal maps', () => {
  const normal = async (scaleAndBias: string) => {
    const node = texture('n', scaleAndBias).replace('"auto"', '"raw"');
    const { surface, codes } = await read(
      material('normal3f inputs:normal.connect = </M/n.outputs:rgb>', `${node}\n${ST}`),
    );
    const { scale, bias, channel, colorSpace } = surface.textures.normal!;
    expect([channel, colorSpace]).toEqual(['rgb', 'linear']);
    return { scale, bias, normalScale: surface.normalScale, codes };
  };

  it('the standard one needs nothing', async () => {
    expect(await normal('float4 inputs:scale = (2, 2, 2, 1)\nfloat4 inputs:bias = (-1, -1, -1, 0)')).toEqual({
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      normalScale: 1,
      codes: [],
    });
  });

  it('missing scale and bias are the standard ones', async () => {
    expect(await normal('')).toMatchObject({
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      normalScale: 1,
      codes: ['UC1911'],
    });
    expect((await normal('float4 inputs:scale = (1, 1, 1, 1)')).codes).toEqual(['UC1911']);
  });

  it('a map with green down is turned over: t becomes 1 - t', async () => {
    expect(await normal('float4 inputs:scale = (2, -2, 2, 1)\nfloat4 inputs:bias = (-1, 1, -1, 0)')).toMatchObject({
      scale: [1, -1, 1, 1],
      bias: [0, 1, 0, 0],
      normalScale: 1,
    });
  });

  it('a common factor of x and y is the strength', async () => {
    expect(await normal('float4 inputs:scale = (1, 1, 2, 1)\nfloat4 inputs:bias = (-0.5, -0.5, -1, 0)')).toMatchObject({
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      normalScale: 0.5,
    });
  });

  it('anything else is n = t s + b, kept as (n + 1) / 2', async () => {
    // x: n = 4 t - 2, encoded 2 t - 0.5
    expect(await normal('float4 inputs:scale = (4, 2, 2, 1)\nfloat4 inputs:bias = (-2, -1, -1, 0)')).toMatchObject({
      scale: [2, 1, 1, 1],
      bias: [-0.5, 0, 0, 0],
      normalScale: 1,
    });
  });
});

describe('texture coordinates', () => {
  const used = async (shaders: string, st = 'st', properties = '') => {
    const { surface, codes } = await read(
      material(
        'color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>',
        `${texture('t', '', st)}\n${shaders}`,
        properties,
      ),
    );
    return { ...surface.textures.baseColor!, codes };
  };

  it('string and token names, and names on the material interface', async () => {
    expect((await used(reader('token inputs:varname = "st"'))).uvSet).toBe('st');
    const interfaced = reader('string inputs:varname.connect = </M.inputs:frame:stPrimvarName>');
    expect((await used(interfaced, 'st', 'token inputs:frame:stPrimvarName = "st"')).uvSet).toBe('st');
  });

  it('a name that the mesh has not is said when the mesh is read', async () => {
    const body = material(
      'color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>',
      `${texture('t')}\n${reader('string inputs:varname = "other"')}`,
    );
    const { scene, codes } = await importText(body);
    expect([...(await scene.meshes[0].primitives[0].read()).uvs.keys()]).toEqual([]);
    expect(codes()).toEqual(['UC1916']);
  });

  it('nothing connected is "st", with a warning', async () => {
    expect(await used('', 'nowhere')).toMatchObject({ uvSet: 'st', codes: ['UC1901', 'UC1907'] });
  });

  const transform = (name: string, from: string, inputs: string) => `def Shader "${name}" {
      uniform token info:id = "UsdTransform2d"
      float2 inputs:in.connect = </M/${from}.outputs:result>
      ${inputs}
      float2 outputs:result
    }`;
  const apply = (t: readonly number[], u: number, v: number) =>
    [t[0] * u + t[2] * v + t[4], t[1] * u + t[3] * v + t[5]].map((x) => Math.round(x * 1e9) / 1e9 + 0);

  it('a transform scales, then turns counter-clockwise, then moves', async () => {
    const { transform: affine } = await used(
      `${transform('x', 'st', 'float inputs:rotation = 90\nfloat2 inputs:scale = (2, 3)\nfloat2 inputs:translation = (10, 20)')}\n${ST}`,
      'x',
    );
    // (1, 0) -> (2, 0) -> (0, 2) -> (10, 22); (0, 1) -> (0, 3) -> (-3, 0) -> (7, 20)
    expect(apply(affine!, 1, 0)).toEqual([10, 22]);
    expect(apply(affine!, 0, 1)).toEqual([7, 20]);
  });

  it('in a chain, the one nearest to the reader goes first', async () => {
    const chain = `${transform('x', 'y', 'float2 inputs:scale = (2, 2)')}\n${transform('y', 'st', 'float2 inputs:translation = (1, 0)')}\n${ST}`;
    const { transform: affine } = await used(chain, 'x');
    expect(apply(affine!, 0, 0)).toEqual([2, 0]);
  });

  it('a chain in a circle ends', async () => {
    const circle = `${transform('x', 'y', '')}\n${transform('y', 'x', '')}`;
    expect((await used(circle, 'x')).codes).toEqual(['UC1907']);
  });
});

describe('networks', () => {
  it('go through node graphs and material interfaces to nodes and values', async () => {
    const inputs =
      'color3f inputs:diffuseColor.connect = </M/G.outputs:color>\nfloat inputs:roughness.connect = </M.inputs:rough>';
    const graph = `def NodeGraph "G" {
        color3f outputs:color.connect = </M/G/t.outputs:rgb>
        ${texture('t').replace('asset inputs:file = @tex/t.png@', 'asset inputs:file.connect = </M.inputs:image>')}
      }`;
    const { surface, images, codes } = await read(
      material(inputs, `${graph}\n${ST}`, 'float inputs:rough = 0.125\nasset inputs:image = @./there.jpg@'),
    );
    expect(surface.roughness).toBe(0.125);
    expect(images).toMatchObject([{ path: '/M/G/t.inputs:file', uri: './there.jpg', file: '/scene/there.jpg' }]);
    expect(codes).toEqual([]);
  });

  it('broken and circular connections leave the own value', async () => {
    const inputs =
      'float inputs:roughness = 0.75\nfloat inputs:roughness.connect = </M.inputs:a>\nfloat inputs:metallic.connect = </nowhere.outputs:r>';
    const { surface, codes } = await read(
      material(inputs, '', 'float inputs:a.connect = </M.inputs:b>\nfloat inputs:b.connect = </M.inputs:a>'),
    );
    expect(surface).toMatchObject({ roughness: 0.75, metallic: 0 });
    expect(codes).toEqual(['UC1901', 'UC1901']);
  });

  it('the first of several connections counts', async () => {
    const { surface, codes } = await read(
      material(
        'float inputs:roughness.connect = [</M.inputs:a>, </M.inputs:b>]',
        '',
        'float inputs:a = 0.25\nfloat inputs:b = 0.5',
      ),
    );
    expect(surface.roughness).toBe(0.25);
    expect(codes).toEqual(['UC1902']);
  });

  it('nodes that are not understood leave the own value, else the fallback', async () => {
    const noise = 'def Shader "noise" {\nuniform token info:id = "Noise"\nfloat outputs:r\n}';
    const inputs =
      'float inputs:roughness = 0.75\nfloat inputs:roughness.connect = </M/noise.outputs:r>\nfloat inputs:metallic.connect = </M/noise.outputs:r>';
    const { surface, codes } = await read(material(inputs, noise));
    expect(surface).toMatchObject({ roughness: 0.75, metallic: 0 });
    expect(codes).toEqual(['UC1906', 'UC1906']);
  });

  it('vertex colours are read where a reader feeds colour or opacity', async () => {
    const body = material(
      'color3f inputs:diffuseColor.connect = </M/c.outputs:result>\nfloat inputs:opacity.connect = </M/o.outputs:result>',
      `def Shader "c" {\nuniform token info:id = "UsdPrimvarReader_float3"\nstring inputs:varname = "Cd"\n}
       def Shader "o" {\nuniform token info:id = "UsdPrimvarReader_float"\nstring inputs:varname = "Alpha"\n}`,
    ).replace(
      'texCoord2f[] primvars:st = [(0,0)]',
      'color3f[] primvars:Cd = [(0.5, 0.25, 0)]\nfloat[] primvars:Alpha = [0.5]\ncolor3f[] primvars:displayColor = [(1, 1, 1)]',
    );
    const { scene, codes } = await importText(body);
    expect(scene.materials[0]).toMatchObject({ usesVertexColors: true, baseColor: [1, 1, 1, 1], alphaMode: 'blend' });
    const mesh = await scene.meshes[0].primitives[0].read();
    expect([...mesh.colors!.data]).toEqual([0.5, 0.25, 0]);
    expect([...mesh.opacities!.data]).toEqual([0.5]);
    expect(codes()).toEqual([]);
  });

  it('a bound material that reads no vertex colour hides displayColor', async () => {
    const body = material('').replace(
      'texCoord2f[] primvars:st = [(0,0)]',
      'color3f[] primvars:displayColor = [(1, 0, 0)]',
    );
    const { scene } = await importText(body);
    expect(scene.materials[0].usesVertexColors).toBe(false);
    expect((await scene.meshes[0].primitives[0].read()).colors).toBeNull();
  });

  it('a UsdPreviewSurface of any context is preferred to other shaders', async () => {
    const other = 'def Shader "X" {\nuniform token info:id = "ND_standard_surface_surfaceshader"\n}';
    const body = material(
      'float inputs:roughness = 0.25',
      other,
      'token outputs:mtlx:surface.connect = </M/X.outputs:out>',
    );
    expect((await read(body)).surface.roughness).toBe(0.25);
    const mtlx = body.replace('outputs:surface.connect', 'outputs:ri:surface.connect');
    expect((await read(mtlx)).surface.roughness).toBe(0.25);
  });

  it('other shaders give their constants, with a warning', async () => {
    const inputs =
      'float inputs:base = 0.5\ncolor3f inputs:base_color = (1, 0.5, 0)\nfloat inputs:metalness = 1\nfloat inputs:specular_roughness = 0.125\ncolor3f inputs:opacity = (0.5, 0.5, 0.5)';
    const { surface, codes } = await read(material(inputs).replace('UsdPreviewSurface', 'arnold:standard_surface'));
    expect(surface).toMatchObject({
      baseColor: [0.5, 0.25, 0, 0.5],
      metallic: 1,
      roughness: 0.125,
      alphaMode: 'blend',
    });
    expect(codes).toEqual(['UC1903']);
  });

  it('a material without surface is grey, with a warning', async () => {
    const { surface, codes } = await read(material('').replace('outputs:surface.connect', 'outputs:volume.connect'));
    expect(surface).toMatchObject({ path: '/M', baseColor: [0.18, 0.18, 0.18, 1] });
    expect(codes).toEqual(['UC1904']);
  });
});
