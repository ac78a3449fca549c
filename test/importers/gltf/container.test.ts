import { describe, expect, test } from 'vitest';
import { findJsonFault } from '../../../src/bytes/jsonFault.ts';
import { buildGlb, buildGltf, buildJson, glb, load, loadAll, ONE_TRIANGLE, refusal } from './build.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the GLB container', () => {
  test('JSON and binary chunk become a scene', async () => {
    const { scene, codes } = await loadAll(buildGlb(ONE_TRIANGLE));
    expect(scene.kind).toBe('glb');
    expect(scene.upAxis).toBe('Y');
    expect(scene.metersPerUnit).toBe(1);
    expect(scene.meshes[0].primitives[0].triangleCount).toBe(1);
    expect(codes).toEqual([]);
  });

  test('the least GLB there is, byte for byte', async () => {
    const bytes = bytesOf('glTF\x02\0\0\0\x30\0\0\0\x1c\0\0\0JSON{"asset":{"version":"2.0"}} ');
    bytes[12] = 28;
    const { scene, codes } = await load(bytes);
    expect(scene.nodes).toEqual([]);
    expect(codes).toEqual(['UC1323']);
  });

  test('unknown chunks and bytes behind the end are skipped and said', async () => {
    const plain = buildGlb(ONE_TRIANGLE);
    const more = new Uint8Array(plain.length + 12);
    more.set(plain);
    more.set([4, 0, 0, 0, 0x41, 0x42, 0x43, 0x44, 1, 2, 3, 4], plain.length);
    new DataView(more.buffer).setUint32(8, more.length, true);
    const skipped = await loadAll(more);
    expect(skipped.codes).toEqual(['UC1303']);
    new DataView(more.buffer).setUint32(8, plain.length, true);
    expect((await loadAll(more)).codes).toEqual(['UC1303']);
  });

  test('each way of being cut off or damaged has its code', async () => {
    const whole = buildGlb(ONE_TRIANGLE);
    const edit = (offset: number, value: number) => {
      const copy = whole.slice();
      new DataView(copy.buffer).setUint32(offset, value, true);
      return copy;
    };
    expect((await refusal(load(whole.subarray(0, 8)))).code).toBe('UC1206');
    expect((await refusal(load(whole.subarray(0, whole.length - 1)))).code).toBe('UC1206');
    expect((await refusal(load(edit(4, 1)))).code).toBe('UC1304');
    expect((await refusal(load(edit(8, 16)))).code).toBe('UC1300');
    expect((await refusal(load(edit(8, 12)))).code).toBe('UC1300');
    expect((await refusal(load(edit(12, 0xffffffff)))).code).toBe('UC1300');
    expect((await refusal(load(edit(16, 0x004e4942)))).code).toBe('UC1300');
  });

  test('a binary chunk shorter than its buffer is cut off, a longer one is padding', async () => {
    const longer = buildGlb(ONE_TRIANGLE, (json) => {
      json.buffers[0].byteLength = 36;
    });
    expect((await loadAll(longer)).codes).toEqual([]);
    const { json, bin } = buildJson(ONE_TRIANGLE);
    const item = await refusal(load(glb(json, bin.subarray(0, 32))));
    expect(item).toMatchObject({ code: 'UC1310', path: 'buffers/0' });
    expect((await refusal(load(glb(json, null)))).code).toBe('UC1309');
  });
});

