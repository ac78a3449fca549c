import { describe, expect, it } from 'vitest';
import { boundsOfPoints } from '../../../../src/scene/bounds.ts';
import type { Scene } from '../../../../src/scene/types.ts';
import { errorsOf, importText, quad } from '../importText.ts';

/** Where the placements of a mesh put its first two points: (0, 0, 0) and (1, 0, 0) of the quad. */
function corners(scene: Scene, path: string): number[][] {
  const round = (n: number) => Math.round(n * 1e5) / 1e5 + 0;
  return scene.nodes
    .filter((node) => node.mesh >= 0 && scene.meshes[node.mesh].path === path)
    .map(({ world: m }) => [m[12], m[13], m[14], m[0] + m[12], m[1] + m[13], m[2] + m[14]].map(round));
}

async function place(body: string) {
  const { scene, diagnostics } = await importText(body);
  return { scene, said: diagnostics.list.map((d) => `${d.code} ${d.path}`) };
}

const instancer = (properties: string, prototypes: string, metadata = '') => `def PointInstancer "i" ${metadata} {
  rel prototypes = [</i/protos/a>, </i/protos/b>]
  ${properties}
  ${prototypes}
}`;

const PROTOS = `def Scope "protos" {\n${quad('a')}\n${quad('b')}\n}`;

