import { type Box, BoxReader, listBoxes } from './boxes.ts';
import { damaged, tooCostly, unreadable } from './format-helpers.ts';

/** An item in an AVIF file: a picture, a grid of pictures, or metadata. */
export type AvifItem = {
  id: number;
  type: string;
  data: Buffer;
  properties: (Box & { essential: boolean })[];
  refs: Map<string, number[]>;
};

/** Maximum number of extents per item: encoders write one. */
const maxPieces = 64;

/** The items of an AVIF file. Data are read on demand. */
export class AvifItems {
  readonly primary: number;
  readonly #file: Buffer;
  /** Remaining bytes to read. Items may share bytes, so the total is bounded. */
  #left: number;
  readonly #stored: Buffer;
  readonly #types = new Map<number, string>();
  readonly #places = new Map<number, { isInMeta: boolean; extents: [from: number, length: number][] }>();
  readonly #properties: Box[];
  readonly #links = new Map<number, { index: number; essential: boolean }[]>();
  readonly #refs = new Map<number, Map<string, number[]>>();

  constructor(file: Buffer) {
    this.#file = file;
    this.#left = file.length;
    const meta = listBoxes(file).find((one) => one.type === 'meta');
    if (!meta) throw unreadable();
    const boxes = listBoxes(meta.data.subarray(4));
    const named = (type: string, among = boxes) => among.find((one) => one.type === type)?.data ?? Buffer.alloc(0);
    this.#stored = named('idat');
    const properties = listBoxes(named('iprp'));
    this.#properties = listBoxes(named('ipco', properties));

    const primary = new BoxReader(named('pitm'));
    this.primary = primary.uint(4) >= 2 ** 24 ? primary.uint(4) : primary.uint(2);
    this.#readTypes(named('iinf'));
    this.#readPlaces(new BoxReader(named('iloc')));
    for (const { type, data } of properties) if (type === 'ipma') this.#readLinks(new BoxReader(data));
    this.#readRefs(named('iref'));
  }

  item(id: number): AvifItem {
    const type = this.#types.get(id);
    const place = this.#places.get(id);
    if (type === undefined || !place) throw damaged();
    const source = place.isInMeta ? this.#stored : this.#file;
    const pieces = place.extents.map(([from, length]) => {
      const end = length === 0 ? source.length : from + length;
      this.#left -= end - from;
      if (this.#left < 0 || from > end || end > source.length) throw damaged();
      return source.subarray(from, end);
    });
    const properties = (this.#links.get(id) ?? []).flatMap(({ index, essential }) => {
      const property = this.#properties[index - 1];
      return property ? [{ ...property, essential }] : [];
    });
    return { id, type, data: Buffer.concat(pieces), properties, refs: this.#refs.get(id) ?? new Map() };
  }

  /** The alpha channel of a picture. */
  alphaOf(id: number): AvifItem | undefined {
    for (const [from, refs] of this.#refs) {
      if (!refs.get('auxl')?.includes(id)) continue;
      const item = this.item(from);
      const kind = item.properties.find((one) => one.type === 'auxC')?.data.toString('latin1', 4) ?? '';
      if (/^urn:mpeg:(mpegB:cicp:systems:auxiliary:alpha|hevc:2015:auxid:1)\0/.test(kind)) return item;
    }
    return undefined;
  }

  #readTypes(data: Buffer) {
    const isLarge = (data[0] ?? 0) > 0;
    for (const entry of listBoxes(data.subarray(isLarge ? 8 : 6))) {
      const reader = new BoxReader(entry.data);
      const version = reader.uint(4) >> 24;
      const id = reader.uint(version > 2 ? 4 : 2);
      reader.uint(2);
      if (!this.#types.has(id)) this.#types.set(id, reader.text(4));
    }
  }

  #readPlaces(reader: BoxReader) {
    const version = reader.uint(4) >> 24;
    const sizes = reader.uint(2);
    const [offsetSize, lengthSize, baseSize, indexSize] = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 15) as [
      number,
      number,
      number,
      number,
    ];
    for (let left = reader.uint(version < 2 ? 2 : 4); left > 0; left -= 1) {
      const id = reader.uint(version < 2 ? 2 : 4);
      const method = version > 0 ? reader.uint(2) & 15 : 0;
      reader.uint(2);
      const base = reader.uint(baseSize);
      const extents: [number, number][] = [];
      const pieces = reader.uint(2);
      if (pieces > maxPieces) throw tooCostly();
      for (let more = pieces; more > 0; more -= 1) {
        if (version > 0) reader.uint(indexSize);
        extents.push([base + reader.uint(offsetSize), reader.uint(lengthSize)]);
      }
      if (method < 2) this.#places.set(id, { isInMeta: method === 1, extents });
    }
  }

  #readLinks(reader: BoxReader) {
    const head = reader.uint(4);
    const isWide = (head & 1) === 1;
    for (let left = reader.uint(4); left > 0; left -= 1) {
      const id = reader.uint(head >= 2 ** 24 ? 4 : 2);
      const links: { index: number; essential: boolean }[] = [];
      for (let more = reader.uint(1); more > 0; more -= 1) {
        const value = reader.uint(isWide ? 2 : 1);
        const mark = isWide ? 0x8000 : 0x80;
        links.push({ index: value % mark, essential: value >= mark });
      }
      this.#links.set(id, links);
    }
  }

  #readRefs(data: Buffer) {
    const bytes = (data[0] ?? 0) > 0 ? 4 : 2;
    for (const { type, data: content } of listBoxes(data.subarray(4))) {
      const reader = new BoxReader(content);
      const from = reader.uint(bytes);
      const targets = Array.from({ length: reader.uint(2) }, () => reader.uint(bytes));
      const known = this.#refs.get(from) ?? new Map<string, number[]>();
      this.#refs.set(from, known.set(type, targets));
    }
  }
}
