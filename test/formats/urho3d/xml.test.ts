// XML, materials, lists of materials and settings of textures, each as literal text.

import { describe, expect, test } from 'vitest';
import { recogniseUrho3d, validateUrho3d } from '../../../src/formats/urho3d/recognise.ts';
import { escapeXml, numbers, parseXml } from '../../../src/formats/urho3d/xml/document.ts';
import { readMaterial, writeMaterial } from '../../../src/formats/urho3d/xml/material.ts';
import { readMaterialList, writeMaterialList } from '../../../src/formats/urho3d/xml/materialList.ts';
import { type PbrMaterial, pbrMaterial, repackMetallicRoughness } from '../../../src/formats/urho3d/xml/pbr.ts';
import { writeTextureSettings } from '../../../src/formats/urho3d/xml/textureSettings.ts';
import { codesOf } from './fixtures.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (content: string) => new TextEncoder().encode(content);

/** Names that try to be more than a name. */
const WILD = "\"><script>alert('x')</script>&amp;";

describe('XML', () => {
  test('has every character escaped that means something', () => {
    expect(escapeXml(WILD)).toBe('&quot;&gt;&lt;script&gt;alert(&apos;x&apos;)&lt;/script&gt;&amp;amp;');
    expect(escapeXml('a\tb\nc\rd')).toBe('a&#9;b&#10;c&#13;d');
    // A control character, half of a pair and a sign that is none have no place in XML; a whole pair does.
    expect(escapeXml('\x01\ud83d|\uffff|\ud83d\ude00')).toBe('\ufffd\ufffd|\ufffd|\ud83d\ude00');
  });

  test('numbers have as few digits as 32 bits need', () => {
    expect(numbers([0.1, 1, -0, 1 / 3, 1e-7, 16777216])).toBe('0.1 1 0 0.33333334 1e-7 16777216');
    expect(Math.fround(Number(numbers([Math.PI])))).toBe(Math.fround(Math.PI));
    expect(() => numbers([Number.NaN])).toThrow('NaN');
    expect(() => numbers([1e39])).toThrow('1e+39');
  });

  test.each([
    ['UC3971', ''],
    ['UC3971', '<material>'],
    ['UC3971', '<material><a></material>'],
    ['UC3971', '<!DOCTYPE m [<!ENTITY a "aaaa">]><material/>'],
    ['UC3971', '<material a="&b;"/>'],
    ['UC3971', '<material/><material/>'],
    ['UC3960', '<a>'.repeat(65)],
  ])('is refused with %s: %s', (code, content) => {
    expect(codesOf(() => parseXml(bytes(content), 'x.xml'))).toEqual([code]);
  });

  test('is refused beyond its limits, and in other encodings', () => {
    expect(codesOf(() => parseXml(bytes(`<a>${'<b/>'.repeat(500_000)}</a>`), ''))).toEqual(['UC3960']);
    expect(codesOf(() => parseXml(new Uint8Array(64 * 2 ** 20 + 1), ''))).toEqual(['UC3960']);
    expect(codesOf(() => parseXml(Uint8Array.of(0xff, 0xfe, 0x3c, 0), ''))).toEqual(['UC3971']);
  });
});

const PLAIN: PbrMaterial = {
  baseColor: [1, 0.5, 0.25, 1],
  emissive: [0, 0, 0],
  roughness: 0.75,
  metallic: 0.125,
  alphaMode: 'opaque',
  doubleSided: false,
  vertexColors: false,
  textures: {},
};

