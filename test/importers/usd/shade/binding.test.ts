import { describe, expect, it } from 'vitest';
import { importText, quad } from '../importText.ts';

const LOOKS = ['A', 'B', 'C', 'D']
  .map(
    (name) =>
      `def Material "${name}" {\ntoken outputs:surface.connect = </${name}/s.outputs:surface>\ndef Shader "s" {\nuniform token info:id = "UsdPreviewSurface"\ntoken outputs:surface\n}\n}`,
  )
  .join('\n');

const bind = (to: string, purpose = '', stronger = false) =>
  `rel material:binding${purpose && `:${purpose}`} = </${to}>${stronger ? ' ( bindMaterialAs = "strongerThanDescendants" )' : ''}`;

/** The material path of the only mesh, and what was said. */
async function boundTo(body: string, bindingPurpose?: 'preview' | 'full') {
  const { scene, codes } = await importText(`${body}\n${LOOKS}`, undefined, {}, { bindingPurpose });
  return [scene.materials[scene.meshes[0].primitives[0].material].path, ...codes()];
}

describe('material bindings', () => {
  it('are inherited, the nearest winning', async () => {
    expect(await boundTo(`def Xform "x" {\n${bind('A')}\n${quad('m')}\n}`)).toEqual(['/A']);
    expect(await boundTo(`def Xform "x" {\n${bind('A')}\n${quad('m', bind('B'))}\n}`)).toEqual(['/B']);
  });

  it('that are stronger than descendants win, the outermost of them', async () => {
    expect(await boundTo(`def Xform "x" {\n${bind('A', '', true)}\n${quad('m', bind('B'))}\n}`)).toEqual(['/A']);
    const both = `def Xform "x" {\n${bind('A', '', true)}\ndef Xform "y" {\n${bind('B', '', true)}\n${quad('m', bind('C'))}\n}\n}`;
    expect(await boundTo(both)).toEqual(['/A']);
  });

  it('count without an API schema; the first target counts', async () => {
    expect(await boundTo(quad('m', 'rel material:binding = [</B>, </A>]'))).toEqual(['/B']);
  });

  it('to something else give no material, and do not fall through', async () => {
    const body = (target: string) => `def Xform "x" {\n${bind('A')}\n${quad('m', bind(target))}\n}`;
    expect(await boundTo(body('nowhere'))).toEqual(['', 'UC1900']);
    expect(await boundTo(body('x'))).toEqual(['', 'UC1900']);
  });

  it("blocked by an empty list leave the ancestor's in place", async () => {
    // ComputeBoundMaterial looks for targets: a relationship without any binds nothing at that prim.
    expect(await boundTo(`def Xform "x" {\n${bind('A')}\n${quad('m', 'rel material:binding = []')}\n}`)).toEqual([
      '/A',
    ]);
  });

  it('share one material among all prims bound to it', async () => {
    const { scene } = await importText(
      `${quad('m', bind('A'))}\n${quad('n', bind('A'))}\n${quad('o', bind('B'))}\n${LOOKS}`,
    );
    expect(scene.materials.map((m) => m.path)).toEqual(['/A', '/B']);
  });

  it('double-sidedness of a shape makes its material show both sides', async () => {
    const { scene } = await importText(
      `${quad('m', bind('A'))}\n${quad('n', `${bind('A')}\nuniform bool doubleSided = true`)}\n${quad('o', bind('B'))}\n${LOOKS}`,
    );
    expect(scene.materials.map((m) => m.doubleSided)).toEqual([true, false]);
  });
});

