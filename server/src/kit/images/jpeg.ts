import {
  readOrientation,
  type SanitizedImage,
  estimateMemory,
  readColourProfile,
  damaged,
  tooCostly,
  unreadable,
} from './format-helpers.ts';

const startOfPicture = Buffer.from([0xff, 0xd8]);
const endOfPicture = Buffer.from([0xff, 0xd9]);
/** Encoders write about ten; each costs another pass over the picture. */
const maxScans = 40;

type Frame = { width: number; height: number; components: number; samples: number; isProgressive: boolean };

/** Keeps the frame, tables, scans, colour profile and the markers that describe the colour encoding. */
export function sanitizeJpeg(file: Buffer): SanitizedImage {
  const parts: Buffer[] = [];
  const profileParts: Buffer[] = [];
  let orientation: number | undefined;
  let frame: Frame | undefined;
  let scans = 0;
  let isInOneScan = false;
  let hasEnd = true;
  for (let at = 2; ;) {
    at = findMarker(file, at);
    const marker = file[at + 1];
    if (marker === 0xd9) break;
    if (marker === undefined) throw damaged();
    if (isAlone(marker)) {
      at += 2;
      continue;
    }
    const end = at + 2 + file.readUInt16BE(at + 2);
    const data = file.subarray(at + 4, end);
    if (end < at + 4) throw damaged();

    if (isFrame(marker)) {
      if (frame) throw damaged();
      frame = getFrame(marker, data);
      parts.push(file.subarray(at, end));
    } else if (isTable(marker)) parts.push(file.subarray(at, end));
    else if (marker === 0xe0 && startsWith(data, 'JFIF\0') && data.length >= 12) parts.push(getMark(0xe0, data.subarray(0, 12), 2));
    else if (marker === 0xee && startsWith(data, 'Adobe') && data.length >= 12) parts.push(getMark(0xee, data.subarray(0, 12), 0));
    else if (marker === 0xe1 && startsWith(data, 'Exif\0\0')) orientation ??= readOrientation(data.subarray(6));
    else if (marker === 0xe2 && startsWith(data, 'ICC_PROFILE\0')) profileParts.push(data.subarray(12));
    else if (marker === 0xda) {
      if (!frame) throw damaged();
      scans += 1;
      if (scans > maxScans) throw tooCostly();
      if (scans === 1) isInOneScan = data[0] === frame.components && !frame.isProgressive;
      const next = endOfScan(file, end);
      parts.push(file.subarray(at, next));
      // Some panoramas have a film in place of the end: only the decoder can tell whether the picture is whole.
      hasEnd = next < file.length;
      if (!hasEnd) break;
      at = next;
      continue;
    } else if (!isNote(marker) && !isUnused(marker)) throw marker >= 0xc3 && marker <= 0xdf ? unreadable() : damaged();
    at = end;
  }
  if (!frame || scans === 0) throw damaged();
  const { width, height, samples } = frame;
  // A single scan is decoded row by row. With several, all coefficients are held, two bytes each.
  const memory = estimateMemory(width, height, isInOneScan ? 0.5 : (samples * 2) / (width * height));
  const profile = profileSegment(profileParts);
  return {
    bytes: Buffer.concat([startOfPicture, ...profile, ...parts, ...(hasEnd ? [endOfPicture] : [])]),
    orientation: orientation ?? 1,
    memory,
  };
}

// Baseline, extended and progressive. No browser shows arithmetic or lossless JPEGs.
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xc2;
const isTable = (marker: number) => marker === 0xc4 || marker === 0xdb || marker === 0xdd;
// Camera data, comments, thumbnails and positions: dropped.
const isNote = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

// A restart outside of a scan, or a mark of temporary files: without data, and skipped by decoders.
const isAlone = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
// Arithmetic conditioning and the number of lines: decoders of the other kinds skip them.
const isUnused = (marker: number) => marker === 0xcc || marker === 0xdc;

const startsWith = (data: Buffer, text: string) => data.toString('latin1', 0, text.length) === text;

function getFrame(marker: number, data: Buffer): Frame {
  const [precision, , , , , components = 0] = data;
  if (precision !== 8) throw unreadable();
  if (data.length !== 6 + components * 3 || components < 1 || components > 4) throw damaged();
  const [height, width] = [data.readUInt16BE(1), data.readUInt16BE(3)];
  if (width === 0 || height === 0) throw damaged();
  const factors = Array.from({ length: components }, (_, index) => data[7 + index * 3] ?? 0).map((both) => [both >> 4, both & 15] as const);
  const [most, mostDown] = [Math.max(...factors.map(([across]) => across)), Math.max(...factors.map(([, down]) => down))];
  if (factors.some(([across, down]) => across < 1 || across > 4 || down < 1 || down > 4)) throw damaged();
  const [wide, high] = [Math.ceil(width / (most * 8)) * 8, Math.ceil(height / (mostDown * 8)) * 8];
  const samples = factors.reduce((sum, [across, down]) => sum + wide * across * high * down, 0);
  return { width, height, components, samples, isProgressive: marker === 0xc2 };
}

/** The position of the next marker. Some cameras write other bytes between segments, which decoders skip. */
function findMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff) return at;
  }
  throw damaged();
}

/** The position of the marker that ends a scan, or the end of the file. Within a scan, 0xff is followed by 0 or a restart marker. */
function endOfScan(file: Buffer, from: number) {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return file.length;
}

/** A segment with `data` only; what followed it, such as a thumbnail, is replaced by `zeros`. */
function getMark(marker: number, data: Buffer, zeros: number) {
  const length = data.length + zeros + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data, Buffer.alloc(zeros)]);
}

function profileSegment(parts: Buffer[]): Buffer[] {
  // Each begins with its number and how many there are.
  const isWhole = parts.every((part, index) => part[0] === index + 1 && part[1] === parts.length);
  const profile = isWhole ? readColourProfile(Buffer.concat(parts.map((part) => part.subarray(2)))) : undefined;
  return profile ? [getMark(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]), 0)] : [];
}