describe('materials', () => {
  test('are a technique, textures, parameters and culling', () => {
    const textures = { baseColor: 'Textures/a.png', normal: 'Textures/n.png', metallicRoughness: 'Textures/r.png' };
    const material = pbrMaterial({ ...PLAIN, doubleSided: true, textures });
    const written = writeMaterial(material);
    expect(text(written)).toBe(`<?xml version="1.0"?>
<material>
	<technique name="Techniques/PBR/PBRMetallicRoughDiffNormalSpec.xml" />
	<texture unit="diffuse" name="Textures/a.png" />
	<texture unit="normal" name="Textures/n.png" />
	<texture unit="specular" name="Textures/r.png" />
	<parameter name="MatDiffColor" value="1 0.5 0.25 1" />
	<parameter name="MatEmissiveColor" value="0 0 0" />
	<parameter name="MatSpecColor" value="0.5 0.5 0.5 1" />
	<parameter name="Roughness" value="0" />
	<parameter name="Metallic" value="0" />
	<cull value="none" />
	<shadowcull value="none" />
</material>
`);
    expect(readMaterial(written, 'a.xml')).toEqual({ ...material, otherUnits: [] });
    expect(recogniseUrho3d(written)).toBe('material');
    expect(validateUrho3d(written, 'a.xml')).toEqual([]);
  });

  test('have the factors of roughness and metalness as parameters only without a texture, which is added to them', () => {
    const value = (material: PbrMaterial, name: string) =>
      pbrMaterial(material).parameters.find((parameter) => parameter.name === name)?.value;
    expect([value(PLAIN, 'Roughness'), value(PLAIN, 'Metallic')]).toEqual([[0.75], [0.125]]);
    const mapped = { ...PLAIN, textures: { metallicRoughness: 'r.png' } };
    expect([value(mapped, 'Roughness'), value(mapped, 'Metallic')]).toEqual([[0], [0]]);
    // Occlusion, roughness, metalness, alpha: roughness goes to red, metalness to green, times their factors.
    const texels = Uint8Array.of(9, 200, 100, 7, 0, 255, 255, 255);
    expect([...repackMetallicRoughness(texels, 0.5, 1)]).toEqual([100, 100, 0, 255, 128, 255, 0, 255]);
  });

  test.each<[string, Partial<PbrMaterial>]>([
    ['PBRNoTexture', {}],
    ['PBRNoTextureAlpha', { alphaMode: 'blend' }],
    ['PBRDiff', { textures: { baseColor: 'a' } }],
    ['PBRDiffNormalEmissiveAlpha', { alphaMode: 'blend', textures: { baseColor: 'a', normal: 'n', emissive: 'e' } }],
    ['PBRMetallicRoughDiffSpecAO', { textures: { baseColor: 'a', metallicRoughness: 'r', occlusion: 'o' } }],
    ['PBRMetallicRoughSpec', { textures: { metallicRoughness: 'r' } }],
    ['PBRDiffEmissive', { textures: { baseColor: 'a', emissive: 'e', occlusion: 'o' } }],
  ])('use %s for the maps they have', (name, change) => {
    const { technique, textures } = pbrMaterial({ ...PLAIN, ...change });
    expect(technique).toBe(`Techniques/PBR/${name}.xml`);
    expect(textures.filter(({ unit }) => unit === 'emissive').map((texture) => texture.name)).toEqual(
      name.includes('Emissive') ? ['e'] : name.includes('AO') ? ['o'] : [],
    );
  });

  test('say what the technique lacks as defines: masks and colours of vertices', () => {
    const textures = { baseColor: 'a.png' };
    const material = pbrMaterial({ ...PLAIN, alphaMode: 'mask', vertexColors: true, textures });
    const written = writeMaterial(material);
    expect(text(written)).toContain('\t<shader vsdefines="VERTEXCOLOR" psdefines="VERTEXCOLOR ALPHAMASK" />\n');
    expect(readMaterial(written, '')).toEqual({ ...material, otherUnits: [] });
    // Without a texture the mask has nothing to look at.
    expect(pbrMaterial({ ...PLAIN, alphaMode: 'mask' }).pixelDefines).toEqual([]);
  });

  test('keep wild names as they are', () => {
    const name = 'Textures/"<script> \'&.png';
    const material = { ...pbrMaterial({ ...PLAIN, textures: { baseColor: name } }), vertexDefines: ['A"<B>'] };
    const written = writeMaterial(material);
    expect(text(written)).not.toContain('<script>');
    expect(readMaterial(written, '')).toEqual({ ...material, otherUnits: [] });
    for (const outside of ['../a.png', '/a.png', 'C:/a.png', '']) {
      expect(() => writeMaterial(pbrMaterial({ ...PLAIN, textures: { baseColor: outside } }))).toThrow('resource');
    }
  });

  test('pass over what they have more of', () => {
    const content = `<!-- by hand --><material>
      <technique name="Techniques/Diff.xml" quality="1"/><technique name="Techniques/Other.xml"/>
      <texture unit="environment" name="../any.xml"/><parameter name="A" type="Bool" value="true"/>
      <parameter name="UOffset" value=" 1 0  -.5e1 0 "/><renderorder value="3"/></material>`;
    expect(recogniseUrho3d(bytes(content))).toBe('material');
    expect(readMaterial(bytes(content), '')).toEqual({
      technique: 'Techniques/Diff.xml',
      vertexDefines: [],
      pixelDefines: [],
      textures: [],
      otherUnits: ['environment'],
      parameters: [{ name: 'UOffset', value: [1, 0, -5, 0] }],
      cull: 'ccw',
    });
  });

  const inside = (content: string) => `<material><technique name="a"/>${content}</material>`;
  test.each([
    ['UC3971', '<scene/>'],
    ['UC3971', '<material/>'],
    ['UC3971', '<material><technique/></material>'],
    ['UC3974', '<material><technique name="../a"/></material>'],
    ['UC3974', inside('<texture unit="diffuse" name="/etc/passwd"/>')],
    ['UC3971', inside('<texture name="a"/>')],
    ['UC3971', inside('<parameter name="a" value="1 b"/>')],
    ['UC3971', inside('<parameter name="a" value=""/>')],
    ['UC3971', inside(`<parameter name="a" value="${'1 '.repeat(17)}"/>`)],
    ['UC3971', inside('<parameter name="a" value="1e39"/>')],
    ['UC3971', inside('<cull value="both"/>')],
  ])('are refused with %s: %s', (code, content) => {
    expect(codesOf(() => readMaterial(bytes(content), 'x.xml'))).toEqual([code]);
  });

  test('cut off anywhere are refused', () => {
    const written = writeMaterial(pbrMaterial(PLAIN));
    const accepted = Array.from(written.keys()).filter(
      (length) => codesOf(() => readMaterial(written.slice(0, length), ''))[0] !== 'UC3971',
    );
    // Without the line break at its end the document is whole.
    expect(accepted).toEqual([written.length - 1]);
  });
});

