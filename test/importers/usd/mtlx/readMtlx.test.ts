import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mtlx, read } from './layerText.ts';

const GOLD = `
  <gltf_pbr name="Shiny" type="surfaceshader">
    <input name="metallic" type="float" value="1"/>
  </gltf_pbr>
  <surfacematerial name="Gold" type="material" doc="shiny">
    <input name="surfaceshader" type="surfaceshader" nodename="Shiny"/>
  </surfacematerial>`;

/** A surface of few inputs, so that a test can state all of it. */
const UNLIT = (inputs: string) => `
  <surface_unlit name="S" type="surfaceshader">${inputs}</surface_unlit>
  <surfacematerial name="M" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="S"/>
  </surfacematerial>`;

describe('MaterialX materials as OpenUSD reads them', () => {
  it('are Materials whose shader references the shared one, with every input on the material', () => {
    expect(read(mtlx(UNLIT('<input name="emission" type="float" value="0.5"/>'))).lines).toEqual([
      'def MaterialX',
      '  def Materials',
      '    def Material M',
      '      string config:mtlx:version = "1.38"',
      '      float inputs:emission = 0.5',
      '      color3f inputs:emission_color',
      '      float inputs:transmission',
      '      color3f inputs:transmission_color',
      '      float inputs:opacity',
      '      token outputs:mtlx:surface <- /MaterialX/Materials/M/S.outputs:surface',
      '      def Shader S references </MaterialX/Shaders/S>',
      '        float inputs:emission <- /MaterialX/Materials/M.inputs:emission',
      '        color3f inputs:emission_color <- /MaterialX/Materials/M.inputs:emission_color',
      '        float inputs:transmission <- /MaterialX/Materials/M.inputs:transmission',
      '        color3f inputs:transmission_color <- /MaterialX/Materials/M.inputs:transmission_color',
      '        float inputs:opacity <- /MaterialX/Materials/M.inputs:opacity',
      '  def Shaders',
      '    def Shader S',
      '      token info:id = "ND_surface_unlit"',
      '      token outputs:surface',
    ]);
  });

  it('the layer names its root, its colour space and its version', () => {
    const { layer } = read(mtlx(GOLD, 'colorspace="acescg" cms="ocio"'));
    const root = layer.specs.get('/')!;
    expect(root.get('defaultPrim')?.value).toBe('MaterialX');
    expect(root.get('colorManagementSystem')?.value).toBe('ocio');
    expect(root.get('customLayerData')?.value).toEqual(
      new Map([['colorSpace', { type: 'String', array: false, value: 'acescg' }]]),
    );
    expect([layer.format, layer.version, layer.identifier]).toEqual(['mtlx', '1.38', '/scene/looks.mtlx']);
    expect(layer.specs.get('/MaterialX/Materials/Gold')?.get('documentation')?.value).toBe('shiny');
    const schemas = layer.specs.get('/MaterialX/Materials/Gold')?.get('apiSchemas')?.value;
    expect(schemas).toMatchObject({ isExplicit: false, prepended: ['MaterialXConfigAPI'] });
  });

  it('share one shader, each with its own reference to it', () => {
    const { layer } = read(
      mtlx(`${GOLD}<surfacematerial name="Other" type="material">
        <input name="surfaceshader" type="surfaceshader" nodename="Shiny"/></surfacematerial>`),
    );
    expect(layer.specs.get('/MaterialX/Shaders')?.get('primChildren')?.value).toEqual(['Shiny']);
    for (const name of ['Gold', 'Other']) {
      expect(layer.specs.get(`/MaterialX/Materials/${name}/Shiny`)?.get('references')?.value).toMatchObject({
        prepended: [{ assetPath: '', primPath: '/MaterialX/Shaders/Shiny' }],
      });
    }
  });

  it('displacement and volume have outputs of their own; inheriting materials specialize', () => {
    const { lines, said } = read(
      mtlx(`
        <displacement name="D" type="displacementshader"><input name="displacement" type="float" value="1"/></displacement>
        <surfacematerial name="A" type="material">
          <input name="displacementshader" type="displacementshader" nodename="D"/>
        </surfacematerial>
        <surfacematerial name="B" type="material" inherit="A"/>
        <surfacematerial name="C" type="material" inherit="Z"/>`),
    );
    expect(lines).toContain('      token outputs:mtlx:displacement <- /MaterialX/Materials/A/D.outputs:displacement');
    expect(lines).toContain('      token info:id = "ND_displacement_float"');
    expect(lines).toContain('    def Material B specializes </MaterialX/Materials/A>');
    expect(said).toEqual(["UC1954 /C line 9: there is no material 'Z'"]);
  });

  it('a document without any is an empty layer', () => {
    const { layer, lines } = read('<materialx version="1.39"/>');
    expect(lines).toEqual([]);
    expect([...layer.specs.keys()]).toEqual(['/']);
  });
});

