import { describe, expect, it } from 'vitest';
import { DEFAULT_FACTORS } from '../../../../src/scene/materialSlots.ts';
import { importText, quad } from '../importText.ts';

/** A mesh with a material whose MaterialX surface has these inputs, beside these nodes. */
function material(
  inputs: string,
  nodes = '',
  id = 'ND_standard_surface_surfaceshader',
  context = 'mtlx:surface',
): string {
  return `${quad('m', 'rel material:binding = </M>\ntexCoord2f[] primvars:st = [(0,0)]')}
    def Material "M" {
      token outputs:${context}.connect = </M/Surface.outputs:out>
      def Shader "Surface" {
        uniform token info:id = "${id}"
        ${inputs}
        token outputs:out
      }
      ${nodes}
    }`;
}

const node = (name: string, id: string, inputs = '') => `def Shader "${name}" {
    uniform token info:id = "${id}"
    ${inputs}
    token outputs:out
  }`;

const IMAGE = 'asset inputs:file = @tex/wood.png@ ( colorSpace = "srgb_texture" )';
const image = (name = 'i', type = 'color3', inputs = '', file = IMAGE) =>
  node(name, `ND_image_${type}`, `${file}\n${inputs}`);
const DATA = 'asset inputs:file = @tex/data.png@';

async function read(body: string) {
  const { scene, codes, diagnostics } = await importText(body);
  return { surface: scene.materials[0], images: scene.images, codes: codes(), list: diagnostics.list };
}

/** Colour that the surface shows for what is connected to its base colour. */
async function base(nodes: string, from = 'n', output = 'out') {
  const { surface, codes, list } = await read(
    material(`color3f inputs:base_color.connect = </M/${from}.outputs:${output}>`, nodes),
  );
  const { channel, scale, bias } = surface.textures.baseColor ?? {};
  const rounded = surface.baseColor.slice(0, 3).map((v) => Math.round(v * 1e6) / 1e6);
  return { factor: rounded, use: surface.textures.baseColor, channel, scale, bias, codes, said: list[0]?.message };
}

