import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import { isXml } from '../../../../src/importers/usd/mtlx/readMtlx.ts';
import { errorOf, mtlx, read } from './layerText.ts';

const LIGHT = '<surface_unlit name="S" type="surfaceshader"/>';
const MATERIAL = `${LIGHT}<surfacematerial name="M" type="material">
  <input name="surfaceshader" type="surfaceshader" nodename="S"/></surfacematerial>`;

describe('XML that is no MaterialX', () => {
  it.each([
    ['', /^UC1950 line 1, column 0: document must contain a root element/],
    ['hello', /^UC1950 line 1/],
    ['<materialx>', /^UC1950 line 1, column \d+: unclosed tag: materialx/],
    ['<materialx>\n\n  <a></b></materialx>', /^UC1950 line 3, column \d+: unexpected close tag/],
    ['<materialx a="1" a="2"/>', /^UC1950 line 1, column \d+: duplicate attribute: a/],
    ['<look/>', /^UC1950 line 1: the root element is <look>, not <materialx>/],
    ['#usda 1.0', /^UC1950/],
  ])('%j', (text, expected) => {
    expect(errorOf(text)).toMatch(expected);
  });

  it('bytes that are no text', () => {
    expect(errorOf(Uint8Array.of(0x3c, 0x61, 0xff, 0x2f, 0x3e))).toBe('UC1950 the bytes are not UTF-8 text');
  });

  it('entities do not expand: the document defines none that counts', () => {
    const bomb = `<!DOCTYPE materialx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<materialx x="&b;"/>`;
    expect(errorOf(bomb)).toMatch(/^UC1950 line 2, column \d+: undefined entity/);
    const file = '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<materialx>&x;</materialx>';
    expect(errorOf(file)).toMatch(/^UC1950 line 2, column \d+: undefined entity/);
    const known = read(
      mtlx(`<constant name="c" type="string"><input name="value" type="string" value="&lt;&amp;&#65;"/></constant>
      <dot name="d" type="string"><input name="in" type="string" nodename="c"/></dot>${MATERIAL.replace('"/><', '"><input name="opacity" type="float" nodename="d"/></surface_unlit><')}`),
    );
    expect(known.lines).toContain('      string inputs:value = "<&A"');
  });

  it('UTF-16 and byte order marks are read', () => {
    const text = mtlx(MATERIAL).replace('<?xml version="1.0"?>\n', '');
    const plain = read(text).lines;
    expect(read(`\ufeff${text}`).lines).toEqual(plain);
    const wide = new Uint8Array(2 + 2 * text.length);
    wide.set([0xff, 0xfe]);
    for (let i = 0; i < text.length; i++) wide[2 + 2 * i] = text.charCodeAt(i);
    expect(read(wide).lines).toEqual(plain);
  });

  it('is told from USD layers by its first characters', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(isXml(bytes('<?xml version="1.0"?><materialx/>'))).toBe(true);
    expect(isXml(bytes('\ufeff  <materialx/>'))).toBe(true);
    expect(isXml(bytes('<!-- c --><materialx/>'))).toBe(true);
    expect(isXml(bytes('#usda 1.0'))).toBe(false);
    expect(isXml(bytes('PXR-USDC'))).toBe(false);
    expect(isXml(bytes('</World>'))).toBe(false);
    expect(isXml(bytes(''))).toBe(false);
  });
});

describe('limits', () => {
  it('depth', () => {
    expect(errorOf(`<materialx>${'<a>'.repeat(64)}`)).toMatch(/^UC1951 line 1, column \d+: .* deeper than 64/);
    expect(errorOf(`<materialx>${'<a>'.repeat(63)}${'</a>'.repeat(63)}</materialx>`)).toBe('no error');
  });

  it('elements and attributes', () => {
    expect(errorOf(`<materialx>${'<a/>'.repeat(500_000)}</materialx>`)).toMatch(/^UC1951 .* more than 500000 elements/);
    const many = Array.from({ length: 257 }, (_, i) => `a${i}=""`).join(' ');
    expect(errorOf(`<materialx ${many}/>`)).toMatch(/^UC1951 .* more than 256 attributes/);
  });

  it('definitions of one node', () => {
    const defs = Array.from({ length: 257 }, (_, i) => `<nodedef name="n${i}" node="x"/>`).join('\n');
    expect(errorOf(mtlx(`${defs}${MATERIAL}`))).toMatch(/^UC1951 line 259: more than 256 definitions of <x>/);
  });

  it('definitions that inherit in a circle or a long chain', () => {
    const circle = '<nodedef name="a" node="x" inherit="b"/><nodedef name="b" node="x" inherit="a"/>';
    expect(errorOf(mtlx(`${circle}${MATERIAL}`))).toBe('no error');
    const chain = Array.from({ length: 40 }, (_, i) => `<nodedef name="n${i}" node="x${i}" inherit="n${i + 1}"/>`);
    expect(errorOf(mtlx(`${chain.join('')}${MATERIAL}`))).toMatch(/^UC1951 .* longer than 32/);
  });

  it('inputs of a definition that many materials repeat', () => {
    const long = 'x'.repeat(1_000);
    const inputs = Array.from({ length: 300 }, (_, i) => `<input name="${long}${i}" type="float"/>`).join('');
    const def = `<nodedef name="ND_s" node="s">${inputs}<output name="out" type="surfaceshader"/></nodedef>`;
    const materials = Array.from(
      { length: 60 },
      (_, i) => `<surfacematerial name="m${i}" type="material">
        <input name="surfaceshader" type="surfaceshader" nodename="S"/></surfacematerial>`,
    );
    const document = (count: number) =>
      mtlx(`${def}<s name="S" type="surfaceshader"/>${materials.slice(0, count).join('')}`);
    expect(errorOf(document(20))).toBe('no error');
    expect(errorOf(document(60))).toMatch(/^UC1951 the materials have too many inputs/);
  });

  it('nodes in a circle are connected as they are', () => {
    const { said } = read(
      mtlx(`<dot name="a" type="float"><input name="in" type="float" nodename="b"/></dot>
        <dot name="b" type="float"><input name="in" type="float" nodename="a"/></dot>
        <nodedef name="ND_r" node="r"><output name="out" type="float"/></nodedef>
        <nodegraph name="NG_r" nodedef="ND_r"><r name="again" type="float"/><output name="out" type="float" nodename="again"/></nodegraph>
        <r name="c" type="float"/>
        ${MATERIAL.replace('"/><', '"><input name="opacity" type="float" nodename="a"/><input name="emission" type="float" nodename="c"/></surface_unlit><')}`),
    );
    expect(said).toEqual([]);
  });
});