describe('nodes', () => {
  it('of the top level stand in NodeGraphs, which the material references', () => {
    const { at, said } = read(
      mtlx(`
        <constant name="red" type="color3"><input name="value" type="color3" value="1, 0, 0"/></constant>
        <multiply name="half" type="color3">
          <input name="in1" type="color3" nodename="red"/>
          <input name="in2" type="float" value="0.5"/>
        </multiply>
        ${UNLIT('<input name="emission_color" type="color3" nodename="half"/>')}`),
    );
    expect(at('/MaterialX/NodeGraphs')).toEqual([
      'def NodeGraphs',
      '  def Shader red',
      '    token info:id = "ND_constant_color3"',
      '    color3f inputs:value = (1, 0, 0)',
      '    color3f outputs:out',
      '  def Shader half',
      '    token info:id = "ND_multiply_color3FA"',
      '    color3f inputs:in1 <- /MaterialX/NodeGraphs/red.outputs:out',
      '    float inputs:in2 = 0.5',
      '    color3f outputs:out',
    ]);
    expect(at('/MaterialX/Materials/M/NodeGraphs')).toEqual(['def NodeGraphs references </MaterialX/NodeGraphs>']);
    expect(at('/MaterialX/Materials/M/S')).toContain(
      '  color3f inputs:emission_color <- /MaterialX/Materials/M/NodeGraphs/half.outputs:out',
    );
    expect(said).toEqual([]);
  });

  it('of a graph stand in it, with its interface and outputs', () => {
    const { at, said } = read(
      mtlx(`
        <nodegraph name="G">
          <input name="gain" type="float" value="0.25"/>
          <image name="wood" type="color3">
            <input name="file" type="filename" value="wood.png" colorspace="srgb_texture"/>
          </image>
          <multiply name="dark" type="color3">
            <input name="in1" type="color3" nodename="wood"/>
            <input name="in2" type="float" interfacename="gain"/>
          </multiply>
          <artistic_ior name="ior" type="multioutput"/>
          <dot name="k" type="color3"><input name="in" type="color3" nodename="ior" output="extinction"/></dot>
          <output name="color" type="color3" nodename="dark"/>
        </nodegraph>
        ${UNLIT('<input name="emission_color" type="color3" nodegraph="G" output="color"/>')}`),
    );
    expect(at('/MaterialX/NodeGraphs')).toEqual([
      'def NodeGraphs',
      '  def NodeGraph G',
      '    float inputs:gain = 0.25',
      '    color3f outputs:color <- /MaterialX/NodeGraphs/G/dark.outputs:out',
      '    def Shader wood',
      '      token info:id = "ND_image_color3"',
      '      asset inputs:file = @wood.png@ colorSpace=srgb_texture',
      '      color3f outputs:out',
      '    def Shader dark',
      '      token info:id = "ND_multiply_color3FA"',
      '      color3f inputs:in1 <- /MaterialX/NodeGraphs/G/wood.outputs:out',
      '      float inputs:in2 <- /MaterialX/NodeGraphs/G.inputs:gain',
      '      color3f outputs:out',
      '    def Shader ior',
      '      token info:id = "ND_artistic_ior"',
      '      color3f outputs:ior',
      '      color3f outputs:extinction',
      '    def Shader k',
      '      token info:id = "ND_dot_color3"',
      '      color3f inputs:in <- /MaterialX/NodeGraphs/G/ior.outputs:extinction',
      '      color3f outputs:out',
    ]);
    expect(at('/MaterialX/Materials/M/G')).toEqual(['def G references </MaterialX/NodeGraphs/G>']);
    expect(at('/MaterialX/Materials/M/S')).toContain(
      '  color3f inputs:emission_color <- /MaterialX/Materials/M/G.outputs:color',
    );
    expect(said).toEqual([]);
  });

  it('of the document are references to the graph that implements them', () => {
    const { at, said } = read(
      mtlx(`
        <nodedef name="ND_tint" node="tint">
          <input name="amount" type="float" value="0.5"/>
          <output name="out" type="color3"/>
        </nodedef>
        <nodegraph name="NG_tint" nodedef="ND_tint">
          <convert name="grey" type="color3"><input name="in" type="float" interfacename="amount"/></convert>
          <output name="out" type="color3" nodename="grey"/>
        </nodegraph>
        <tint name="weak" type="color3"><input name="amount" type="float" value="0.125"/></tint>
        ${UNLIT('<input name="emission_color" type="color3" nodename="weak"/>')}`),
    );
    expect(at('/MaterialX/NodeGraphs')).toEqual([
      'def NodeGraphs',
      '  def NodeGraph weak references </MaterialX/NodeGraphs/ND_tint>',
      '    float inputs:amount = 0.125',
      '    color3f outputs:out',
      '  def NodeGraph ND_tint',
      '    float inputs:amount = 0.5',
      '    color3f outputs:out <- /MaterialX/NodeGraphs/ND_tint/grey.outputs:out',
      '    def Shader grey',
      '      token info:id = "ND_convert_float_color3"',
      '      float inputs:in <- /MaterialX/NodeGraphs/ND_tint.inputs:amount',
      '      color3f outputs:out',
    ]);
    expect(said).toEqual([]);
  });

  it('a graph that reads nodes outside of it comes with them', () => {
    const { at } = read(
      mtlx(`
        <constant name="c" type="float"><input name="value" type="float" value="1"/></constant>
        <nodegraph name="G">
          <input name="x" type="float" nodename="c"/>
          <dot name="d" type="float"><input name="in" type="float" interfacename="x"/></dot>
          <output name="o" type="float" nodename="d"/>
        </nodegraph>
        ${UNLIT('<input name="emission" type="float" nodegraph="G"/>')}`),
    );
    expect(at('/MaterialX/Materials/M/NodeGraphs')).toEqual(['def NodeGraphs references </MaterialX/NodeGraphs>']);
    expect(at('/MaterialX/Materials/M/S')).toContain(
      '  float inputs:emission <- /MaterialX/Materials/M/NodeGraphs/G.outputs:o',
    );
    expect(at('/MaterialX/NodeGraphs/G')).toContain('  float inputs:x <- /MaterialX/NodeGraphs/c.outputs:out');
    expect(at('/MaterialX/NodeGraphs/c')[1]).toBe('  token info:id = "ND_constant_float"');
  });

  it('a surface inside of a graph is the output of the graph', () => {
    const { at } = read(
      mtlx(`
        <nodegraph name="G">
          <surface_unlit name="u" type="surfaceshader"/>
          <output name="o" type="surfaceshader" nodename="u"/>
        </nodegraph>
        <surfacematerial name="M" type="material">
          <input name="surfaceshader" type="surfaceshader" nodegraph="G" output="o"/>
        </surfacematerial>`),
    );
    expect(at('/MaterialX/Materials/M')).toContain(
      '  token outputs:mtlx:surface <- /MaterialX/Materials/M/G.outputs:o',
    );
    expect(at('/MaterialX/NodeGraphs/G')).toEqual([
      'def NodeGraph G',
      '  token outputs:o <- /MaterialX/NodeGraphs/G/u.outputs:out',
      '  def Shader u',
      '    token info:id = "ND_surface_unlit"',
      '    token outputs:out',
    ]);
  });

  it('channels on the way into an input are a swizzle node', () => {
    const { at } = read(
      mtlx(`
        <image name="orm" type="vector3"/>
        ${UNLIT('<input name="emission" type="float" nodename="orm" channels="y"/>')}`),
    );
    expect(at('/MaterialX/Materials/M')).toContain(
      '    float inputs:emission <- /MaterialX/Materials/M/S__emission__swizzle.outputs:out',
    );
    expect(at('/MaterialX/Materials/M/S__emission__swizzle')).toEqual([
      'def Shader S__emission__swizzle',
      '  token info:id = "ND_swizzle_vector3_float"',
      '  float3 inputs:in <- /MaterialX/Materials/M/NodeGraphs/orm.outputs:out',
      '  string inputs:channels = "y"',
      '  float outputs:out',
    ]);
  });

  it('what they name and what no document has is said', () => {
    const { said } = read(
      mtlx(`
        <dot name="a" type="float"><input name="in" type="float" nodename="gone"/></dot>
        <nothing name="b" type="float"/>
        <multiply name="c" type="color3"><input name="in3" type="color3" value="1,1,1"/></multiply>
        <nodegraph name="G">
          <dot name="d" type="float"><input name="in" type="float" interfacename="gone"/></dot>
          <output name="o" type="float" nodename="d"/>
        </nodegraph>
        <add name="e" type="float">
          <input name="in1" type="float" nodegraph="G" output="o"/>
          <input name="in2" type="float" nodegraph="G2"/>
        </add>
        ${UNLIT('<input name="emission" type="float" nodename="e"/><input name="opacity" type="float" nodename="b"/>')}`),
    );
    expect(said).toEqual([
      "UC1954 /a/in line 4: there is no node 'gone'",
      "UC1955 /b line 5: no definition of <nothing> has the output type 'float'",
      'UC1955 /c line 6: no definition of <multiply> has these inputs; ND_multiply_color3 is used',
      "UC1954 /e/in2 line 13: there is no node graph 'G2'",
      "UC1954 /G/d/in line 8: there is no interface input 'gone'",
    ]);
  });
});