describe('PointInstancers', () => {
  it('scale, then turn, then move each instance; prototypes are not drawn in place', async () => {
    const { scene, said } = await place(
      instancer(
        `int[] protoIndices = [0, 1, 0]
         point3f[] positions = [(10, 0, 0), (0, 20, 0), (0, 0, 30)]
         quath[] orientations = [(1, 0, 0, 0), (0.70710678, 0, 0, 0.70710678), (1, 0, 0, 0)]
         float3[] scales = [(2, 2, 2), (3, 1, 1), (1, 1, 1)]
         double3 xformOp:translate = (100, 0, 0)
         uniform token[] xformOpOrder = ["xformOp:translate"]`,
        PROTOS,
      ),
    );
    expect(scene.meshes.map((m) => m.path)).toEqual(['/i/protos/a', '/i/protos/b']);
    expect(corners(scene, '/i/protos/a')).toEqual([
      [110, 0, 0, 112, 0, 0],
      [100, 0, 30, 101, 0, 30],
    ]);
    // Three along x, turned by 90 degrees about z: three along y. Halves give 0.7070 for 0.7071.
    const [[x, y, z, ex, ey, ez]] = corners(scene, '/i/protos/b');
    expect([x, y, z, ez]).toEqual([100, 20, 0, 0]);
    expect(ex).toBeCloseTo(100, 2);
    expect(ey).toBeCloseTo(23, 2);
    expect(scene.nodes.map((n) => n.path)).toEqual(['/i', '/i/protos/a', '/i/protos/b', '/i/protos/a']);
    expect(scene.nodes.map((n) => n.parent)).toEqual([-1, 0, 0, 0]);
    expect(said).toEqual([]);
  });

  it('place what a prototype holds by the way from its root, whose own transform counts', async () => {
    const { scene } = await place(
      instancer(
        'int[] protoIndices = [0]\npoint3f[] positions = [(10, 0, 0)]\nfloat3[] scales = [(2, 2, 2)]',
        `def Xform "protos" {
           double3 xformOp:translate = (1000, 0, 0)
           uniform token[] xformOpOrder = ["xformOp:translate"]
           def Xform "a" {
             double3 xformOp:translate = (1, 0, 0)
             uniform token[] xformOpOrder = ["xformOp:translate"]
             def Xform "in" {
               double3 xformOp:translate = (0, 3, 0)
               uniform token[] xformOpOrder = ["xformOp:translate"]
               ${quad('m')}
             }
             ${quad('n')}
           }
         }`,
      ),
    );
    // What is above the prototype does not move it: 10 + 2 * (1 + 0), 2 * 3.
    expect(corners(scene, '/i/protos/a/in/m')).toEqual([[12, 6, 0, 14, 6, 0]]);
    expect(corners(scene, '/i/protos/a/n')).toEqual([[12, 0, 0, 14, 0, 0]]);
  });

  it('mask by ids, or by number where there are none', async () => {
    const arrays =
      'int[] protoIndices = [0, 0, 0, 0]\npoint3f[] positions = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]';
    const xs = async (properties: string, metadata = '') =>
      corners((await place(instancer(`${arrays}\n${properties}`, PROTOS, metadata))).scene, '/i/protos/a').map(
        ([x]) => x,
      );
    expect(await xs('')).toEqual([0, 1, 2, 3]);
    expect(await xs('int64[] invisibleIds = [1, 7]')).toEqual([0, 2, 3]);
    expect(await xs('int64[] ids = [10, 11, 12, 9000000000]\nint64[] invisibleIds = [9000000000, 1]')).toEqual([
      0, 1, 2,
    ]);
    expect(await xs('int64[] ids = [10, 11, 12, 13]\nint64[] invisibleIds = [10]', '( inactiveIds = [12] )')).toEqual([
      1, 3,
    ]);
    expect(await xs('', '( prepend inactiveIds = [0, 1] )')).toEqual([2, 3]);
  });

  it('nest: each placement of an instancer places all of its own', async () => {
    const { scene, said } = await place(
      `def PointInstancer "i" {
         rel prototypes = [</i/cluster>]
         int[] protoIndices = [0, 0]
         point3f[] positions = [(0, 0, 0), (100, 0, 0)]
         def PointInstancer "cluster" {
           rel prototypes = [</i/cluster/leaf>]
           int[] protoIndices = [0, 0, 0]
           int64[] invisibleIds = [1]
           point3f[] positions = [(0, 1, 0), (0, 2, 0), (0, 3, 0)]
           double3 xformOp:translate = (10, 0, 0)
           uniform token[] xformOpOrder = ["xformOp:translate"]
           ${quad('leaf')}
         }
       }`,
    );
    expect(scene.meshes).toHaveLength(1);
    expect(corners(scene, '/i/cluster/leaf').map(([x, y]) => [x, y])).toEqual([
      [10, 1],
      [10, 3],
      [110, 1],
      [110, 3],
    ]);
    expect(said).toEqual([]);
  });

  it('have prototypes that are overs, classes, or prims elsewhere, which are drawn there too', async () => {
    const { scene, said } = await place(
      `over "o" { ${quad('a')}\n}
       class Xform "k" { ${quad('b')}\nclass Xform "not" { ${quad('c')}\n}\nover "nor" { ${quad('d')}\n}\n}
       ${quad('seen')}
       def PointInstancer "i" {
         rel prototypes = [</o/a>, </k>, </seen>]
         int[] protoIndices = [0, 1, 2]
         point3f[] positions = [(1, 0, 0), (2, 0, 0), (3, 0, 0)]
       }`,
    );
    expect(corners(scene, '/o/a').map(([x]) => x)).toEqual([1]);
    expect(corners(scene, '/k/b').map(([x]) => x)).toEqual([2]);
    expect(corners(scene, '/seen').map(([x]) => x)).toEqual([0, 3]);
    expect(scene.meshes.map((m) => m.path)).toEqual(['/seen', '/o/a', '/k/b']);
    expect(said).toEqual([]);
  });

  it('leave out what is hidden in a prototype; that their prototypes are hidden in place changes nothing', async () => {
    const { scene, said } = await place(
      instancer(
        'int[] protoIndices = [0, 1]\npoint3f[] positions = [(0, 0, 0), (1, 0, 0)]',
        `def Scope "protos" {
           token visibility = "invisible"
           def Xform "a" {
             ${quad('shown')}
             ${quad('hidden', 'token visibility = "invisible"')}
             ${quad('proxy', 'uniform token purpose = "proxy"')}
           }
           ${quad('b', 'token visibility = "invisible"')}
         }`,
      ),
    );
    expect(scene.meshes.map((m) => m.path)).toEqual(['/i/protos/a/shown']);
    expect(said).toEqual(['UC1821 /i/protos/a/proxy', 'UC1820 /i/protos/a/hidden']);
  });

  it('that are invisible, or of another purpose, draw nothing', async () => {
    const arrays = 'int[] protoIndices = [0]\npoint3f[] positions = [(0, 0, 0)]';
    const invisible = await place(`${instancer(`${arrays}\ntoken visibility = "invisible"`, PROTOS)}\n${quad('m')}`);
    expect(invisible.scene.meshes.map((m) => m.path)).toEqual(['/m']);
    const guide = await place(`${instancer(`${arrays}\nuniform token purpose = "guide"`, PROTOS)}\n${quad('m')}`);
    expect(guide.scene.meshes.map((m) => m.path)).toEqual(['/m']);
  });

  it('give prototypes what is bound to them by namespace', async () => {
    const { scene } = await place(
      `def Material "M" {}\n${instancer('int[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0), (1, 0, 0)]\nrel material:binding = </M>', PROTOS)}`,
    );
    expect(scene.materials[scene.meshes[0].primitives[0].material].path).toBe('/M');
    expect(scene.meshes).toHaveLength(1);
  });

  it('prefer orientations in float precision', async () => {
    const { scene } = await place(
      instancer(
        `int[] protoIndices = [0]
         point3f[] positions = [(0, 0, 0)]
         quath[] orientations = [(1, 0, 0, 0)]
         quatf[] orientationsf = [(0, 0, 0, 1)]`,
        PROTOS,
      ),
    );
    expect(corners(scene, '/i/protos/a')).toEqual([[0, 0, 0, -1, 0, 0]]);
  });

  it('place lights of prototypes', async () => {
    const { scene } = await place(
      instancer(
        'int[] protoIndices = [0, 0]\npoint3f[] positions = [(1, 0, 0), (5, 0, 0)]',
        `def Scope "protos" { def Xform "a" { def SphereLight "l" {\nfloat inputs:radius = 0.1\n}\n}\n${quad('b')}\n}`,
      ),
    );
    expect(scene.lights?.map((light) => [light.path, light.world[12]])).toEqual([
      ['/i/protos/a/l', 1],
      ['/i/protos/a/l', 5],
    ]);
  });

  it('have the bounds of their placements', async () => {
    const { scene } = await place(
      instancer('int[] protoIndices = [0, 0]\npoint3f[] positions = [(-5, 0, 0), (5, 0, 0)]', PROTOS),
    );
    const boxes = scene.nodes
      .filter((n) => n.mesh >= 0)
      .map((n) => boundsOfPoints(Float32Array.of(0, 0, 0, 1, 1, 0), n.world));
    expect(boxes.map((b) => [b?.min[0], b?.max[0]])).toEqual([
      [-5, -4],
      [5, 6],
    ]);
  });

  it.each([
    ['positions', 'int[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0)]'],
    ['positions', 'int[] protoIndices = [0]'],
    ['scales', 'int[] protoIndices = [0]\npoint3f[] positions = [(0, 0, 0)]\nfloat3[] scales = [(1, 1, 1), (1, 1, 1)]'],
    [
      'orientations',
      'int[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0), (0, 0, 0)]\nquath[] orientations = [(1, 0, 0, 0)]',
    ],
    ['ids', 'int[] protoIndices = [0]\npoint3f[] positions = [(0, 0, 0)]\nint64[] ids = [1, 2]'],
    ['an index', 'int[] protoIndices = [2]\npoint3f[] positions = [(0, 0, 0)]'],
    ['an index', 'int[] protoIndices = [-1]\npoint3f[] positions = [(0, 0, 0)]'],
    ['a number', 'int[] protoIndices = [0]\npoint3f[] positions = [(0, nan, 0)]'],
  ])('whose %s do not fit are errors', async (_, properties) => {
    expect(await errorsOf(instancer(properties, PROTOS))).toEqual(['UC1840 /i']);
  });

  it('without instances are no error', async () => {
    expect((await place(`${instancer('', PROTOS)}\n${quad('m')}`)).said).toEqual([]);
  });

  it('name prototypes that are not there', async () => {
    const { scene, said } = await place(
      instancer(
        'int[] protoIndices = [0, 1]\npoint3f[] positions = [(0, 0, 0), (1, 0, 0)]',
        `def Scope "protos" {\n${quad('a')}\n${quad('b', '', '( active = false )')}\n}`,
      ),
    );
    expect(scene.meshes.map((m) => m.path)).toEqual(['/i/protos/a']);
    expect(said).toEqual(['UC1841 /i']);
  });

  it('that contain themselves or multiply without end are errors', async () => {
    const self = `def PointInstancer "i" {
      rel prototypes = </i/p>
      int[] protoIndices = [0]
      point3f[] positions = [(0, 0, 0)]
      def PointInstancer "p" {
        rel prototypes = </i>
        int[] protoIndices = [0]
        point3f[] positions = [(0, 0, 0)]
      }
    }`;
    expect(await errorsOf(self)).toEqual(['UC1842 /i']);
    const level = (n: number) => `def PointInstancer "p${n}" {
      rel prototypes = </k/p${n + 1}>
      int[] protoIndices = [${new Array(10).fill(0).join(', ')}]
      point3f[] positions = [${new Array(10).fill('(0, 0, 0)').join(', ')}]
    }`;
    const bomb = `class "k" {\n${Array.from({ length: 9 }, (_, n) => level(n)).join('\n')}\n${quad('p9')}\n}
      def PointInstancer "i" {
        rel prototypes = </k/p0>
        int[] protoIndices = [0]
        point3f[] positions = [(0, 0, 0)]
      }`;
    expect(await errorsOf(bomb)).toEqual([expect.stringMatching(/^UC1843 /)]);
  });

  it('do not colour their instances one by one, and say so', async () => {
    const { said } = await place(
      instancer(
        'int[] protoIndices = [0]\npoint3f[] positions = [(0, 0, 0)]\ncolor3f[] primvars:displayColor = [(1, 0, 0)] ( interpolation = "vertex" )',
        PROTOS,
      ),
    );
    expect(said).toEqual(['UC1844 /i']);
  });
});