describe('included documents', () => {
  const files = (table: Record<string, string>) => (from: string, href: string) => ({
    identifier: `${from.slice(0, from.lastIndexOf('/'))}/${href}`,
    bytes: new TextEncoder().encode(table[href] ?? ''),
  });
  const include = (href: string) => `<xi:include href="${href}"/>`;

  it('are part of the document, with what their root says of them', () => {
    const library = mtlx(
      '<image name="i" type="color3"><input name="file" type="filename" value="a.png"/></image>',
      'fileprefix="lib/" colorspace="srgb_texture"',
    );
    const { at, said } = read(
      mtlx(
        `${include('lib.mtlx')}${MATERIAL.replace('"/><', '"><input name="emission_color" type="color3" nodename="i"/></surface_unlit><')}`,
        'colorspace="lin_rec709"',
      ),
      files({ 'lib.mtlx': library }),
    );
    expect(at('/MaterialX/NodeGraphs/i')).toContain('  asset inputs:file = @lib/a.png@ colorSpace=srgb_texture');
    expect(said).toEqual([]);
  });

  it('once each, however often they are named', () => {
    const { said, lines } = read(
      mtlx(`${include('a.mtlx')}${include('b.mtlx')}`),
      files({ 'a.mtlx': mtlx(include('c.mtlx')), 'b.mtlx': mtlx(include('c.mtlx')), 'c.mtlx': mtlx(MATERIAL) }),
    );
    expect(lines.filter((line) => line.includes('def Material '))).toEqual(['    def Material M']);
    expect(said).toEqual([]);
  });

  it('with a namespace have names of their own, which they use among themselves', () => {
    const library = mtlx(
      `<constant name="c" type="float"><input name="value" type="float" value="0.5"/></constant>
       <dot name="d" type="float"><input name="in" type="float" nodename="c"/></dot>`,
      'namespace="lib"',
    );
    const { at, said } = read(
      mtlx(`<constant name="c" type="float"/>${include('lib.mtlx')}
        ${MATERIAL.replace('"/><', '"><input name="opacity" type="float" nodename="lib:d"/></surface_unlit><')}`),
      files({ 'lib.mtlx': library }),
    );
    expect(at('/MaterialX/NodeGraphs/lib__d')).toContain(
      '  float inputs:in <- /MaterialX/NodeGraphs/lib__c.outputs:out',
    );
    expect(said).toEqual([]);
  });

  it('in a circle end there', () => {
    const { said } = read(mtlx(include('a.mtlx')), files({ 'a.mtlx': mtlx(`\n${include('a.mtlx')}`) }));
    expect(said).toEqual(['UC1953 <xi:include href="a.mtlx"> line 4: the documents include each other in a circle']);
  });

  it('that nothing can read, name nothing or stand elsewhere are left out', () => {
    expect(read(mtlx(include('a.mtlx'))).said).toEqual([
      'UC1953 <xi:include href="a.mtlx"> line 3: this document cannot include others',
    ]);
    expect(read(mtlx('<xi:include/>'), files({})).said).toEqual([
      'UC1953 <xi:include href=""> line 3: the inclusion names no document',
    ]);
    expect(read(mtlx(`<nodegraph name="g">${include('a')}</nodegraph>`), files({})).said).toEqual([
      'UC1953 /g/<xi:include> line 3: only the top level of a document can include others',
    ]);
  });

  it('that are missing, broken or too many are errors', () => {
    const missing = () => {
      throw new SourceError({ code: 'UC1203', severity: 'error', file: 'f', path: 'p', message: 'gone', remedy: '' });
    };
    expect(errorOf(mtlx(include('a')), missing)).toBe('UC1203 gone');
    expect(errorOf(mtlx(include('a')), files({ a: '<x/>' }))).toMatch(/^UC1950 .*<x>/);
    expect(errorOf(mtlx(include('a').repeat(257)), files({ a: mtlx('') }))).toMatch(/^UC1951 more than 256 inclusions/);
  });
});