describe('which definition a node uses', () => {
  const id = (node: string, attributes = '') => {
    const { layer } = read(
      mtlx(
        `${node}\n<nodegraph name="g"><output name="o" type="float"/></nodegraph>
      ${UNLIT('<input name="opacity" type="float" nodename="n"/>')}`,
        attributes,
      ),
    );
    return layer.specs.get('/MaterialX/NodeGraphs/n.info:id')?.get('default')?.value;
  };
  it.each([
    ['<image name="n" type="vector3"/>', 'ND_image_vector3'],
    ['<tiledimage name="n" type="color4"/>', 'ND_tiledimage_color4'],
    ['<gltf_image name="n" type="color3"/>', 'ND_gltf_image_color3_color3_1_0'],
    ['<normalmap name="n" type="vector3"><input name="scale" type="float"/></normalmap>', 'ND_normalmap_float'],
    [
      '<normalmap name="n" type="vector3"><input name="space" type="string" value="tangent"/></normalmap>',
      'ND_normalmap',
    ],
    ['<convert name="n" type="color3"><input name="in" type="vector3"/></convert>', 'ND_convert_vector3_color3'],
    ['<extract name="n" type="float"><input name="in" type="color4"/></extract>', 'ND_extract_color4'],
    ['<swizzle name="n" type="float"><input name="in" type="color3"/></swizzle>', 'ND_swizzle_color3_float'],
    ['<combine2 name="n" type="color4"><input name="in1" type="color3"/></combine2>', 'ND_combine2_color4CF'],
    ['<mix name="n" type="color3"><input name="mix" type="color3"/></mix>', 'ND_mix_color3_color3'],
    ['<separate3 name="n" type="multioutput"><input name="in" type="color3"/></separate3>', 'ND_separate3_color3'],
    ['<UsdUVTexture name="n" type="multioutput"/>', 'ND_UsdUVTexture_23'],
    ['<UsdUVTexture name="n" type="multioutput" version="2.2"/>', 'ND_UsdUVTexture'],
    ['<UsdPrimvarReader name="n" type="vector2"/>', 'ND_UsdPrimvarReader_vector2'],
    ['<image name="n" type="float" nodedef="ND_image_color3"/>', 'ND_image_color3'],
    ['<and name="n" type="boolean"/>', 'ND_logical_and'],
  ])('%s: %s', (node, expected) => {
    expect(id(node)).toBe(expected);
  });

  it('of the same name, by version: the default one unless a version is asked for', () => {
    const defs = `
      <nodedef name="ND_p1" node="p" version="1.0"><output name="out" type="float"/></nodedef>
      <nodedef name="ND_p2" node="p" version="2.0" isdefaultversion="true"><output name="out" type="float"/></nodedef>`;
    expect(id(`${defs}<p name="n" type="float"/>`)).toBe('ND_p2');
    expect(id(`${defs}<p name="n" type="float" version="1.0"/>`)).toBe('ND_p1');
  });

  it('inherited inputs count', () => {
    const defs = `
      <nodedef name="ND_base" node="base"><input name="x" type="float"/><output name="out" type="float"/></nodedef>
      <nodedef name="ND_p" node="p" inherit="ND_base"/>
      <nodedef name="ND_q" node="q" inherit="ND_q"><output name="out" type="float"/></nodedef>`;
    expect(id(`${defs}<p name="n" type="float"><input name="x" type="float" value="1"/></p>`)).toBe('ND_p');
    expect(id(`${defs}<q name="n" type="float"/>`)).toBe('ND_q');
  });
});

