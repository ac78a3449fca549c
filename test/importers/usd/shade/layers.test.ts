import { describe, expect, it } from 'vitest';
import { Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { memoryFiles } from '../../../../src/importers/files.ts';
import { importUsd } from '../../../../src/importers/usd/index.ts';
import { writeUsdz } from '../../usdz/usdzWriter.ts';
import { quad, SOURCE, usda } from '../importText.ts';

const text = (value: string) => new TextEncoder().encode(value);

/** Imports a scene whose other layers, documents and images are files below /scene. */
async function open(body: string, files: Record<string, string>) {
  const diagnostics = new Diagnostics();
  const bytes = Object.entries(files).map(([name, content]) => [
    `/scene/${name}`,
    name.endsWith('.usda') ? usda(content) : text(content),
  ]);
  const context = { files: memoryFiles(Object.fromEntries(bytes), '/scene'), diagnostics, options: {} };
  const scene = await importUsd(SOURCE, memoryContent(usda(body)), context);
  return { scene, codes: diagnostics.list.map((d) => d.code), files: scene.images.map((image) => image.file) };
}

const MESH = quad('m', 'rel material:binding = </Look>\ntexCoord2f[] primvars:st = [(0,0)]');
const reference = (file: string, prim: string, body = '') =>
  `${MESH}\ndef "Look" ( prepend references = @${file}@<${prim}> ) {\n${body}\n}`;

const LOOK = `def Material "Wood" {
    asset inputs:image = @tex/wood.png@
    float inputs:rough = 0.75
    token inputs:frame:stPrimvarName = "st"
    token outputs:surface.connect = </Wood/S.outputs:surface>
    def Shader "S" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </Wood/G.outputs:color>
      float inputs:roughness.connect = </Wood.inputs:rough>
      token outputs:surface
    }
    def NodeGraph "G" {
      asset inputs:file.connect = </Wood.inputs:image>
      color3f outputs:color.connect = </Wood/G/t.outputs:rgb>
      def Shader "t" {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file.connect = </Wood/G.inputs:file>
        token inputs:wrapS = "repeat"
        token inputs:wrapT = "repeat"
        float2 inputs:st.connect = </Wood/G/r.outputs:result>
        float3 outputs:rgb
      }
      def Shader "r" {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname.connect = </Wood.inputs:frame:stPrimvarName>
        float2 outputs:result
      }
    }
  }`;

describe('materials of other layers', () => {
  it('have their images beside the layer that names them', async () => {
    const { scene, files, codes } = await open(reference('looks/wood.usda', '/Wood'), { 'looks/wood.usda': LOOK });
    expect(files).toEqual(['/scene/looks/tex/wood.png']);
    expect(scene.materials[0]).toMatchObject({ path: '/Look', roughness: 0.75 });
    expect(scene.materials[0].textures.baseColor).toMatchObject({ uvSet: 'st', channel: 'rgb' });
    expect(codes).toEqual([]);
  });

  it('have the values, and the images, of the layer that overrides their interface', async () => {
    const body = 'asset inputs:image = @tex/oak.png@\nfloat inputs:rough = 0.25';
    const { scene, files } = await open(reference('looks/wood.usda', '/Wood', body), { 'looks/wood.usda': LOOK });
    expect(files).toEqual(['/scene/tex/oak.png']);
    expect(scene.materials[0].roughness).toBe(0.25);
  });

  it('are bound across a reference by paths that it maps', async () => {
    const house = `def Xform "House" {\n${quad('wall', 'rel material:binding = </House/Looks/Wood>')}\ndef Scope "Looks" {\n${LOOK.replaceAll('</Wood', '</House/Looks/Wood')}\n}\n}`;
    const { scene } = await open('def "A" ( prepend references = @house.usda@</House> ) {\n}', { 'house.usda': house });
    expect(scene.materials.map((material) => material.path)).toEqual(['/A/Looks/Wood']);
  });

  it('a stronger layer binds instead, and more strongly', async () => {
    const house = `def Xform "House" {\n${quad('wall', 'rel material:binding = </House/Old>')}\ndef Material "Old" {\n}\n}`;
    const body = (strength: string) =>
      `def Xform "A" ( prepend references = @house.usda@</House> ) {\nrel material:binding = </New>${strength}\n}\ndef Material "New" {\n}`;
    const weak = await open(body(''), { 'house.usda': house });
    expect(weak.scene.materials.map((material) => material.path)).toEqual(['/A/Old']);
    const strong = await open(body(' ( bindMaterialAs = "strongerThanDescendants" )'), { 'house.usda': house });
    expect(strong.scene.materials.map((material) => material.path)).toEqual(['/New']);
  });

  it('collections of a referenced layer hold its prims', async () => {
    const house = `def Xform "House" {
      rel collection:all:includes = </House/walls>
      rel material:binding:collection:all = [</House.collection:all>, </House/Red>]
      def Xform "walls" {\n${quad('wall')}\n}
      def Material "Red" {\n}
    }`;
    const { scene } = await open('def "A" ( prepend references = @house.usda@</House> ) {\n}', { 'house.usda': house });
    expect(scene.materials.map((material) => material.path)).toEqual(['/A/Red']);
  });
});

const MTLX = `<?xml version="1.0"?>
  <materialx version="1.38" colorspace="lin_rec709" fileprefix="tex/">
    <nodegraph name="NG">
      <input name="gain" type="float" value="0.5"/>
      <tiledimage name="wood" type="color3">
        <input name="file" type="filename" value="wood.png" colorspace="srgb_texture"/>
        <input name="uvtiling" type="vector2" value="2, 3"/>
      </tiledimage>
      <multiply name="dark" type="color3">
        <input name="in1" type="color3" nodename="wood"/>
        <input name="in2" type="float" interfacename="gain"/>
      </multiply>
      <output name="color" type="color3" nodename="dark"/>
    </nodegraph>
    <constant name="shine" type="float"><input name="value" type="float" value="0.125"/></constant>
    <standard_surface name="S" type="surfaceshader">
      <input name="base_color" type="color3" nodegraph="NG" output="color"/>
      <input name="specular_roughness" type="float" nodename="shine"/>
      <input name="metalness" type="float" value="0.25"/>
    </standard_surface>
    <surfacematerial name="Wood" type="material">
      <input name="surfaceshader" type="surfaceshader" nodename="S"/>
    </surfacematerial>
  </materialx>`;

describe('materials of MaterialX documents', () => {
  const WOOD = {
    baseColor: [0.5, 0.5, 0.5, 1],
    metallic: 0.25,
    roughness: 0.125,
    textures: { baseColor: { uvSet: 'st', transform: [2, 0, 0, 3, 0, 0], colorSpace: 'srgb', channel: 'rgb' } },
  };

  it('compose by a reference, with their images beside the document', async () => {
    const { scene, files, codes } = await open(reference('looks/wood.mtlx', '/MaterialX/Materials/Wood'), {
      'looks/wood.mtlx': MTLX,
    });
    expect(scene.materials[0]).toMatchObject({ ...WOOD, path: '/Look' });
    expect(files).toEqual(['/scene/looks/tex/wood.png']);
    expect(codes).toEqual([]);
  });

  it('and all of them by a reference to the document', async () => {
    const body = `${MESH.replace('</Look>', '</Looks/Materials/Wood>')}\ndef "Looks" ( prepend references = @wood.mtlx@ ) {\n}`;
    const { scene, codes } = await open(body, { 'wood.mtlx': MTLX });
    expect(scene.materials[0]).toMatchObject({ ...WOOD, path: '/Looks/Materials/Wood' });
    expect(codes).toEqual([]);
  });

  it('are overridden by the layer that references them', async () => {
    const body = `float inputs:metalness = 1\nover "NG" {\nfloat inputs:gain = 1\n}`;
    const { scene } = await open(reference('wood.mtlx', '/MaterialX/Materials/Wood', body), { 'wood.mtlx': MTLX });
    expect(scene.materials[0]).toMatchObject({ metallic: 1, baseColor: [1, 1, 1, 1] });
  });

  it('with nodes of their own', async () => {
    const custom = `<materialx version="1.39">
        <nodedef name="ND_tint" node="tint">
          <input name="amount" type="float" value="0.5"/><output name="out" type="color3"/>
        </nodedef>
        <nodegraph name="NG_tint" nodedef="ND_tint">
          <multiply name="m" type="color3">
            <input name="in1" type="color3" value="1, 0.5, 0"/>
            <input name="in2" type="float" interfacename="amount"/>
          </multiply>
          <output name="out" type="color3" nodename="m"/>
        </nodegraph>
        <tint name="weak" type="color3"/>
        <tint name="strong" type="color3"><input name="amount" type="float" value="1"/></tint>
        <gltf_pbr name="A" type="surfaceshader">
          <input name="base_color" type="color3" nodename="strong"/>
          <input name="emissive" type="color3" nodename="weak"/>
        </gltf_pbr>
        <surfacematerial name="M" type="material">
          <input name="surfaceshader" type="surfaceshader" nodename="A"/>
        </surfacematerial>
      </materialx>`;
    const { scene, codes } = await open(reference('a.mtlx', '/MaterialX/Materials/M'), { 'a.mtlx': custom });
    expect(scene.materials[0]).toMatchObject({ baseColor: [1, 0.5, 0, 1], emissive: [0.5, 0.25, 0] });
    expect(codes).toEqual([]);
  });

  it('include documents beside them, and none outside of the scene', async () => {
    const includes = (href: string) => `<materialx version="1.39"><xi:include href="${href}"/></materialx>`;
    const found = await open(reference('all.mtlx', '/MaterialX/Materials/Wood'), {
      'all.mtlx': includes('lib/more.mtlx'),
      'lib/more.mtlx': includes('wood.mtlx'),
      'lib/wood.mtlx': MTLX,
    });
    expect(found.scene.materials[0]).toMatchObject(WOOD);
    const codesOf = async (href: string) => {
      try {
        await open(reference('all.mtlx', '/MaterialX/Materials/Wood'), { 'all.mtlx': includes(href) });
      } catch (error) {
        if (error instanceof SourceError) return error.message;
        throw error;
      }
      return '';
    };
    expect(await codesOf('../outside.mtlx')).toContain('UC1204');
    expect(await codesOf('/etc/passwd')).toContain('UC1205');
    expect(await codesOf('gone.mtlx')).toContain('UC1203');
  });

  it('are read from packages, with what they include and their images', async () => {
    const includes = '<materialx version="1.39"><xi:include href="lib/wood.mtlx"/></materialx>';
    const bytes = writeUsdz([
      { name: 'root.usda', bytes: usda(reference('looks/all.mtlx', '/MaterialX/Materials/Wood')) },
      { name: 'looks/all.mtlx', bytes: text(includes) },
      { name: 'looks/lib/wood.mtlx', bytes: text(MTLX) },
      { name: 'looks/tex/wood.png', bytes: text('wood') },
    ]);
    const diagnostics = new Diagnostics();
    const path = '/scene/look.usdz';
    const context = { files: memoryFiles({ [path]: bytes }, '/scene'), diagnostics, options: {} };
    const scene = await importUsd(path, memoryContent(bytes), context);
    expect(scene.materials[0]).toMatchObject(WOOD);
    // Paths of an included document are relative to the one that includes it.
    expect(scene.images[0].file).toBe('/scene/look.usdz[looks/tex/wood.png]');
    expect(new TextDecoder().decode(await scene.images[0].read())).toBe('wood');
    expect(diagnostics.list.filter((d) => d.severity !== 'info').map((d) => `${d.code} ${d.message}`)).toEqual([]);
  });

  it('that are broken are errors of the reference', async () => {
    const message = async () => {
      try {
        await open(reference('a.mtlx', '/MaterialX/Materials/M'), { 'a.mtlx': '<materialx><a></materialx>' });
      } catch (error) {
        if (error instanceof SourceError) return error.message;
      }
      return '';
    };
    expect(await message()).toMatch(/UC1950 line 1, column \d+: unexpected close tag/);
  });
});
