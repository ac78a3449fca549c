// Scenes as literal text.

import { describe, expect, test } from 'vitest';
import { recogniseUrho3d, validateUrho3d } from '../../../src/formats/urho3d/recognise.ts';
import { parseXml } from '../../../src/formats/urho3d/xml/document.ts';
import { type SceneNode, writeScene } from '../../../src/formats/urho3d/xml/scene.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (content: string) => new TextEncoder().encode(content);

/** A name that tries to be more than a name. */
const WILD = "\"><script>alert('x')</script>&amp;";

const NODE: SceneNode = {
  name: 'node',
  position: [0, 0, 0],
  rotation: [1, 0, 0, 0],
  scale: [1, 1, 1],
  models: [],
  lights: [],
  cameras: [],
  children: [],
};

describe('scenes', () => {
  test('have a node for each tile, with its draw distance, lights and cameras', () => {
    const model = { model: 'Models/t.mdl', materials: ['Materials/a.xml', null], drawDistance: 250, castShadows: true };
    const light = { color: [1, 1, 0.5], brightness: 2, range: 8, spotFov: 40, castShadows: false } as const;
    const scene = writeScene('town', [
      { ...NODE, name: 'tile_0', position: [1, 2, -3], models: [{ ...model, animated: false }] },
      {
        ...NODE,
        name: 'lamps',
        children: [
          { ...NODE, name: 'sun', lights: [{ ...light, type: 'directional' }] },
          {
            ...NODE,
            name: 'bulb',
            lights: [
              { ...light, type: 'point' },
              { ...light, type: 'spot' },
            ],
          },
        ],
      },
      {
        ...NODE,
        name: 'eye',
        rotation: [0, 0, 1, 0],
        cameras: [
          { nearClip: 0.1, farClip: 500, fov: 60, orthographicSize: 1 },
          { nearClip: 0.1, farClip: 500, fov: null, orthographicSize: 20 },
        ],
      },
    ]);
    const attributes = (indent: string, name: string, position = '0 0 0', rotation = '1 0 0 0') =>
      [
        `<attribute name="Name" value="${name}" />`,
        `<attribute name="Position" value="${position}" />`,
        `<attribute name="Rotation" value="${rotation}" />`,
        `<attribute name="Scale" value="1 1 1" />`,
      ].join(`\n${indent}`);
    expect(text(scene)).toBe(`<?xml version="1.0"?>
<scene id="1">
	<attribute name="Name" value="town" />
	<component type="Octree" id="1" />
	<node id="2">
		${attributes('\t\t', 'tile_0', '1 2 -3')}
		<component type="StaticModel" id="2">
			<attribute name="Model" value="Model;Models/t.mdl" />
			<attribute name="Material" value="Material;Materials/a.xml;" />
			<attribute name="Cast Shadows" value="true" />
			<attribute name="Draw Distance" value="250" />
		</component>
	</node>
	<node id="3">
		${attributes('\t\t', 'lamps')}
		<node id="4">
			${attributes('\t\t\t', 'sun')}
			<component type="Light" id="3">
				<attribute name="Light Type" value="Directional" />
				<attribute name="Color" value="1 1 0.5 1" />
				<attribute name="Brightness Multiplier" value="2" />
				<attribute name="Cast Shadows" value="false" />
			</component>
		</node>
		<node id="5">
			${attributes('\t\t\t', 'bulb')}
			<component type="Light" id="4">
				<attribute name="Light Type" value="Point" />
				<attribute name="Color" value="1 1 0.5 1" />
				<attribute name="Brightness Multiplier" value="2" />
				<attribute name="Range" value="8" />
				<attribute name="Cast Shadows" value="false" />
			</component>
			<component type="Light" id="5">
				<attribute name="Light Type" value="Spot" />
				<attribute name="Color" value="1 1 0.5 1" />
				<attribute name="Brightness Multiplier" value="2" />
				<attribute name="Range" value="8" />
				<attribute name="Spot FOV" value="40" />
				<attribute name="Cast Shadows" value="false" />
			</component>
		</node>
	</node>
	<node id="6">
		${attributes('\t\t', 'eye', '0 0 0', '0 0 1 0')}
		<component type="Camera" id="6">
			<attribute name="Near Clip" value="0.1" />
			<attribute name="Far Clip" value="500" />
			<attribute name="FOV" value="60" />
		</component>
		<component type="Camera" id="7">
			<attribute name="Near Clip" value="0.1" />
			<attribute name="Far Clip" value="500" />
			<attribute name="Orthographic" value="true" />
			<attribute name="Orthographic Size" value="20" />
		</component>
	</node>
</scene>
`);
    expect(recogniseUrho3d(scene)).toBe('scene');
    expect(validateUrho3d(scene, 'town.xml')).toEqual([]);
  });

  test('keep wild names inside of their quotes', () => {
    const scene = writeScene(WILD, [{ ...NODE, name: WILD }]);
    const root = parseXml(scene, '');
    expect(text(scene)).not.toContain('<script>');
    expect(root.children[0].attributes).toEqual({ name: 'Name', value: WILD });
    expect(root.children[2].children[0].attributes).toEqual({ name: 'Name', value: WILD });
  });

  test('name models that move, and refuse what they cannot name', () => {
    const model = { model: 'a.mdl', materials: [], drawDistance: 0, castShadows: false, animated: true };
    const written = text(writeScene('', [{ ...NODE, models: [model] }]));
    expect(written).toContain('<component type="AnimatedModel" id="2">');
    expect(written).toContain('value="Material"');
    expect(() => writeScene('', [{ ...NODE, models: [{ ...model, model: '../a.mdl' }] }])).toThrow('resource');
    expect(() => writeScene('', [{ ...NODE, models: [{ ...model, materials: ['a;b'] }] }])).toThrow('semicolon');
    expect(() => writeScene('', [{ ...NODE, position: [0, Number.NaN, 0] }])).toThrow('NaN');
  });

  test('are refused when they are none', () => {
    const broken = bytes('<scene>');
    expect(validateUrho3d(broken, 'x').map(({ code }) => code)).toEqual(['UC3971']);
    expect(recogniseUrho3d(bytes('<scenery/>'))).toBeNull();
    const newer = validateUrho3d(bytes('<scene><nodes><node/></nodes></scene>'), 'x');
    expect(newer.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'UC3971 material or scene that Urho3D does not read: the document has <nodes>, which is the newer form of rbfx',
    ]);
    // A prefab is a node alone.
    expect(recogniseUrho3d(bytes('<?xml version="1.0"?><node id="1"/>'))).toBe('scene');
    expect(validateUrho3d(bytes('<node/>'), 'x')).toEqual([]);
  });
});