describe('values', () => {
  const line = (input: string, attributes = '') => {
    const { at, said } = read(
      mtlx(
        `<x name="n" type="float">${input}</x>${UNLIT('<input name="opacity" type="float" nodename="n"/>')}`,
        attributes,
      ),
    );
    const written = at('/MaterialX/NodeGraphs/n').filter((text) => text.includes('inputs:'));
    return [...written.map((text) => text.trim()), ...said.filter((text) => !text.startsWith('UC1955'))];
  };
  it.each([
    ['type="boolean" value="true"', 'bool inputs:v = true'],
    ['type="integer" value="-3"', 'int inputs:v = -3'],
    ['type="float" value=" 1.5e-1 "', 'float inputs:v = 0.15'],
    ['type="color3" value="0.5, 0.25,1"', 'color3f inputs:v = (0.5, 0.25, 1)'],
    ['type="color4" value="1 0 0 1"', 'color4f inputs:v = (1, 0, 0, 1)'],
    ['type="vector2" value="2, 3"', 'float2 inputs:v = (2, 3)'],
    ['type="matrix33" value="1,2,3, 4,5,6, 7,8,9"', 'matrix3d inputs:v = (1, 2, 3, 4, 5, 6, 7, 8, 9)'],
    ['type="string" value="a, b"', 'string inputs:v = "a, b"'],
    ['type="filename" value="a.png"', 'asset inputs:v = @a.png@'],
    ['type="floatarray" value="1, 2, 3"', 'float[] inputs:v = (1, 2, 3)'],
    ['type="stringarray" value="a, b"', 'string[] inputs:v = ["a","b"]'],
    ['type="custom" value="7"', 'token inputs:v renderType=custom'],
    ['type="float" value=""', 'float inputs:v'],
  ])('%s: %s', (attributes, expected) => {
    expect(line(`<input name="v" ${attributes}/>`)).toEqual([expected]);
  });

  it.each([
    ['type="float" value="soft"', 'float inputs:v'],
    ['type="integer" value="1.5"', 'int inputs:v'],
    ['type="color3" value="1, 2"', 'color3f inputs:v'],
    ['type="boolean" value="maybe"', 'bool inputs:v'],
    ['type="color3array" value="1, 2"', 'color3f[] inputs:v'],
  ])('%s is none, with a warning', (attributes, expected) => {
    const [written, said] = line(`<input name="v" ${attributes}/>`);
    expect(written).toBe(expected);
    expect(said).toMatch(/^UC1957 \/n\/v line 3: .* is not a value of type/);
  });

  it('files have the prefix of the nearest element that has one', () => {
    const file = '<input name="v" type="filename" value="a.png"/>';
    expect(line(file, 'fileprefix="tex/"')).toEqual(['asset inputs:v = @tex/a.png@']);
    expect(line(file.replace('/>', ' fileprefix="own/"/>'), 'fileprefix="tex/"')).toEqual([
      'asset inputs:v = @own/a.png@',
    ]);
  });

  it('colours have the colour space where it is not that of the document', () => {
    const color = '<input name="v" type="color3" value="1,1,1" colorspace="srgb_texture"/>';
    const white = 'color3f inputs:v = (1, 1, 1)';
    expect(line(color, 'colorspace="lin_rec709"')).toEqual([`${white} colorSpace=srgb_texture`]);
    expect(line(color, 'colorspace="srgb_texture"')).toEqual([white]);
    expect(line('<input name="v" type="float" value="1" colorspace="srgb_texture"/>')).toEqual(['float inputs:v = 1']);
  });
});

