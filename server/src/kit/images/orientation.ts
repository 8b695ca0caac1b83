const orientationTag = 0x0112;
const shortType = 3;

/** How a camera was held, from the EXIF data of its picture: 1 to 8, 1 also where that cannot be read. */
export function orientationOf(exif: Buffer): number {
  const order = exif.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const long = (at: number) => (isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  try {
    const directory = long(4);
    const entries = short(directory);
    for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
      if (short(at) !== orientationTag) continue;
      const value = short(at + 2) === shortType ? short(at + 8) : 1;
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // Cut off, or pointing out of itself.
  }
  return 1;
}