describe('MaterialX surfaces', () => {
  it('fallbacks of standard_surface', async () => {
    const { surface, codes } = await read(material(''));
    expect(surface).toEqual({
      name: 'M',
      path: '/M',
      alphaMode: 'opaque',
      alphaCutoff: 0.5,
      doubleSided: false,
      ...DEFAULT_FACTORS,
      baseColor: [0.8, 0.8, 0.8, 1],
      metallic: 0,
      roughness: 0.2,
      textures: {},
      usesVertexColors: false,
    });
    expect(codes).toEqual([]);
  });

  it('standard_surface', async () => {
    const { surface, codes, list } = await read(
      material(`float inputs:base = 0.5
        color3f inputs:base_color = (1, 0.5, 0)
        float inputs:metalness = 1
        float inputs:specular_roughness = 0.125
        float inputs:emission = 2
        color3f inputs:emission_color = (1, 0, 0.5)
        color3f inputs:opacity = (0.25, 0.5, 0.75)
        float inputs:coat = 1
        float inputs:specular_IOR = 1.5`),
    );
    expect(surface).toMatchObject({
      baseColor: [0.5, 0.25, 0, 0.5],
      metallic: 1,
      roughness: 0.125,
      emissive: [2, 0, 1],
      alphaMode: 'blend',
    });
    expect(codes).toEqual(['UC1914']);
    expect(list[0].message).toBe('not carried over: coat');
  });

  it('version 1.0.0 of it has other fallbacks', async () => {
    const { surface } = await read(material('', '', 'ND_standard_surface_surfaceshader_100'));
    expect(surface.baseColor).toEqual([0.8, 0.8, 0.8, 1]);
    const red = await read(
      material('color3f inputs:base_color = (1, 0, 0)', '', 'ND_standard_surface_surfaceshader_100'),
    );
    expect(red.surface.baseColor).toEqual([0.8, 0, 0, 1]);
  });

  it('open_pbr_surface', async () => {
    const inputs = `color3f inputs:base_color = (1, 0.5, 0.25)
      float inputs:base_weight = 0.5
      float inputs:base_metalness = 0.75
      float inputs:emission_luminance = 4
      color3f inputs:emission_color = (0.5, 0.25, 0)
      float inputs:geometry_opacity = 0.5
      float inputs:transmission_weight = 0.5`;
    const { surface, list } = await read(material(inputs, '', 'ND_open_pbr_surface_surfaceshader'));
    expect(surface).toMatchObject({
      baseColor: [0.5, 0.25, 0.125, 0.5],
      metallic: 0.75,
      emissive: [2, 1, 0],
      alphaMode: 'blend',
    });
    expect(surface.roughness).toBeCloseTo(0.3, 12);
    expect(list.map((d) => `${d.code} ${d.message}`)).toEqual(['UC1914 not carried over: transmission_weight']);
  });

  it.each([
    ['ND_standard_surface_surfaceshader', 'transmission', 'specular_roughness', 'base'],
    ['ND_open_pbr_surface_surfaceshader', 'transmission_weight', 'specular_roughness', 'base_weight'],
  ])(
    'glass of %s takes the colours of base and transmission, without the weight',
    async (id, passes, rough, weight) => {
      const inputs = `color3f inputs:base_color = (1, 0.5, 1)
      float inputs:${weight} = 0
      float inputs:${rough} = 0
      float inputs:${passes} = 1
      color3f inputs:transmission_color = (0.5, 0.5, 1)`;
      const { surface, codes } = await read(material(inputs, '', id));
      expect(surface).toMatchObject({ transmission: 1, alphaMode: 'opaque', baseColor: [0.5, 0.25, 1, 1] });
      expect(codes).toEqual([]);
      const half = await read(material(inputs.replace(`${passes} = 1`, `${passes} = 0.5`), '', id));
      // Half of the weight and of the tint: 1 * 0.5 * 0.75, 0.5 * 0.5 * 0.75, 1 * 0.5 * 1.
      expect(half.surface).toMatchObject({ transmission: 0.5, baseColor: [0.375, 0.1875, 0.5, 1] });
    },
  );

  it('glass of gltf_pbr is coloured by its volume; alpha stays', async () => {
    const inputs = `color3f inputs:base_color = (1, 1, 0.5)
      float inputs:metallic = 0
      float inputs:roughness = 0
      float inputs:transmission = 0.75
      float inputs:alpha = 0.5
      int inputs:alpha_mode = 2`;
    const { surface, codes } = await read(material(inputs, '', 'ND_gltf_pbr_surfaceshader'));
    expect(surface).toMatchObject({ transmission: 0.75, alphaMode: 'blend', baseColor: [1, 1, 0.5, 0.5] });
    expect(codes).toEqual([]);
    const volume = `float inputs:thickness = 2
      float inputs:attenuation_distance = 1
      color3f inputs:attenuation_color = (0.5, 1, 1)`;
    const filled = inputs.replace('= 0.75', '= 1');
    const { surface: tinted, list } = await read(
      material(`${filled}\n${volume}\nfloat inputs:ior = 1.7`, '', 'ND_gltf_pbr_surfaceshader'),
    );
    expect(tinted.baseColor).toEqual([0.25, 1, 0.5, 0.5]);
    expect(list.map((d) => `${d.code} ${d.message}`)).toEqual(['UC1221 not carried over: ior, thickness']);
  });

  it('glass keeps the texture of its transmission; what the engine ignores has one code', async () => {
    const inputs = `float inputs:specular_roughness = 0
      float inputs:transmission.connect = </M/i.outputs:out>
      float inputs:transmission_depth = 0.5
      color3f inputs:transmission_color.connect = </M/c.outputs:out>
      float inputs:specular_IOR = 1.3
      float inputs:coat = 1`;
    const nodes = `${image('i', 'float', '', DATA)}\n${image('c')}`;
    const { surface, list } = await read(material(inputs, nodes));
    expect(surface).toMatchObject({ transmission: 1, baseColor: [0.8, 0.8, 0.8, 1], textures: {} });
    expect(surface.transmissionTexture).toMatchObject({ channel: 'r', colorSpace: 'linear' });
    expect(list.map((d) => `${d.code} ${d.message}`)).toEqual([
      'UC1914 not carried over: coat',
      'UC1221 not carried over: specular_IOR, transmission_depth, transmission_color',
    ]);
  });

  it.each([
    ['', 'opaque', 0.5, 1],
    ['int inputs:alpha_mode = 0', 'opaque', 0.5, 1],
    ['int inputs:alpha_mode = 1\nfloat inputs:alpha_cutoff = 0.25', 'mask', 0.25, 0.75],
    ['int inputs:alpha_mode = 2', 'blend', 0.5, 0.75],
  ])('gltf_pbr with alpha 0.75 and %j is %s', async (mode, alphaMode, alphaCutoff, alpha) => {
    const inputs = `color3f inputs:base_color = (0.5, 0.5, 0.5)
      color3f inputs:emissive = (1, 0.5, 0)
      float inputs:emissive_strength = 3
      float inputs:alpha = 0.75
      ${mode}`;
    const { surface, codes } = await read(material(inputs, '', 'ND_gltf_pbr_surfaceshader'));
    expect(surface).toMatchObject({
      baseColor: [0.5, 0.5, 0.5, alpha],
      metallic: 1,
      roughness: 1,
      emissive: [3, 1.5, 0],
      alphaMode,
      alphaCutoff,
    });
    expect(codes).toEqual([]);
  });

  it('gltf_pbr reads its occlusion; a constant one is said to be lost', async () => {
    const fed = await read(
      material(
        'float inputs:occlusion.connect = </M/o.outputs:out>',
        image('o', 'float', '', DATA),
        'ND_gltf_pbr_surfaceshader',
      ),
    );
    expect(fed.surface.textures.occlusion).toMatchObject({ channel: 'r', colorSpace: 'linear' });
    expect(fed.codes).toEqual([]);
    const held = await read(material('float inputs:occlusion = 0.5', '', 'ND_gltf_pbr_surfaceshader'));
    expect(held.list.map((d) => `${d.code} ${d.message}`)).toEqual(['UC1914 not carried over: occlusion']);
  });

  it('UsdPreviewSurface under its MaterialX name', async () => {
    const inputs = 'color3f inputs:diffuseColor.connect = </M/i.outputs:out>\nfloat inputs:opacityThreshold = 0.5';
    const { surface, codes } = await read(material(inputs, image(), 'ND_UsdPreviewSurface_surfaceshader'));
    expect(surface).toMatchObject({ alphaMode: 'mask', roughness: 0.5, textures: { baseColor: { channel: 'rgb' } } });
    expect(codes).toEqual([]);
  });

  it('surface_unlit shows its emission alone', async () => {
    const inputs =
      'color3f inputs:emission_color = (1, 0.5, 0)\nfloat inputs:emission = 0.5\nfloat inputs:opacity = 0.25';
    const { surface } = await read(material(inputs, '', 'ND_surface_unlit'));
    expect(surface).toMatchObject({ baseColor: [0, 0, 0, 0.25], emissive: [0.5, 0.25, 0], alphaMode: 'blend' });
  });

  it('Disney principled', async () => {
    const { surface, codes } = await read(material('float inputs:roughness = 0.25', '', 'ND_disney_principled'));
    expect(surface).toMatchObject({ baseColor: [0.16, 0.16, 0.16, 1], roughness: 0.25 });
    expect(codes).toEqual([]);
  });

  it('a UsdPreviewSurface of any output is preferred, then MaterialX, then others', async () => {
    const preview = node('P', 'UsdPreviewSurface', 'float inputs:roughness = 0.75');
    const other = node('O', 'arnold:standard_surface', 'float inputs:specular_roughness = 0.875');
    const outputs = (text: string) => `${text}\ndef Shader "Surface"`;
    const body = (extra: string, nodes: string) => material('', nodes).replace('def Shader "Surface"', outputs(extra));
    const both = await read(body('token outputs:ri:surface.connect = </M/P.outputs:out>', preview));
    expect(both.surface.roughness).toBe(0.75);
    const mtlx = await read(body('token outputs:arnold:surface.connect = </M/O.outputs:out>', other));
    expect(mtlx.surface.roughness).toBe(0.2);
    expect(mtlx.codes).toEqual([]);
  });

  it('of a mix the foreground is drawn, unless the mix is all background', async () => {
    const surfaces = `${node('A', 'ND_gltf_pbr_surfaceshader', 'float inputs:roughness = 0.25')}
      ${node('B', 'ND_gltf_pbr_surfaceshader', 'float inputs:roughness = 0.75')}`;
    const mixed = (mix: string) =>
      read(
        material(
          `token inputs:fg.connect = </M/A.outputs:out>\ntoken inputs:bg.connect = </M/B.outputs:out>\n${mix}`,
          surfaces,
          'ND_mix_surfaceshader',
        ),
      );
    const half = await mixed('float inputs:mix = 0.5');
    expect([half.surface.roughness, half.codes]).toEqual([0.25, ['UC1965']]);
    const none = await mixed('float inputs:mix = 0');
    expect([none.surface.roughness, none.codes]).toEqual([0.75, []]);
    const all = await mixed('float inputs:mix = 1');
    expect([all.surface.roughness, all.codes]).toEqual([0.25, []]);
    const loop = await read(material('token inputs:in.connect = </M/Surface.outputs:out>', '', 'ND_dot_surfaceshader'));
    expect(loop.codes).toEqual(['UC1903']);
  });

  it('displacement of the material is said to be lost', async () => {
    const body = material('', node('D', 'ND_displacement_float'));
    const { list } = await read(
      body.replace(
        'def Shader "Surface"',
        'token outputs:mtlx:displacement.connect = </M/D.outputs:out>\ndef Shader "Surface"',
      ),
    );
    expect(list.map((d) => `${d.code} ${d.message}`)).toEqual(['UC1914 not carried over: outputs:mtlx:displacement']);
  });
});

