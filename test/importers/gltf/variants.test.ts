import { describe, expect, test } from 'vitest';
import { buildGlb, load, refusal, type SceneInput, TRIANGLE } from './build.ts';

/** A shoe with a default look, one variant that changes it, and one that leaves it alone. */
const SHOE: SceneInput = {
  meshes: [{ primitives: [{ ...TRIANGLE, material: 0 }, { ...TRIANGLE }] }],
  materials: [{ name: 'Plain' }, { name: 'Beach' }, { name: 'Street' }],
  root: {
    extensionsUsed: ['KHR_materials_variants'],
    extensions: { KHR_materials_variants: { variants: [{ name: 'beach' }, { name: 'street' }, { name: 'none' }] } },
  },
};
const mapped = (mappings: object[]) =>
  buildGlb(SHOE, (json) => {
    json.meshes[0].primitives[0].extensions = { KHR_materials_variants: { mappings } };
  });
const MAPPINGS = [
  { material: 1, variants: [0] },
  { material: 2, variants: [1] },
];

describe('KHR_materials_variants', () => {
  test.each([
    [undefined, 0, ['UC1366']],
    ['beach', 1, []],
    ['street', 2, []],
    ['none', 0, []],
  ])('variant %s draws material %i', async (variant, material, expected) => {
    const { scene, codes } = await load(mapped(MAPPINGS), variant === undefined ? {} : { variant });
    expect(scene.meshes[0].primitives.map((primitive) => primitive.material)).toEqual([material, 3]);
    expect(codes).toEqual(expected);
  });

  test('without a choice the names are told', async () => {
    const { diagnostics } = await load(mapped(MAPPINGS));
    expect(diagnostics.list[0].message).toBe('the file also has the variants "beach", "street", "none"');
  });

  test('a name that the file does not have is an error of the command line that lists what there is', async () => {
    const item = await refusal(load(mapped(MAPPINGS), { variant: 'Beach' }));
    expect(item.code).toBe('UC1367');
    expect(item.message).toBe('there is no variant "Beach"; the file has "beach", "street", "none"');
    const bare = buildGlb({ meshes: [{ primitives: [TRIANGLE] }] });
    expect((await refusal(load(bare, { variant: 'x' }))).message).toBe(
      'there is no variant "x"; the file has no variants',
    );
  });

  test.each<[string, object, string]>([
    ['a material that is not there', { material: 9, variants: [0] }, 'UC1308'],
    ['no material', { variants: [0] }, 'UC1307'],
    ['a variant that is not there', { material: 1, variants: [3] }, 'UC1308'],
    ['variants that are no list', { material: 1, variants: 0 }, 'UC1307'],
  ])('a mapping with %s', async (_, mapping, code) => {
    const item = await refusal(load(mapped([mapping])));
    expect(item.code).toBe(code);
    expect(item.path).toBe('meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0');
  });
});
