import { sanitizeAv1 } from './av1.ts';
import { type AvifItem, AvifItems } from './avif-items.ts';
import { box, fullBox, uint16, uint32 } from './boxes.ts';
import { type SanitizedImage, estimateMemory, readColourProfile, damaged, tooCostly, unreadable } from './format-helpers.ts';

/** Enough for 12 megapixels in the tiles of 512 × 512 that some phones write. */
const maxTiles = 64;
/** The decoder holds the whole picture three times. */
const bytesPerPixel = { usual: 19, deep: 28 };

/** An item of the output. References count from 1 in the order of writing. */
type Written = { type: string; data: Buffer; properties: { bytes: Buffer; essential: boolean }[]; tiles: number[]; alphaOf?: number };

/** Keeps the primary picture, single or a grid, with its alpha channel. Rejects videos. */
export function sanitizeAvif(file: Buffer): SanitizedImage {
  const items = new AvifItems(file);
  const written: Written[] = [];
  let pixels = 0;
  let isDeep = false;

  const addPicture = (item: AvifItem) => {
    if (item.type !== 'av01') throw unreadable();
    const picture = sanitizeAv1(item.data);
    const named = getSize(item);
    if (picture.width !== named.width || picture.height !== named.height) throw damaged();
    pixels += picture.width * picture.height;
    isDeep ||= picture.isDeep;
    return written.push({ type: 'av01', data: picture.bytes, properties: listProperties(item), tiles: [] });
  };
  const add = (item: AvifItem) => {
    if (item.type !== 'grid') return addPicture(item);
    const tiles = item.refs.get('dimg') ?? [];
    checkGrid(item, tiles.length);
    const grid = { type: 'grid', data: item.data, properties: listProperties(item), tiles: [] as number[] };
    const number = written.push(grid);
    grid.tiles = tiles.map((tile) => addPicture(items.item(tile)));
    return number;
  };

  const primary = items.item(items.primary);
  const { width, height } = getSize(primary);
  estimateMemory(width, height, bytesPerPixel.usual);
  const number = add(primary);
  const coloured = pixels;
  const alpha = items.alphaOf(primary.id);
  if (alpha) {
    const alphaNumber = add(alpha);
    const one = written[alphaNumber - 1];
    if (one) one.alphaOf = number;
    if (pixels > coloured * 2) throw damaged();
  }
  const memory = estimateMemory(width, height, isDeep ? bytesPerPixel.deep : bytesPerPixel.usual);
  // Tiles may exceed the edges of their grid by little.
  if (coloured > width * height * 1.5 + 1_000_000) throw tooCostly();
  // The decoder applies the rotation in the item's properties itself.
  return { bytes: buildFile(written), orientation: 1, memory };
}

function getSize(item: AvifItem) {
  const size = item.properties.find((one) => one.type === 'ispe')?.data;
  if (size?.length !== 12) throw damaged();
  const [width, height] = [size.readUInt32BE(4), size.readUInt32BE(8)];
  if (width === 0 || height === 0) throw damaged();
  return { width, height };
}

function checkGrid(item: AvifItem, tiles: number) {
  const [version = 0, flags = 0, rows = 0, columns = 0] = item.data;
  const isWide = (flags & 1) === 1;
  if (version !== 0 || item.data.length < (isWide ? 12 : 8) || tiles !== (rows + 1) * (columns + 1)) throw damaged();
  const [width, height] = isWide
    ? [item.data.readUInt32BE(4), item.data.readUInt32BE(8)]
    : [item.data.readUInt16BE(4), item.data.readUInt16BE(6)];
  const named = getSize(item);
  if (width !== named.width || height !== named.height) throw damaged();
  if (tiles > maxTiles) throw tooCostly();
}

/** Size, depth, colours, crop, rotation and mirroring: each once, in the file's order. */
function listProperties(item: AvifItem) {
  const seen = new Set<string>();
  return item.properties.flatMap(({ type, data, whole, essential }) => {
    const kind = type === 'colr' ? type + data.toString('latin1', 0, 4) : type;
    if (seen.has(kind)) return [];
    seen.add(kind);
    if (type === 'colr') return buildColourBox(data).map((bytes) => ({ bytes, essential }));
    // Another header may follow the four bytes of the configuration.
    if (type === 'av1C') return [{ bytes: box('av1C', data.subarray(0, 4)), essential }];
    const isAllowed = /^(ispe|pixi|irot|imir|clap|auxC)$/.test(type) && whole.length <= 100;
    return isAllowed ? [{ bytes: box(type, data), essential }] : [];
  });
}

function buildColourBox(data: Buffer) {
  const kind = data.toString('latin1', 0, 4);
  if (kind === 'nclx' && data.length === 11) return [box('colr', data)];
  const profile = kind === 'prof' || kind === 'rICC' ? readColourProfile(data.subarray(4)) : undefined;
  return profile ? [box('colr', Buffer.from('prof'), profile)] : [];
}

function buildFile(items: readonly Written[]): Buffer {
  const properties = items.flatMap((item) => item.properties);
  const infos = items.map((item, index) => fullBox('infe', 2, 0, uint16(index + 1, 0), Buffer.from(`${item.type}\0`, 'latin1')));
  const refs = items.flatMap((item, index) => [
    ...(item.tiles.length > 0 ? [box('dimg', uint16(index + 1, item.tiles.length, ...item.tiles))] : []),
    ...(item.alphaOf ? [box('auxl', uint16(index + 1, 1, item.alphaOf))] : []),
  ]);
  let used = 0;
  const links = items.map((item, index) => {
    const numbers = item.properties.map(({ essential }) => (essential ? 0x8000 : 0) + ++used);
    return Buffer.concat([uint16(index + 1), Buffer.from([numbers.length]), uint16(...numbers)]);
  });
  const meta = (start: number) => {
    let at = start;
    const places = items.map((item, index) => {
      const place = Buffer.concat([uint16(index + 1, 0, 1), uint32(at, item.data.length)]);
      at += item.data.length;
      return place;
    });
    return fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, uint16(1)),
      fullBox('iloc', 0, 0, uint16(0x4400, items.length), ...places),
      fullBox('iinf', 0, 0, uint16(items.length), ...infos),
      ...(refs.length > 0 ? [fullBox('iref', 0, 0, ...refs)] : []),
      box('iprp', box('ipco', ...properties.map((property) => property.bytes)), fullBox('ipma', 0, 1, uint32(items.length), ...links)),
    );
  };
  const type = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));
  const start = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(start), box('mdat', ...items.map((item) => item.data))]);
}