describe('image nodes', () => {
  it('image: file, coordinates, address modes and colour space', async () => {
    const { surface, images, codes } = await read(
      material(
        'color3f inputs:base_color.connect = </M/i.outputs:out>',
        image('i', 'color3', 'string inputs:uaddressmode = "mirror"\nstring inputs:vaddressmode = "constant"'),
      ),
    );
    expect(surface.baseColor).toEqual([1, 1, 1, 1]);
    expect(surface.textures).toEqual({
      baseColor: {
        image: 0,
        uvSet: 'st',
        transform: null,
        wrapS: 'mirror',
        wrapT: 'black',
        channel: 'rgb',
        scale: [1, 1, 1, 1],
        bias: [0, 0, 0, 0],
        colorSpace: 'srgb',
      },
    });
    expect(images).toMatchObject([{ uri: 'tex/wood.png', path: '/M/i.inputs:file', file: '/scene/tex/wood.png' }]);
    expect(codes).toEqual([]);
  });

  const space = async (colorSpace: string, type = 'color3', input = 'color3f inputs:base_color') => {
    const file = `${DATA}${colorSpace && ` ( colorSpace = "${colorSpace}" )`}`;
    const { surface, codes } = await read(
      material(`${input}.connect = </M/i.outputs:out>`, image('i', type, '', file)),
    );
    return [Object.values(surface.textures)[0].colorSpace, ...codes];
  };

  it('colour spaces of colours', async () => {
    expect(await space('srgb_texture')).toEqual(['srgb']);
    expect(await space('lin_rec709')).toEqual(['linear']);
    expect(await space('raw')).toEqual(['linear']);
    expect(await space('')).toEqual(['srgb', 'UC1961']);
    expect(await space('acescg')).toEqual(['linear', 'UC1962']);
    expect(await space('g22_rec709')).toEqual(['srgb', 'UC1962']);
    // Vectors and floats are not colour managed.
    expect(await space('', 'vector3')).toEqual(['linear']);
  });

  it('colour spaces of data', async () => {
    const input = 'float inputs:specular_roughness';
    expect(await space('', 'float', input)).toEqual(['linear']);
    expect(await space('', 'color3', input)).toEqual(['linear']);
    expect(await space('srgb_texture', 'float', input)).toEqual(['srgb', 'UC1910']);
  });

  it('constants with a colour space are made linear', async () => {
    const color = (name: string) => `color3f inputs:base_color = (0.5, 0, 1) ( colorSpace = "${name}" )`;
    const { surface } = await read(material(color('srgb_texture')));
    // ((0.5 + 0.055) / 1.055) ^ 2.4
    expect(surface.baseColor[0]).toBeCloseTo(0.2140411, 6);
    expect(surface.baseColor.slice(1)).toEqual([0, 1, 1]);
    expect((await read(material(color('lin_rec709')))).surface.baseColor[0]).toBe(0.5);
    expect((await read(material(color('acescg')))).codes).toEqual(['UC1962']);
  });

  it('without a file gives its default', async () => {
    const { factor, codes } = await base(node('n', 'ND_image_color3', 'color3f inputs:default = (1, 0.5, 0)'));
    expect([factor, codes]).toEqual([[1, 0.5, 0], ['UC1912']]);
  });

  it('gltf_image is multiplied by its factor, gltf_colorimage by its colour', async () => {
    const factor = 'color3f inputs:factor = (0.5, 0.25, 1)';
    expect(await base(node('n', 'ND_gltf_image_color3_color3_1_0', `${IMAGE}\n${factor}`))).toMatchObject({
      factor: [0.5, 0.25, 1],
      channel: 'rgb',
      codes: [],
    });
    const color = 'color4f inputs:color = (0.5, 0.25, 1, 0.125)';
    const inputs = `color3f inputs:base_color.connect = </M/n.outputs:outcolor>
      float inputs:alpha.connect = </M/n.outputs:outa>\nint inputs:alpha_mode = 2`;
    const { surface, images } = await read(
      material(inputs, node('n', 'ND_gltf_colorimage', `${IMAGE}\n${color}`), 'ND_gltf_pbr_surfaceshader'),
    );
    expect(surface.baseColor).toEqual([0.5, 0.25, 1, 0.125]);
    expect(surface.textures).toMatchObject({ baseColor: { channel: 'rgb' }, opacity: { channel: 'a' } });
    expect(images).toHaveLength(1);
  });

  it('UsdUVTexture under its MaterialX name has its scale and bias', async () => {
    const inputs = `${IMAGE}\nfloat4 inputs:scale = (0.5, 0.5, 0.5, 1)\nstring inputs:wrapS = "clamp"`;
    const found = await base(node('n', 'ND_UsdUVTexture_23', inputs), 'n', 'rgb');
    expect(found).toMatchObject({ factor: [0.5, 0.5, 0.5], use: { wrapS: 'clamp', wrapT: 'repeat' }, codes: [] });
  });

  it('hextiledimage is the image, with a warning', async () => {
    expect(await base(node('n', 'ND_hextiledimage_color3', `${IMAGE}\nfloat2 inputs:tiling = (2, 2)`))).toMatchObject({
      use: { transform: [2, 0, 0, 2, 0, 0] },
      codes: ['UC1960'],
    });
  });
});