describe('collection bindings', () => {
  const collection = (name: string, rest: string) =>
    `${rest}\nrel material:binding:collection:${name} = [</x.collection:${name}>, </B>]`;
  const scene = (properties: string, mesh = '') =>
    `def Xform "x" {\n${properties}\ndef Xform "y" {\n${quad('m', mesh)}\n}\n}`;
  const includes = (name: string, ...paths: string[]) =>
    `rel collection:${name}:includes = [${paths.map((p) => `<${p}>`).join(', ')}]`;

  it('hold what is at or below an included path', async () => {
    expect(await boundTo(scene(collection('c', includes('c', '/x/y'))))).toEqual(['/B']);
    expect(await boundTo(scene(collection('c', includes('c', '/x/other'))))).toEqual(['']);
    expect(await boundTo(scene(collection('c', `uniform bool collection:c:includeRoot = true`)))).toEqual(['/B']);
  });

  it('the nearest path that is named decides', async () => {
    const excluded = `${includes('c', '/x')}\nrel collection:c:excludes = </x/y>`;
    expect(await boundTo(scene(collection('c', excluded)))).toEqual(['']);
    const back = `${includes('c', '/x', '/x/y/m')}\nrel collection:c:excludes = </x/y>`;
    expect(await boundTo(scene(collection('c', back)))).toEqual(['/B']);
  });

  it('with explicitOnly hold the named prims alone', async () => {
    const rule = 'uniform token collection:c:expansionRule = "explicitOnly"';
    expect(await boundTo(scene(collection('c', `${rule}\n${includes('c', '/x/y')}`)))).toEqual(['']);
    expect(await boundTo(scene(collection('c', `${rule}\n${includes('c', '/x/y/m')}`)))).toEqual(['/B']);
  });

  it('beat the direct binding of the same prim, but not of a nearer one', async () => {
    const both = `${bind('A')}\n${collection('c', includes('c', '/x'))}`;
    expect(await boundTo(scene(both))).toEqual(['/B']);
    expect(await boundTo(scene(both, bind('C')))).toEqual(['/C']);
  });

  it('may hold other collections, also in a circle', async () => {
    const nested = `${includes('c', '/x.collection:d')}\n${includes('d', '/x.collection:c', '/x/y')}`;
    expect(await boundTo(scene(collection('c', nested)))).toEqual(['/B']);
    const loop = `${includes('c', '/x.collection:d')}\n${includes('d', '/x.collection:c')}`;
    expect(await boundTo(scene(collection('c', loop)))).toEqual(['']);
  });

  it('the nearest path decides among all that are included; what a collection excludes itself goes first', async () => {
    // d holds what is at /x/y, which c excludes at /x and at /x/y.
    const deeper = `${includes('c', '/x.collection:d')}\nrel collection:c:excludes = </x>\n${includes('d', '/x/y')}`;
    expect(await boundTo(scene(collection('c', deeper)))).toEqual(['/B']);
    const same = `${includes('c', '/x.collection:d')}\nrel collection:c:excludes = </x/y>\n${includes('d', '/x/y')}`;
    expect(await boundTo(scene(collection('c', same)))).toEqual(['']);
    const inner = `${includes('c', '/x.collection:d')}\n${includes('d', '/x')}\nrel collection:d:excludes = </x/y>`;
    expect(await boundTo(scene(collection('c', inner)))).toEqual(['']);
  });

  it('by an expression are not evaluated, with a warning', async () => {
    const expression = 'pathExpression collection:c:membershipExpression = "//m"';
    expect(await boundTo(scene(collection('c', expression)))).toEqual(['', 'UC1964']);
  });

  it('stronger than descendants beat nearer direct bindings', async () => {
    const rel =
      'rel material:binding:collection:c = [</x.collection:c>, </B>] ( bindMaterialAs = "strongerThanDescendants" )';
    expect(await boundTo(scene(`${includes('c', '/x')}\n${rel}`, bind('C')))).toEqual(['/B']);
  });

  it('for preview beat those for all purposes', async () => {
    const rel = 'rel material:binding:collection:preview:c = [</x.collection:c>, </B>]';
    expect(await boundTo(scene(`${includes('c', '/x')}\n${rel}`, bind('C')))).toEqual(['/B']);
    const full = 'rel material:binding:collection:full:c = [</x.collection:c>, </B>]';
    expect(await boundTo(scene(`${includes('c', '/x')}\n${full}`, bind('C')))).toEqual(['/C', 'UC1967']);
    expect(await boundTo(scene(`${includes('c', '/x')}\n${full}`, bind('C')), 'full')).toEqual(['/B']);
    expect(await boundTo(scene(`${includes('c', '/x')}\n${full}`))).toEqual(['/B', 'UC1966']);
    expect(await boundTo(scene(`${includes('c', '/x/other')}\n${full}`))).toEqual(['']);
  });
});

