import { describe, expect, it } from 'vitest';
import { decodeActionResult, encodeActionResult } from '../../../../src/output/cache/remote/actionResult.ts';

const hash = 'ab'.repeat(32);

describe('an ActionResult', () => {
  // Worked out by hand: tag = field * 8 + wire type, lengths and 300 as varints.
  const literal = Buffer.concat([
    Buffer.from([0x12, 0x4d]), // output_files, 77 bytes
    Buffer.from([0x0a, 0x05]),
    Buffer.from('entry'),
    Buffer.from([0x12, 0x44 + 1]), // digest, 69 bytes
    Buffer.from([0x0a, 0x40]),
    Buffer.from(hash),
    Buffer.from([0x10, 0xac, 0x02]), // size_bytes 300
    Buffer.from([0x2a, 0x02, 0x07, 0x08]), // stdout_raw
  ]);
  const message = { path: 'entry', hash, size: 300, stdout: new Uint8Array([7, 8]) };

  it('has the bytes of protocol buffers', () => {
    literal[1] = 2 + 5 + 2 + 69;
    expect(Buffer.from(encodeActionResult(message)).toString('hex')).toBe(literal.toString('hex'));
  });

  it('is read with fields that we do not write', () => {
    const extra = Buffer.from([0x20, 0x00, 0x32, 0x01, 0x61, 0x39, 1, 2, 3, 4, 5, 6, 7, 8, 0x3d, 1, 2, 3, 4]);
    const read = decodeActionResult(Buffer.concat([extra, encodeActionResult(message)]));
    expect(read && { ...read, stdout: [...read.stdout] }).toEqual({ ...message, stdout: [7, 8] });
  });

  it('is null for anything else', () => {
    const whole = encodeActionResult({ ...message, stdout: new Uint8Array(0) });
    for (let length = 0; length < whole.length; length++)
      expect(decodeActionResult(whole.subarray(0, length))).toBeNull();
    expect(decodeActionResult(Buffer.from('<html>not found</html>'))).toBeNull();
    expect(decodeActionResult(new Uint8Array(40).fill(0xff))).toBeNull();
    expect(decodeActionResult(encodeActionResult({ ...message, hash: '../../etc' }))).toBeNull();
    expect(decodeActionResult(Buffer.concat([whole, whole]))).toBeNull();
  });
});