describe('lists of materials', () => {
  test('have a line for each geometry', () => {
    const written = writeMaterialList(['Materials/a.xml', null, 'Materials/b c.xml']);
    expect(text(written)).toBe('Materials/a.xml\n\nMaterials/b c.xml\n');
    expect(readMaterialList(written, '')).toEqual(['Materials/a.xml', null, 'Materials/b c.xml']);
    expect(readMaterialList(bytes('a.xml\r\nb.xml'), '')).toEqual(['a.xml', 'b.xml']);
    expect(readMaterialList(new Uint8Array(0), '')).toEqual([]);
  });

  test('name nothing outside', () => {
    expect(codesOf(() => readMaterialList(bytes('a.xml\n../b.xml\n'), 'x.txt'))).toEqual(['UC3974']);
    expect(codesOf(() => readMaterialList(Uint8Array.of(0xff), 'x.txt'))).toEqual(['UC3904']);
    expect(() => writeMaterialList(['../b.xml'])).toThrow('a part ".."');
    expect(() => writeMaterialList(['a\nb.xml'])).toThrow('line break');
  });
});

test('settings of textures say how they repeat and that they are colours', () => {
  expect(text(writeTextureSettings({ u: 'wrap', v: 'clamp', srgb: true }))).toBe(`<?xml version="1.0"?>
<texture>
	<address coord="u" mode="wrap" />
	<address coord="v" mode="clamp" />
	<srgb enable="true" />
</texture>
`);
  expect(text(writeTextureSettings({ u: 'mirror', v: 'wrap', srgb: false }))).not.toContain('srgb');
});