describe('purposes of bindings', () => {
  /** For each mesh its path, the material of faces that no subset claims, and those of its subsets. */
  async function boundByMesh(body: string, bindingPurpose?: 'preview' | 'full') {
    const imported = await importText(`${body}\n${LOOKS}`, undefined, {}, { bindingPurpose });
    const { scene, diagnostics } = imported;
    const used = scene.nodes
      .filter((node) => node.mesh >= 0)
      .map((node) => {
        const [{ material, subsets }] = scene.meshes[node.mesh].primitives;
        const indices = [material, ...subsets.map((subset) => subset.material)];
        return [node.path, ...indices.filter((index) => index >= 0).map((index) => scene.materials[index].path)];
      });
    const said = diagnostics.list.map((d) => `${d.code} ${d.severity} ${d.path}: ${d.message}`);
    return { used, said };
  }
  const all = `${bind('A', 'preview')}\n${bind('B')}\n${bind('C', 'full')}`;

  it('are asked in the order preview, all, full, or full, all, preview', async () => {
    expect(await boundTo(quad('m', all))).toEqual(['/A', 'UC1967']);
    expect(await boundTo(quad('m', all), 'full')).toEqual(['/C', 'UC1967']);
    const withoutFull = `${bind('A', 'preview')}\n${bind('B')}`;
    expect(await boundTo(quad('m', withoutFull))).toEqual(['/A']);
    expect(await boundTo(quad('m', withoutFull), 'full')).toEqual(['/B', 'UC1967']);
    const withoutPreview = `${bind('B')}\n${bind('C', 'full')}`;
    expect(await boundTo(quad('m', withoutPreview))).toEqual(['/B', 'UC1967']);
    expect(await boundTo(quad('m', withoutPreview), 'full')).toEqual(['/C']);
  });

  it('of the other kind are used where nothing else is bound', async () => {
    expect(await boundTo(quad('m', bind('C', 'full')))).toEqual(['/C', 'UC1966']);
    expect(await boundTo(quad('m', bind('C', 'full')), 'full')).toEqual(['/C']);
    expect(await boundTo(quad('m', bind('nowhere', 'full')))).toEqual(['', 'UC1900']);
    expect(await boundTo(quad('m', bind('A', 'preview')), 'full')).toEqual(['/A', 'UC1966']);
  });

  it('decide before nearness: an inherited binding of an earlier purpose beats a nearer one of a later', async () => {
    const inherited = (above: string, own: string) => `def Xform "x" {\n${above}\n${quad('m', own)}\n}`;
    expect(await boundTo(inherited(bind('A', 'preview'), bind('B')))).toEqual(['/A']);
    expect(await boundTo(inherited(bind('B'), bind('C', 'full')))).toEqual(['/B', 'UC1967']);
    expect(await boundTo(inherited(bind('C', 'full'), bind('B')), 'full')).toEqual(['/C']);
    expect(await boundTo(inherited(bind('C', 'full'), ''))).toEqual(['/C', 'UC1966']);
  });

  it('hold for subsets, which inherit from their mesh', async () => {
    const subset = (name: string, face: number, binding: string) =>
      `def GeomSubset "${name}" {\nuniform token familyName = "materialBind"\nint[] indices = [${face}]\n${binding}\n}`;
    const mesh = (own: string) => `def Mesh "m" {
      uniform token subdivisionScheme = "none"
      point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
      int[] faceVertexCounts = [3, 3]
      int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
      ${own}
      ${subset('s', 0, bind('C', 'full'))}
      ${subset('t', 1, `${bind('D')}\n${bind('C', 'full')}`)}
    }`;
    expect((await boundByMesh(mesh(''))).used).toEqual([['/m', '/C', '/D']]);
    expect((await boundByMesh(mesh(bind('B')))).used).toEqual([['/m', '/B', '/B', '/D']]);
    expect((await boundByMesh(mesh(bind('B')), 'full')).used).toEqual([['/m', '/B', '/C', '/C']]);
  });

  it('that are used or left out are said once a kind, however many shapes there are', async () => {
    const walls = [0, 1, 2, 3, 4].map((i) => quad(`wall${i}`, bind('C', 'full')));
    const others = [0, 1].map((i) => quad(`other${i}`, `${bind('A')}\n${bind('B', 'full')}\n${bind('D', 'physics')}`));
    const { used, said } = await boundByMesh([...walls, ...others].join('\n'));
    expect(used.map(([, material]) => material)).toEqual(['/C', '/C', '/C', '/C', '/C', '/A', '/A']);
    expect(said).toEqual([
      'UC1966 info /wall0: used because nothing else is bound: 5 material bindings of purpose full; this is the first',
      'UC1967 info /other0: left out: 2 material bindings of purpose physics; this is the first',
      'UC1967 info /other0: left out: 2 material bindings of purpose full; this is the first',
    ]);
    // One binding that many shapes inherit is one; the same material for both purposes is no loss.
    const shared = `def Xform "x" {\n${bind('B', 'full')}\n${quad('m', '')}\n${quad('n', bind('A'))}\n}`;
    expect((await boundByMesh(shared)).said).toEqual([
      'UC1966 info /x/m: used because nothing else is bound: 1 material binding of purpose full',
      'UC1967 info /x/n: left out: 1 material binding of purpose full',
    ]);
    const group = `def Xform "x" {\n${bind('A')}\n${bind('B', 'full')}\n${quad('m', '')}\n${quad('n', '')}\n}`;
    expect((await boundByMesh(group)).said).toEqual(['UC1967 info /x/m: left out: 1 material binding of purpose full']);
    expect((await boundByMesh(quad('m', `${bind('A')}\n${bind('A', 'full')}`))).said).toEqual([]);
  });

  describe('full, with a material that cannot be read', () => {
    const foreign = `def Material "R" {
      token outputs:ri:surface.connect = </R/s.outputs:out>
      def Shader "s" {
        uniform token info:id = "PxrSurface"
        token outputs:out
      }
    }
    def Material "Empty" {
    }`;
    const full = (properties: string) => boundByMesh(`${quad('m', properties)}\n${foreign}`, 'full');

    it('gives way to the next that can, with a warning', async () => {
      const { used, said } = await full(`${bind('R', 'full')}\n${bind('B')}\n${bind('A', 'preview')}`);
      expect(used).toEqual([['/m', '/B']]);
      expect(said).toEqual([
        'UC1968 warning /R: its surface is PxrSurface; /B is used instead',
        'UC1967 info /m: left out: 1 material binding of purpose preview',
      ]);
      const empty = await full(`${bind('Empty', 'full')}\n${bind('A', 'preview')}`);
      expect(empty.used).toEqual([['/m', '/A']]);
      expect(empty.said).toEqual(['UC1968 warning /Empty: it has no surface; /A is used instead']);
      const third = await full(`${bind('R', 'full')}\n${bind('Empty')}\n${bind('A', 'preview')}`);
      expect([third.used, third.said]).toEqual([
        [['/m', '/A']],
        ['UC1968 warning /R: its surface is PxrSurface; /A is used instead'],
      ]);
    });

    it('stays where no other can be read: its constants are used', async () => {
      const alone = await full(bind('R', 'full'));
      expect([alone.used, alone.said]).toEqual([
        [['/m', '/R']],
        ['UC1903 warning /R: the surface is PxrSurface; only its constants are carried over'],
      ]);
      expect((await full(`${bind('R', 'full')}\n${bind('Empty')}`)).used).toEqual([['/m', '/R']]);
    });

    it('is said once for all shapes', async () => {
      const shapes = ['m', 'n', 'o'].map((name) => quad(name, `${bind('R', 'full')}\n${bind('B')}`));
      const { used, said } = await boundByMesh(`${shapes.join('\n')}\n${foreign}`, 'full');
      expect([used.map(([, material]) => material), said.length]).toEqual([['/B', '/B', '/B'], 1]);
    });
  });
});
