import { damaged } from './format-helpers.ts';

/** A box of the ISO base media file format: a four-letter type and its content. */
export type Box = { type: string; data: Buffer; whole: Buffer };

export function listBoxes(data: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= data.length;) {
    const short = data.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(data.readBigUInt64BE(at + 8)) : short === 0 ? data.length - at : short;
    const end = at + size;
    if (size < head || end > data.length) throw damaged();
    boxes.push({ type: data.toString('latin1', at + 4, at + 8), data: data.subarray(at + head, end), whole: data.subarray(at, end) });
    at = end;
  }
  return boxes;
}

export function box(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
  head.writeUInt32BE(content.reduce((sum, part) => sum + part.length, head.length));
  return Buffer.concat([head, ...content]);
}

export const fullBox = (type: string, version: number, flags: number, ...content: Buffer[]) =>
  box(type, uint32(version * 2 ** 24 + flags), ...content);

export function uint16(...values: number[]) {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

export function uint32(...values: number[]) {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** Reads numbers one after another. Throws at the end of the data. */
export class BoxReader {
  readonly data: Buffer;
  at = 0;

  constructor(data: Buffer) {
    this.data = data;
  }

  /** A number of so many bytes; 0 for no bytes. */
  uint(bytes: number): number {
    let value = 0;
    for (let left = bytes; left > 0; left -= 1) {
      const byte = this.data[this.at++];
      if (byte === undefined) throw damaged();
      value = value * 256 + byte;
    }
    return value;
  }

  text(bytes: number): string {
    this.at += bytes;
    if (this.at > this.data.length) throw damaged();
    return this.data.toString('latin1', this.at - bytes, this.at);
  }

  get isAtEnd() {
    return this.at >= this.data.length;
  }
}