describe('texture coordinates', () => {
  const used = async (coordinates: string, id = 'ND_image_color3', inputs = '') => {
    const connect = coordinates === '' ? '' : 'float2 inputs:texcoord.connect = </M/uv.outputs:out>';
    const found = await base(`${node('n', id, `${IMAGE}\n${connect}\n${inputs}`)}\n${coordinates}`);
    return { uvSet: found.use!.uvSet, transform: found.use!.transform, codes: found.codes };
  };
  const affine = async (...of: Parameters<typeof used>) => {
    const { transform } = await used(...of);
    return transform?.map((v) => Math.round(v * 1e6) / 1e6 + 0);
  };
  const uv = (id: string, inputs = '') => node('uv', id, inputs);
  const TEXCOORD = node('t', 'ND_texcoord_vector2');

  it('are "st" where nothing is connected, and the primvars that nodes name', async () => {
    expect(await used('')).toEqual({ uvSet: 'st', transform: null, codes: [] });
    expect((await used(uv('ND_texcoord_vector2'))).uvSet).toBe('st');
    expect((await used(uv('ND_texcoord_vector2', 'int inputs:index = 1'))).uvSet).toBe('st1');
    expect((await used(uv('ND_geompropvalue_vector2', 'string inputs:geomprop = "UVMap"'))).uvSet).toBe('UVMap');
    expect((await used(uv('ND_UsdPrimvarReader_vector2', 'string inputs:varname = "uv1"'))).uvSet).toBe('uv1');
    expect(await used(uv('ND_noise2d_vector2'))).toMatchObject({ uvSet: 'st', codes: ['UC1907'] });
    expect(await used(uv('ND_geompropvalue_vector2'))).toMatchObject({ uvSet: 'st', codes: ['UC1907'] });
  });

  it('tiledimage multiplies and moves them', async () => {
    const inputs = 'float2 inputs:uvtiling = (2, 3)\nfloat2 inputs:uvoffset = (0.5, 0.25)';
    expect(await affine('', 'ND_tiledimage_color3', inputs)).toEqual([2, 0, 0, 3, -0.5, -0.25]);
    const size = 'float2 inputs:realworldimagesize = (2, 4)\nfloat2 inputs:realworldtilesize = (1, 1)';
    expect(await affine('', 'ND_tiledimage_color3', `${inputs}\n${size}`)).toEqual([1, 0, 0, 0.75, -0.25, -0.0625]);
  });

  it('place2d: scaled, turned and moved around the pivot, in either order', async () => {
    const inputs = `float2 inputs:texcoord.connect = </M/t.outputs:out>
      float2 inputs:pivot = (0.5, 0.5)\nfloat2 inputs:scale = (2, 4)\nfloat inputs:rotate = 90\nfloat2 inputs:offset = (1, 0)`;
    // (u, v) - pivot, over scale: ((u - .5) / 2, (v - .5) / 4); clockwise by 90: (x, y) -> (y, -x); less offset; plus pivot.
    expect(await affine(`${uv('ND_place2d_vector2', inputs)}\n${TEXCOORD}`)).toEqual([0, -0.5, 0.25, 0, -0.625, 0.75]);
    // Offset first: (u - 1.5, v - .5) -> (v - .5, 1.5 - u); over scale: ((v - .5) / 2, (1.5 - u) / 4); plus pivot.
    const other = `${inputs}\nint inputs:operationorder = 1`;
    expect(await affine(`${uv('ND_place2d_vector2', other)}\n${TEXCOORD}`)).toEqual([0, -0.25, 0.5, 0, 0.25, 0.875]);
  });

  it("gltf_image places as glTF's texture transform does", async () => {
    // KHR_texture_transform: uv' = offset + R (uv · scale) with V down; here with v = 1 - v'.
    const inputs = 'float2 inputs:scale = (2, 3)\nfloat2 inputs:offset = (0.25, 0.5)';
    // u' = 2 u + .25; 1 - v' = 3 (1 - v) + .5, so v' = 3 v - 2.5
    expect(await affine('', 'ND_gltf_image_color3_color3_1_0', inputs)).toEqual([2, 0, 0, 3, 0.25, -2.5]);
    // glTF's rotation by 90: (u, w) -> (w, -u), with w = 1 - v: u' = 1 - v, w' = -u, v' = 1 + u.
    expect(await affine('', 'ND_gltf_image_color3_color3_1_0', 'float inputs:rotate = 90')).toEqual([
      0, 1, -1, 0, 1, 1,
    ]);
  });

  it('arithmetic on them', async () => {
    const two = (id: string, second: string) =>
      `${uv(id, `float2 inputs:in1.connect = </M/t.outputs:out>\n${second}`)}\n${TEXCOORD}`;
    expect(await affine(two('ND_multiply_vector2', 'float2 inputs:in2 = (2, 3)'))).toEqual([2, 0, 0, 3, 0, 0]);
    expect(await affine(two('ND_multiply_vector2FA', 'float inputs:in2 = 4'))).toEqual([4, 0, 0, 4, 0, 0]);
    expect(await affine(two('ND_add_vector2', 'float2 inputs:in2 = (1, 2)'))).toEqual([1, 0, 0, 1, 1, 2]);
    const turned = uv('ND_rotate2d_vector2', 'float2 inputs:in.connect = </M/t.outputs:out>\nfloat inputs:amount = 90');
    expect(await affine(`${turned}\n${TEXCOORD}`)).toEqual([0, -1, 1, 0, 0, 0]);
  });

  it('apart, turned over and put together again', async () => {
    const nodes = `${TEXCOORD}
      ${node('s', 'ND_separate2_vector2', 'float2 inputs:in.connect = </M/t.outputs:out>')}
      ${node('f', 'ND_subtract_float', 'float inputs:in1 = 1\nfloat inputs:in2.connect = </M/s.outputs:outy>')}
      ${uv('ND_combine2_vector2', 'float inputs:in1.connect = </M/s.outputs:outx>\nfloat inputs:in2.connect = </M/f.outputs:out>')}`;
    expect(await affine(nodes)).toEqual([1, 0, 0, -1, 0, 1]);
  });
});

