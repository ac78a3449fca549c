import { expect, test } from 'vitest';
import { effectiveTags } from '../../../../src/scene/tags.ts';
import { importText } from '../importText.ts';

const MESH = `int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    uniform token subdivisionScheme = "none"`;

async function tagsIn(body: string) {
  const { scene, diagnostics } = await importText(body);
  const tags = effectiveTags(scene.nodes);
  return {
    tags: Object.fromEntries(scene.nodes.map((node, i) => [node.path, tags[i]])),
    said: diagnostics.list.map((item) => `${item.code} ${item.path} ${item.message}`),
  };
}

test('an object of Blender is a transform with its properties and a mesh below', async () => {
  const { tags, said } = await tagsIn(`def Xform "Tower"
{
  custom string userProperties:untold_streaming_priority_hint = "Critical"
  custom string userProperties:untold_tile_policy = "force_local"
  custom string userProperties:colour = "red"
  def Mesh "Tower_mesh"
  {
    ${MESH}
  }
}
def Mesh "Shed"
{
    ${MESH}
}`);
  const tower = { priority: 'Critical', policy: 'force_local' };
  expect(tags).toEqual({ '/Tower': tower, '/Tower/Tower_mesh': tower, '/Shed': null });
  expect(said).toEqual([]);
});

test('customData, bare or by the prefix; an attribute is stronger', async () => {
  const { tags, said } = await tagsIn(`def Mesh "A" (
    customData = {
      string untold_streaming_priority_hint = "Low"
      string "userProperties:untold_tile_policy" = "force_local"
    }
)
{
    ${MESH}
    custom token untold_streaming_priority_hint = "High"
}`);
  expect(tags).toEqual({ '/A': { priority: 'High', policy: 'force_local' } });
  expect(said).toEqual([]);
});

test('values that are not known are said with their place', async () => {
  const { tags, said } = await tagsIn(`def Mesh "A"
{
    ${MESH}
    custom int userProperties:untold_streaming_priority_hint = 3
    custom string untold_tile_policy = "anywhere"
}`);
  expect(tags).toEqual({ '/A': null });
  expect(said).toEqual([
    'UC2210 /A userProperties:untold_streaming_priority_hint is a number, not Low, Normal, High, Critical',
    'UC2210 /A untold_tile_policy is "anywhere", not force_local, always_loaded',
  ]);
});

test('the tier of an object is read as the other tags are', async () => {
  const { tags, said } = await tagsIn(`def Xform "Street"
{
    custom string userProperties:untold_semantic_override = "ExteriorShell"
    def Mesh "Curb"
    {
        ${MESH}
    }
}
def Mesh "Sign" (
    customData = { string untold_semantic_override = "FineProps" }
)
{
    ${MESH}
}
def Mesh "Post"
{
    ${MESH}
    custom string untold_semantic_override = "Outside"
}`);
  const shell = { semanticTier: 'ExteriorShell' };
  expect(tags).toEqual({
    '/Street': shell,
    '/Street/Curb': shell,
    '/Sign': { semanticTier: 'FineProps' },
    '/Post': null,
  });
  expect(said).toEqual([
    'UC2210 /Post untold_semantic_override is "Outside", not ExteriorShell, StructuralInterior, RoomContents, FineProps',
  ]);
});