describe('names', () => {
  it('of namespaces are joined by two underscores; what USD cannot hold becomes one', () => {
    const { layer, said } = read(
      mtlx(`<constant name="lib:a.b c" type="float"/><constant name="3d" type="float"/>
        ${UNLIT('<input name="opacity" type="float" nodename="lib:a.b c"/><input name="emission" type="float" nodename="3d"/>')}`),
    );
    expect(layer.specs.get('/MaterialX/NodeGraphs')?.get('primChildren')?.value).toEqual(['lib__a_b_c', '_3d']);
    expect(said).toEqual([]);
  });

  it('that are taken leave the first in place', () => {
    const { lines, said } = read(
      mtlx(
        `${UNLIT('')}<surface_unlit name="S" type="surfaceshader"><input name="opacity" type="float" value="0"/></surface_unlit>`,
      ),
    );
    expect(lines).toContain('      float inputs:opacity');
    expect(said).toEqual(["UC1952 /S line 7: 'S' exists already; the first is used"]);
  });
});

describe('what is not read', () => {
  it('is said once a kind', () => {
    const { said } = read(
      mtlx(`${UNLIT('<input name="opacity" type="float" value="1" valuecurve="1,2" valuerange="1,2"/>')}
        <collection name="c"/><look name="l"/><look name="l2"/><typedef name="t"/><unittypedef name="u"/>`),
    );
    expect(said).toEqual([
      'UC1958 /S/opacity line 4: the animated value is left out',
      'UC1956 /c line 8: collections: 1 element is not read',
      'UC1956 /l line 8: looks: 2 elements are not read',
    ]);
  });
});

