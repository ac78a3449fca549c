// Layers and textures over several files: packages, packages in packages, and where each layer's paths lead.

import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { memoryFiles, type SourceFiles } from '../../../src/importers/files.ts';
import { importUsd } from '../../../src/importers/usd/index.ts';
import type { Scene } from '../../../src/scene/types.ts';
import { layer, quad, usda } from './importText.ts';
import { usdz } from './usdzWriter.ts';

const png = (name: string) => new TextEncoder().encode(name);

/** A layer whose default prim is a quad with a texture, and more that it brings in. */
function textured(path: string, arcs = ''): Uint8Array {
  return layer(
    `def Xform "Asset" ${arcs} {
       ${quad('m', 'rel material:binding = </Asset/M>')}
       def Material "M" {
         token outputs:surface.connect = </Asset/M/s.outputs:surface>
         def Shader "s" {
           uniform token info:id = "UsdPreviewSurface"
           color3f inputs:diffuseColor.connect = </Asset/M/t.outputs:rgb>
         }
         def Shader "t" {
           uniform token info:id = "UsdUVTexture"
           asset inputs:file = @${path}@
         }
       }
     }`,
    'defaultPrim = "Asset"',
  );
}

async function load(source: string, files: Record<string, Uint8Array>) {
  const reads: string[] = [];
  const memory = memoryFiles(files, '/r');
  const counted: SourceFiles = {
    ...memory,
    open: (path, from, element) => {
      reads.push(path);
      return memory.open(path, from, element);
    },
  };
  const diagnostics = new Diagnostics();
  const context = { files: counted, diagnostics, options: { tolerant: true } };
  const scene = await importUsd(source, memoryContent(files[source]), context);
  const errors = diagnostics.list.filter((d) => d.severity === 'error').map((d) => `${d.code} ${d.path} ${d.message}`);
  return { scene, reads, errors };
}

async function textures(scene: Scene): Promise<string[]> {
  const contents: string[] = [];
  for (const image of scene.images) contents.push(`${image.file} ${new TextDecoder().decode(await image.read())}`);
  return contents;
}

const drawn = (scene: Scene) => scene.nodes.filter((n) => n.mesh >= 0).map((n) => n.path);

describe('texture paths', () => {
  it('lead from the layer that authors them, over references, sublayers and variants', async () => {
    const { scene, errors } = await load('/r/town/town.usda', {
      '/r/town/town.usda': usda(
        `def "a" ( references = @../lib/asset.usda@ ) {}
         def "b" ( references = @../lib/asset.usda@ ) {
           over "M" { over "t" {
             asset inputs:file = @./own.png@
           } }
         }
         def "c" ( references = @../kit/kit.usda@
           variants = { string skin = "old" } ) {}`,
      ),
      '/r/lib/asset.usda': textured('./tex/a.png'),
      '/r/lib/tex/a.png': png('A'),
      '/r/town/own.png': png('OWN'),
      '/r/kit/kit.usda': layer('', 'defaultPrim = "Asset"\n subLayers = [@./skins/skins.usda@, @../lib/asset.usda@]'),
      '/r/kit/skins/skins.usda': layer(
        `over "Asset" ( prepend variantSets = "skin" ) {
           variantSet "skin" = { "old" { over "M" { over "t" { asset inputs:file = @old.png@ } } } }
         }`,
      ),
      '/r/kit/skins/old.png': png('OLD'),
    });
    expect(errors).toEqual([]);
    expect(drawn(scene)).toEqual(['/a/m', '/b/m', '/c/m']);
    // The sublayered asset is the same local opinion as the variant's layer: local opinions win over variants.
    expect(await textures(scene)).toEqual(['/r/lib/tex/a.png A', '/r/town/own.png OWN']);
    expect(scene.images.map((image) => image.path)).toEqual(['/a/M/t.inputs:file', '/b/M/t.inputs:file']);
  });
});

describe('packages', () => {
  const inner = usdz([
    ['inner.usda', textured('i.png')],
    ['i.png', png('INNER')],
  ]);
  const middle = usdz([
    ['sub/root.usda', textured('m.png', '( references = @../parts/inner.usdz@ )')],
    ['sub/m.png', png('MIDDLE')],
    ['parts/inner.usdz', inner],
    ['parts/side.usda', textured('./s.png')],
    ['parts/s.png', png('SIDE')],
  ]);

  it('are referenced as their first file, or by the file in them, also through packages in packages', async () => {
    const { scene, errors, reads } = await load('/r/town.usda', {
      '/r/town.usda': usda(
        `def "whole" ( references = @./p/middle.usdz@ ) {}
         def "side" ( references = @./p/middle.usdz[parts/side.usda]@ ) {}
         def "deep" ( references = @./p/middle.usdz[parts/inner.usdz[inner.usda]]@ ) {}
         def "pack" ( references = @./p/middle.usdz[parts/inner.usdz]@ ) {}`,
      ),
      '/r/p/middle.usdz': middle,
    });
    expect(errors).toEqual([]);
    expect(drawn(scene)).toEqual(['/whole/m', '/side/m', '/deep/m', '/pack/m']);
    expect(await textures(scene)).toEqual([
      '/r/p/middle.usdz[sub/m.png] MIDDLE',
      '/r/p/middle.usdz[parts/s.png] SIDE',
      '/r/p/middle.usdz[parts/inner.usdz[i.png]] INNER',
    ]);
    // The package is read once, whatever is taken from it; the root layer was given.
    expect(reads).toEqual(['/r/p/middle.usdz']);
  });

  it('compose on their own', async () => {
    const { scene, errors, reads } = await load('/r/middle.usdz', { '/r/middle.usdz': middle });
    expect(errors).toEqual([]);
    expect(scene.kind).toBe('usdz');
    expect(drawn(scene)).toEqual(['/Asset/m']);
    expect(await textures(scene)).toEqual(['/r/middle.usdz[sub/m.png] MIDDLE']);
    expect(reads).toEqual([]);
  });

  it('never reach outside of themselves, and name what they lack', async () => {
    const { errors } = await load('/r/p.usdz', {
      '/r/p.usdz': usdz([['a.usda', layer('def "x" ( references = [@../out.usda@, @gone.usda@] ) {}')]]),
      '/r/out.usda': textured('a.png'),
    });
    expect(errors).toEqual([
      expect.stringMatching(/^UC1711 \/x .*@..\/out.usda@: UC1609/),
      expect.stringMatching(/^UC1711 \/x .*@gone.usda@: UC1608/),
    ]);
  });

  it('that are damaged are named by the arc that wants them', async () => {
    const { errors } = await load('/r/town.usda', {
      '/r/town.usda': usda('def "x" ( references = @./p.usdz@ ) {}'),
      '/r/p.usdz': middle.slice(0, 200),
    });
    expect(errors).toEqual([expect.stringMatching(/^UC1711 \/x .*@.\/p.usdz@: UC160/)]);
  });
});