describe('nodes between an image and a surface', () => {
  const to = (id: string, inputs: string) =>
    `${node('n', id, inputs)}\n${image('i')}\n${image('j', 'color3', '', DATA)}`;
  const IN1 = 'color3f inputs:in1.connect = </M/i.outputs:out>';
  const IN = 'color3f inputs:in.connect = </M/i.outputs:out>';

  it.each([
    ['ND_multiply_color3', `${IN1}\ncolor3f inputs:in2 = (0.5, 0.25, 1)`, [0.5, 0.25, 1], [1, 1, 1, 1], [0, 0, 0, 0]],
    ['ND_multiply_color3FA', `${IN1}\nfloat inputs:in2 = 0.5`, [0.5, 0.5, 0.5], [1, 1, 1, 1], [0, 0, 0, 0]],
    ['ND_divide_color3FA', `${IN1}\nfloat inputs:in2 = 2`, [0.5, 0.5, 0.5], [1, 1, 1, 1], [0, 0, 0, 0]],
    ['ND_add_color3', `${IN1}\ncolor3f inputs:in2 = (0.5, 0, 0)`, [1, 1, 1], [1, 1, 1, 1], [0.5, 0, 0, 0]],
    ['ND_subtract_color3FA', `${IN1}\nfloat inputs:in2 = 0.25`, [1, 1, 1], [1, 1, 1, 1], [-0.25, -0.25, -0.25, 0]],
    ['ND_invert_color3', IN, [1, 1, 1], [-1, -1, -1, 1], [1, 1, 1, 0]],
    ['ND_dot_color3', IN, [1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]],
    ['ND_clamp_color3', IN, [1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]],
    ['ND_contrast_color3FA', `${IN}\nfloat inputs:amount = 2`, [1, 1, 1], [2, 2, 2, 1], [-0.5, -0.5, -0.5, 0]],
    [
      'ND_remap_color3FA',
      `${IN}\nfloat inputs:outlow = 0.25\nfloat inputs:outhigh = 0.75`,
      [1, 1, 1],
      [0.5, 0.5, 0.5, 1],
      [0.25, 0.25, 0.25, 0],
    ],
    [
      'ND_range_color3FA',
      `${IN}\nfloat inputs:outhigh = 0.5\nbool inputs:doclamp = 1`,
      [0.5, 0.5, 0.5],
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
    ['ND_saturate_color3', `${IN}\nfloat inputs:amount = 1`, [1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]],
    [
      'ND_mix_color3',
      'color3f inputs:fg.connect = </M/i.outputs:out>\ncolor3f inputs:bg = (1, 0, 0)\nfloat inputs:mix = 0.25',
      [1, 1, 1],
      [0.25, 0.25, 0.25, 1],
      [0.75, 0, 0, 0],
    ],
    [
      'ND_mix_color3',
      'color3f inputs:fg.connect = </M/i.outputs:out>\ncolor3f inputs:bg.connect = </M/j.outputs:out>\nfloat inputs:mix = 1',
      [1, 1, 1],
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
    [
      'ND_plus_color3',
      'color3f inputs:fg.connect = </M/i.outputs:out>\ncolor3f inputs:bg = (0.5, 0, 0)',
      [1, 1, 1],
      [1, 1, 1, 1],
      [0.5, 0, 0, 0],
    ],
    [
      'ND_switch_color3',
      `${IN1}\ncolor3f inputs:in2.connect = </M/j.outputs:out>\nfloat inputs:which = 0`,
      [1, 1, 1],
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
    [
      'ND_ifgreater_color3',
      `${IN1}\ncolor3f inputs:in2.connect = </M/j.outputs:out>\nfloat inputs:value1 = 2\nfloat inputs:value2 = 1`,
      [1, 1, 1],
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
    ['ND_swizzle_color3_color3', `${IN}\nstring inputs:channels = "rgb"`, [1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]],
  ])('%s %j', async (id, inputs, factor, scale, bias) => {
    expect(await base(to(id, inputs))).toMatchObject({
      factor,
      channel: 'rgb',
      scale,
      bias,
      codes: [],
      use: { image: 0 },
    });
  });

  it('a grey channel tinted by a colour', async () => {
    const nodes = `${node('n', 'ND_multiply_color3', 'color3f inputs:in1.connect = </M/c.outputs:out>\ncolor3f inputs:in2 = (1, 0.5, 0.25)')}
      ${node('c', 'ND_convert_float_color3', 'float inputs:in.connect = </M/e.outputs:out>')}
      ${node('e', 'ND_extract_color3', 'color3f inputs:in.connect = </M/i.outputs:out>\nint inputs:index = 1')}
      ${image('i')}`;
    expect(await base(nodes)).toMatchObject({ factor: [1, 0.5, 0.25], channel: 'g', codes: [] });
  });

  it('a colour between two constants by one channel has no form unless one of them is black', async () => {
    const mix = (
      bg: string,
    ) => `${node('n', 'ND_mix_color3', `color3f inputs:fg = (1, 0.5, 0)\ncolor3f inputs:bg = ${bg}\nfloat inputs:mix.connect = </M/f.outputs:out>`)}
      ${image('f', 'float')}`;
    expect(await base(mix('(0, 0, 0)'))).toMatchObject({ factor: [1, 0.5, 0], channel: 'r', codes: [] });
    expect(await base(mix('(0, 0, 1)'))).toMatchObject({ channel: 'rgb', codes: ['UC1960'] });
  });

  const channels = async (nodes: string, from: string) => {
    const { surface, codes } = await read(
      material(
        `float inputs:specular_roughness.connect = </M/${from}>`,
        `${nodes}\n${image('i', 'vector3', '', DATA)}\n${image('j', 'color4', '', DATA)}`,
      ),
    );
    return [surface.textures.roughness?.channel, ...codes];
  };
  const VIN = 'float3 inputs:in.connect = </M/i.outputs:out>';

  it('channels', async () => {
    expect(await channels(node('n', 'ND_extract_vector3', `${VIN}\nint inputs:index = 2`), 'n.outputs:out')).toEqual([
      'b',
    ]);
    expect(await channels(node('n', 'ND_separate3_vector3', VIN), 'n.outputs:outy')).toEqual(['g']);
    const four = 'color4f inputs:in.connect = </M/j.outputs:out>';
    expect(await channels(node('n', 'ND_separate4_color4', four), 'n.outputs:outa')).toEqual(['a']);
    expect(
      await channels(node('n', 'ND_swizzle_vector3_float', `${VIN}\nstring inputs:channels = "z"`), 'n.outputs:out'),
    ).toEqual(['b']);
    // A number that is connected to a colour reads its first component.
    expect(await channels('', 'i.outputs:out')).toEqual(['r']);
  });

  it('a gloss map is 1 - texel', async () => {
    const nodes = `${node('n', 'ND_invert_float', 'float inputs:in.connect = </M/g.outputs:out>')}\n${image('g', 'float', '', DATA)}`;
    const { surface } = await read(material('float inputs:specular_roughness.connect = </M/n.outputs:out>', nodes));
    expect(surface).toMatchObject({
      roughness: 1,
      textures: { roughness: { scale: [-1, -1, -1, 1], bias: [1, 1, 1, 0] } },
    });
  });

  it('weights multiply images', async () => {
    const { surface, codes } = await read(
      material('float inputs:base = 0.5\ncolor3f inputs:base_color.connect = </M/i.outputs:out>', image()),
    );
    expect([surface.baseColor.slice(0, 3), codes]).toEqual([[0.5, 0.5, 0.5], []]);
    const glow = await read(
      material('float inputs:emission = 4\ncolor3f inputs:emission_color.connect = </M/i.outputs:out>', image()),
    );
    expect([glow.surface.emissive, glow.codes]).toEqual([[4, 4, 4], []]);
  });

  it('opacity of a coloured image is its red, of a grey one any', async () => {
    const opacity = 'color3f inputs:opacity.connect = </M/n.outputs:out>';
    const colored = await read(material(opacity, image('n', 'color3', '', DATA)));
    expect(colored.surface).toMatchObject({ alphaMode: 'blend', textures: { opacity: { channel: 'r' } } });
    expect(colored.codes).toEqual(['UC1963']);
    const grey = `${node('n', 'ND_convert_float_color3', 'float inputs:in.connect = </M/f.outputs:out>')}\n${image('f', 'float', '', DATA)}`;
    expect((await read(material(opacity, grey))).codes).toEqual([]);
  });

  it('vertex colours, tinted', async () => {
    const nodes = `${node('n', 'ND_multiply_color3', 'color3f inputs:in1.connect = </M/p.outputs:out>\ncolor3f inputs:in2 = (0.5, 1, 0)')}
      ${node('p', 'ND_geompropvalue_color3', 'string inputs:geomprop = "Cd"')}`;
    const body = material('color3f inputs:base_color.connect = </M/n.outputs:out>', nodes).replace(
      'texCoord2f[] primvars:st = [(0,0)]',
      'color3f[] primvars:Cd = [(0.5, 0.25, 0)]',
    );
    const { scene, codes } = await importText(body);
    expect(scene.materials[0]).toMatchObject({ usesVertexColors: true, baseColor: [0.5, 1, 0, 1] });
    expect([...(await scene.meshes[0].primitives[0].read()).colors!.data]).toEqual([0.5, 0.25, 0]);
    expect(codes()).toEqual([]);
  });
});

describe('constants are computed', () => {
  it.each([
    ['ND_constant_color3', 'color3f inputs:value = (1, 0.5, 0.25)', [1, 0.5, 0.25]],
    ['ND_add_color3', 'color3f inputs:in1 = (0.5, 0, 0)\ncolor3f inputs:in2 = (0, 0.25, 0)', [0.5, 0.25, 0]],
    ['ND_power_color3FA', 'color3f inputs:in1 = (0.5, 1, 0)\nfloat inputs:in2 = 2', [0.25, 1, 0]],
    ['ND_modulo_color3FA', 'color3f inputs:in1 = (1.25, 0.5, -0.25)\nfloat inputs:in2 = 1', [0.25, 0.5, 0.75]],
    ['ND_min_color3FA', 'color3f inputs:in1 = (0.25, 0.5, 1)\nfloat inputs:in2 = 0.5', [0.25, 0.5, 0.5]],
    ['ND_absval_color3', 'color3f inputs:in = (-0.5, 0.5, 0)', [0.5, 0.5, 0]],
    ['ND_floor_color3', 'color3f inputs:in = (0.5, 1.5, 0)', [0, 1, 0]],
    ['ND_clamp_color3', 'color3f inputs:in = (-1, 0.5, 2)', [0, 0.5, 1]],
    ['ND_smoothstep_color3', 'color3f inputs:in = (0, 0.5, 1)', [0, 0.5, 1]],
    ['ND_combine3_color3', 'float inputs:in1 = 0.25\nfloat inputs:in3 = 1', [0.25, 0, 1]],
    ['ND_convert_float_color3', 'float inputs:in = 0.5', [0.5, 0.5, 0.5]],
    ['ND_convert_color4_color3', 'color4f inputs:in = (0.5, 0.25, 1, 0)', [0.5, 0.25, 1]],
    ['ND_luminance_color3', 'color3f inputs:in = (0, 1, 0)', [0.674082, 0.674082, 0.674082]],
    ['ND_saturate_color3', 'color3f inputs:in = (0, 1, 0)\nfloat inputs:amount = 0', [0.674082, 0.674082, 0.674082]],
    ['ND_normalize_vector3', 'float3 inputs:in = (3, 0, 4)', [0.6, 0, 0.8]],
    ['ND_crossproduct_vector3', 'float3 inputs:in1 = (1, 0, 0)\nfloat3 inputs:in2 = (0, 1, 0)', [0, 0, 1]],
    ['ND_rgbtohsv_color3', 'color3f inputs:in = (0, 0.5, 0)', [0.333333, 1, 0.5]],
    ['ND_hsvtorgb_color3', 'color3f inputs:in = (0.6666667, 1, 1)', [0, 0, 1]],
    ['ND_hsvadjust_color3', 'color3f inputs:in = (1, 0, 0)\nfloat3 inputs:amount = (0.5, 1, 0.5)', [0, 0.5, 0.5]],
    ['ND_screen_color3', 'color3f inputs:fg = (0.5, 0, 1)\ncolor3f inputs:bg = (0.5, 0.25, 0)', [0.75, 0.25, 1]],
    ['ND_minus_color3', 'color3f inputs:fg = (0.25, 0, 0)\ncolor3f inputs:bg = (1, 0.5, 0)', [0.75, 0.5, 0]],
    ['ND_difference_color3', 'color3f inputs:fg = (1, 0, 0)\ncolor3f inputs:bg = (0.25, 0.5, 0)', [0.75, 0.5, 0]],
    ['ND_swizzle_color3_color3', 'color3f inputs:in = (0.25, 0.5, 1)\nstring inputs:channels = "bg1"', [1, 0.5, 1]],
    [
      'ND_ifequal_color3',
      'float inputs:value1 = 1\ncolor3f inputs:in1 = (1, 0, 0)\ncolor3f inputs:in2 = (0, 1, 0)',
      [0, 1, 0],
    ],
  ])('%s %j', async (id, inputs, factor) => {
    expect(await base(node('n', id, inputs))).toMatchObject({ factor, use: undefined, codes: [] });
  });

  it('along chains and through graphs with interfaces', async () => {
    const graph = `def NodeGraph "G" {
        float inputs:gain = 0.5
        color3f outputs:o.connect = </M/G/n.outputs:out>
        ${node('n', 'ND_multiply_color3FA', 'color3f inputs:in1 = (1, 0.5, 0)\nfloat inputs:in2.connect = </M/G.inputs:gain>')}
      }`;
    expect(await base(graph, 'G', 'o')).toMatchObject({ factor: [0.5, 0.25, 0], codes: [] });
  });

  it('a numeric result that is not finite is none', async () => {
    const { factor, codes } = await base(node('n', 'ND_sqrt_float', 'float inputs:in = -1'));
    expect([factor, codes]).toEqual([[-1, -1, -1], ['UC1960']]);
  });
});

describe('what is procedural', () => {
  const NOISE = node('noise', 'ND_noise2d_float');

  it('gives the first colour that it passes on, once a material and input', async () => {
    const nodes = `${node('n', 'ND_mix_color3', 'color3f inputs:fg = (1, 0.5, 0)\ncolor3f inputs:bg = (0, 0, 1)\nfloat inputs:mix.connect = </M/noise.outputs:out>')}\n${NOISE}`;
    const { factor, codes, said } = await base(nodes);
    expect([factor, codes]).toEqual([[1, 0.5, 0], ['UC1960']]);
    expect(said).toBe('computed by ND_noise2d_float (/M/noise); 1, 0.5, 0 is used');
  });

  it('prefers an image to a constant', async () => {
    const nodes = `${node('n', 'ND_mix_color3', 'color3f inputs:fg = (1, 0.5, 0)\ncolor3f inputs:bg.connect = </M/i.outputs:out>\nfloat inputs:mix.connect = </M/noise.outputs:out>')}\n${NOISE}\n${image()}`;
    expect(await base(nodes)).toMatchObject({ factor: [1, 1, 1], use: { image: 0 }, codes: ['UC1960'] });
  });

  it('keeps what is done to the nearest afterwards', async () => {
    const nodes = `${node('n', 'ND_multiply_color3FA', 'color3f inputs:in1.connect = </M/p.outputs:out>\nfloat inputs:in2 = 0.5')}
      ${node('p', 'ND_power_color3FA', 'color3f inputs:in1.connect = </M/i.outputs:out>\nfloat inputs:in2 = 2')}\n${image()}`;
    expect(await base(nodes)).toMatchObject({ factor: [0.5, 0.5, 0.5], use: { image: 0 }, codes: ['UC1960'] });
  });

  it('images multiplied by images leave the first', async () => {
    const nodes = `${node('n', 'ND_multiply_color3', 'color3f inputs:in1.connect = </M/i.outputs:out>\ncolor3f inputs:in2.connect = </M/j.outputs:out>')}
      ${image()}\n${image('j', 'color3', '', DATA)}`;
    expect(await base(nodes)).toMatchObject({ use: { image: 0 }, codes: ['UC1960'] });
  });

  it('noise alone leaves the fallback of the surface', async () => {
    const { surface, codes, list } = await read(
      material('float inputs:specular_roughness.connect = </M/noise.outputs:out>', NOISE),
    );
    expect([surface.roughness, codes]).toEqual([0.2, ['UC1960']]);
    expect(list[0].message).toBe('computed by ND_noise2d_float (/M/noise); 0.2 is used');
  });

  it('branches that are not taken count for nothing', async () => {
    const nodes = `${node('n', 'ND_switch_color3', 'color3f inputs:in1 = (1, 0, 0)\ncolor3f inputs:in2.connect = </M/c.outputs:out>\nfloat inputs:which = 0')}
      ${node('c', 'ND_checkerboard_color3')}`;
    expect(await base(nodes)).toMatchObject({ factor: [1, 0, 0], codes: [] });
  });

  it('networks in a circle end', async () => {
    const nodes = `${node('n', 'ND_add_color3', 'color3f inputs:in1.connect = </M/o.outputs:out>')}
      ${node('o', 'ND_dot_color3', 'color3f inputs:in.connect = </M/n.outputs:out>')}`;
    expect((await base(nodes)).codes).toEqual(['UC1960']);
  });

  it('deep and shared networks are visited once', async () => {
    const depth = 3_000;
    const nodes = Array.from({ length: depth }, (_, i) =>
      node(
        `d${i}`,
        'ND_add_color3',
        `color3f inputs:in1.connect = </M/d${i + 1}.outputs:out>\ncolor3f inputs:in2.connect = </M/d${i + 1}.outputs:out>`,
      ),
    );
    nodes.push(node(`d${depth}`, 'ND_constant_color3', 'color3f inputs:value = (0, 0, 0)'));
    expect(await base(nodes.join('\n'), 'd0')).toMatchObject({ factor: [0, 0, 0], codes: [] });
  });
});

describe('normal maps', () => {
  const normal = async (nodes: string, from = 'n', id?: string) => {
    const { surface, codes } = await read(
      material(
        `float3 inputs:normal.connect = </M/${from}.outputs:out>`,
        `${nodes}\n${image('i', 'vector3', '', DATA)}`,
        id,
      ),
    );
    const { scale, bias, channel, colorSpace } = surface.textures.normal ?? {};
    return { scale, bias, channel, colorSpace, strength: surface.normalScale, codes };
  };
  const IN = 'float3 inputs:in.connect = </M/i.outputs:out>';

  it('normalmap: encoded texels and a strength', async () => {
    expect(await normal(node('n', 'ND_normalmap', IN))).toEqual({
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      channel: 'rgb',
      colorSpace: 'linear',
      strength: 1,
      codes: [],
    });
    expect(await normal(node('n', 'ND_normalmap_float', `${IN}\nfloat inputs:scale = 0.5`))).toMatchObject({
      strength: 0.5,
    });
    expect(await normal(node('n', 'ND_normalmap_float', `${IN}\nfloat inputs:scale = 0`))).toMatchObject({
      strength: 0,
    });
  });

  it('scales of x and y that differ, and axes that are turned over', async () => {
    // n · (2, 1): strength 2, y halved: t / 2 + 1 / 4
    const both = await normal(node('n', 'ND_normalmap_vector2', `${IN}\nfloat2 inputs:scale = (2, 1)`));
    expect(both).toMatchObject({ strength: 2, scale: [1, 0.5, 1, 1], bias: [0, 0.25, 0, 0] });
    const green = await normal(node('n', 'ND_normalmap_vector2', `${IN}\nfloat2 inputs:scale = (1, -1)`));
    expect(green).toMatchObject({ strength: 1, scale: [1, -1, 1, 1], bias: [0, 1, 0, 0] });
  });

  it('of another space, or made from heights, are left out', async () => {
    const object = await normal(node('n', 'ND_normalmap', `${IN}\nstring inputs:space = "object"`));
    expect(object.codes).toEqual(['UC1960']);
    const bump = await normal(node('n', 'ND_bump_vector3', 'float inputs:height.connect = </M/i.outputs:out>'));
    expect(bump).toMatchObject({ scale: undefined, strength: 1, codes: ['UC1960'] });
  });

  it('gltf_normalmap, OpenPBR, and an image without a node between', async () => {
    expect(await normal(node('n', 'ND_gltf_normalmap_vector3_1_0', DATA))).toMatchObject({
      channel: 'rgb',
      strength: 1,
      codes: [],
    });
    const open = await read(
      material(
        'float3 inputs:geometry_normal.connect = </M/n.outputs:out>',
        `${node('n', 'ND_normalmap_float', IN)}\n${image('i', 'vector3', '', DATA)}`,
        'ND_open_pbr_surface_surfaceshader',
      ),
    );
    expect(open.surface.textures.normal?.channel).toBe('rgb');
    expect(await normal('', 'i')).toMatchObject({ scale: [1, 1, 1, 1], codes: ['UC1911'] });
  });

  it('UsdPreviewSurface with a normalmap node', async () => {
    expect(await normal(node('n', 'ND_normalmap', IN), 'n', 'ND_UsdPreviewSurface_surfaceshader')).toMatchObject({
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      codes: [],
    });
  });
});