const ASSET = resolve(
  import.meta.dirname,
  '../../../../../shared/assets/usd/usdwg-tests/TextureCoordinateTest/TextureCoordinateTest.mtlx',
);

describe.skipIf(!existsSync(ASSET))('a document of the USD working group', () => {
  it('has its five materials, four of them with the texture', () => {
    const { layer, said } = read(readFileSync(ASSET));
    expect(layer.specs.get('/MaterialX/Materials')?.get('primChildren')?.value).toEqual([
      'BackPlaneMat',
      'BottomLeftMat',
      'BottomRightMat',
      'TopLeftMat',
      'TopRightMat',
    ]);
    const graph = '/MaterialX/NodeGraphs/TextureCoordinateTemplate_NodeGraph';
    expect(layer.specs.get(`${graph}/TextureCoordinateTemplate_Image.inputs:file`)?.get('default')).toEqual({
      type: 'AssetPath',
      array: false,
      value: 'TextureCoordinateTemplate.png',
    });
    const color = layer.specs.get('/MaterialX/Materials/TopLeftMat/TopLeftMat_Surface.inputs:base_color');
    expect(color?.get('connectionPaths')?.value).toMatchObject({
      explicit: ['/MaterialX/Materials/TopLeftMat/TextureCoordinateTemplate_NodeGraph.outputs:base_color_output'],
    });
    expect(said).toEqual([]);
  });
});
