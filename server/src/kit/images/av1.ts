import { damaged, unreadable } from './format-helpers.ts';

/** An AV1 picture with the size and depth in its header. */
export type Av1Picture = { bytes: Buffer; width: number; height: number; isDeep: boolean };

const sequenceHeader = 1;
const frameHeader = 3;
const tileGroup = 4;
const frame = 6;

/** Keeps the sequence header and the first frame, which must be a key frame. Further frames and metadata are dropped. */
export function sanitizeAv1(data: Buffer): Av1Picture {
  let sequence: Sequence | undefined;
  const parts: Buffer[] = [];
  let hasFrame = false;
  for (let at = 0; at < data.length;) {
    const unit = readUnit(data, at);
    at = unit.end;
    if (unit.type === sequenceHeader) {
      if (sequence) throw damaged();
      sequence = readSequence(unit.content);
    } else if (unit.type === frame || unit.type === frameHeader) {
      if (hasFrame) break;
      if (!sequence) throw damaged();
      checkFrame(unit.content, sequence);
      hasFrame = true;
    } else if (unit.type !== tileGroup) continue;
    parts.push(unit.whole);
  }
  if (!sequence || !hasFrame) throw damaged();
  const { width, height, isDeep } = sequence;
  return { bytes: Buffer.concat(parts), width, height, isDeep };
}

function readUnit(data: Buffer, start: number) {
  const [head = 0] = data.subarray(start);
  const hasExtension = (head & 4) !== 0;
  const hasSize = (head & 2) !== 0;
  let at = start + (hasExtension ? 2 : 1);
  let size = 0;
  if (hasSize) {
    for (let shift = 0; ; shift += 7) {
      const byte = data[at++];
      if (byte === undefined || shift > 28) throw damaged();
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
  } else size = data.length - at;
  const end = at + size;
  if (end > data.length || size < 0) throw damaged();
  return { type: (head >> 3) & 15, end, content: data.subarray(at, end), whole: data.subarray(start, end) };
}

function createBitReader(data: Buffer) {
  let at = 0;
  return (bits: number) => {
    let value = 0;
    for (let left = bits; left > 0; left -= 1, at += 1) {
      const byte = data[at >> 3];
      if (byte === undefined) throw damaged();
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
}

type Sequence = ReturnType<typeof readSequence>;

/** Reads section 5.5.1 of the standard up to the colour depth. */
function readSequence(header: Buffer) {
  const read = createBitReader(header);
  read(4);
  const isReduced = read(1) === 1;
  if (isReduced) read(5);
  else {
    // Timing information belongs to videos.
    if (read(1) === 1) throw unreadable();
    const hasDelay = read(1) === 1;
    for (let left = read(5) + 1; left > 0; left -= 1) {
      read(12);
      if (read(5) > 7) read(1);
      if (hasDelay && read(1) === 1) read(4);
    }
  }
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  const [width, height] = [read(widthBits) + 1, read(heightBits) + 1];
  const idBits = !isReduced && read(1) === 1 ? read(4) + read(3) + 3 : 0;
  read(3);
  let [screenTools, integerMotion] = [2, 2];
  if (!isReduced) {
    read(4);
    const hasOrder = read(1) === 1;
    if (hasOrder) read(2);
    if (read(1) === 0) screenTools = read(1);
    if (screenTools > 0 && read(1) === 0) integerMotion = read(1);
    if (hasOrder) read(3);
  }
  read(3);
  const isDeep = read(1) === 1;
  return { isReduced, width, height, idBits, screenTools, integerMotion, isDeep };
}

/**
 * Rejects frames that override the sequence's size, repeat another frame or are hidden (5.9.2).
 */
function checkFrame(header: Buffer, { isReduced, screenTools, integerMotion, idBits }: Sequence) {
  if (isReduced) return;
  const read = createBitReader(header);
  const isShownKeyFrame = read(1) === 0 && read(2) === 0 && read(1) === 1;
  if (!isShownKeyFrame) throw unreadable();
  read(1);
  const usesScreenTools = screenTools === 2 ? read(1) === 1 : screenTools === 1;
  if (usesScreenTools && integerMotion === 2) read(1);
  read(idBits);
  if (read(1) === 1) throw unreadable();
}