describe('plain .gltf', () => {
  test('with its buffer beside it, percent-encoded and not ASCII', async () => {
    const files = buildGltf(ONE_TRIANGLE, 'Straße 1');
    const { scene } = await loadAll(files['Straße 1.gltf'], { files });
    expect(scene.kind).toBe('gltf');
    expect(scene.meshes[0].primitives[0].bounds).toEqual({ min: [0, 0, 0], max: [1, 1, 0] });
  });

  test('a name that really holds a percent sign is found', async () => {
    const files = buildGltf(ONE_TRIANGLE, 'a', (json) => {
      json.buffers[0].uri = '100%25.bin';
    });
    const points = [0, 0, 0, 1, 0, 0, 0, 1, 0];
    const encoded = await loadAll(files['a.gltf'], { files: { '100%25.bin': files['a.bin'] } });
    expect([...encoded.read[0].points]).toEqual(points);
    const broken = buildGltf(ONE_TRIANGLE, 'a', (json) => {
      json.buffers[0].uri = '100%.bin';
    });
    const bare = await loadAll(broken['a.gltf'], { files: { '100%.bin': files['a.bin'] } });
    expect([...bare.read[0].points]).toEqual(points);
  });

  test('with its buffer as a data URI, base64 or percent-encoded', async () => {
    for (const encode of [
      (bin: Uint8Array) => `data:application/octet-stream;base64,${Buffer.from(bin).toString('base64')}`,
      (bin: Uint8Array) => `data:,${[...bin].map((b) => `%${b.toString(16).padStart(2, '0')}`).join('')}`,
    ]) {
      const files = buildGltf(ONE_TRIANGLE, 'a', (json, bin) => {
        json.buffers[0].uri = encode(bin);
      });
      const { read } = await loadAll(files['a.gltf']);
      expect([...read[0].points]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    }
  });

  test('a byte order mark and padding with zeros are passed over', async () => {
    const { json } = buildJson({});
    const text = JSON.stringify(json);
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...bytesOf(text), 0, 0]);
    expect((await load(bytes)).codes).toEqual((await load(bytesOf(text))).codes);
  });

  test('names in another encoding are a warning', async () => {
    const text = bytesOf('{"asset":{"version":"2.0"},"scenes":[{"name":"caf?"}]}');
    text[text.indexOf(0x3f)] = 0xe9;
    expect((await load(text)).codes).toEqual(['UC1302']);
  });

  test('JSON that is not glTF, and other versions of glTF', async () => {
    expect((await refusal(load(bytesOf('{"tiles": []}')))).code).toBe('UC1201');
    expect((await refusal(load(bytesOf('{"asset": {"version": "1.0"}}')))).code).toBe('UC1304');
    expect((await refusal(load(bytesOf('{"asset": {"version": "2.1", "minVersion": "2.1"}}')))).code).toBe('UC1304');
    expect((await refusal(load(bytesOf('[1]')))).code).toBe('UC1307');
    await load(bytesOf('{"asset": {"version": "2.1"}}'));
  });

  test('broken JSON is told with line, column and what should be there', async () => {
    const item = await refusal(load(bytesOf('{"asset": {"version": "2.0"},\n "nodes": [1, 2,]}')));
    expect(item.code).toBe('UC1301');
    expect(item.message).toBe('line 2, column 17 (offset 46): there is "]}" where a value should be');
  });
});

describe('findJsonFault', () => {
  test.each([
    ['', 0, 'a value'],
    ['{', 1, 'a property name in quotes'],
    ['{"a" 1}', 5, "':'"],
    ['[1 2]', 3, "',' or ']'"],
    ['{"a":1]', 6, "',' or '}'"],
    ['[1] x', 4, 'the end of the text'],
    ['"ab', 3, 'a string that ends'],
    ['["\\x"]', 2, 'a string that ends'],
    ['[01]', 2, "',' or ']'"],
    ['[tru]', 1, 'a value'],
  ])('%s', (text, offset, expected) => {
    expect(findJsonFault(text)).toMatchObject({ offset, expected });
  });

  test('finds none exactly where JSON.parse finds none', () => {
    const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"\\n"', '-1.5e3', '0', 'true', 'null', ' ', '"', '01', '.'];
    let state = 7;
    const random = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % n;
    };
    let valid = 0;
    const disagreed: string[] = [];
    for (let i = 0; i < 20000; i++) {
      const text = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join('');
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      if (parses) valid++;
      if ((findJsonFault(text) === null) !== parses) disagreed.push(text);
    }
    expect(disagreed).toEqual([]);
    expect(valid).toBeGreaterThan(100);
  });

  test('deep nesting and long strings do not exhaust the stack', () => {
    expect(findJsonFault('['.repeat(1e5))?.offset).toBe(1e5);
    expect(findJsonFault(`["${'x'.repeat(1e6)}`)?.expected).toBe('a string that ends');
  });
});
