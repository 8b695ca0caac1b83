// A phone's profile takes 500 bytes, a screen's 4 kB. Tables of printers are larger, and pictures do without them.
export const maxProfileBytes = 64_000;

/** A colour profile as far as it is one and small; undefined: the picture is read without it. */
export function colourProfile(data: Buffer | undefined): Buffer | undefined {
  if (!data || data.length < 132 || data.length > maxProfileBytes) return undefined;
  const size = data.readUInt32BE(0);
  const isProfile = data.toString('latin1', 36, 40) === 'acsp' && size >= 132 && size <= data.length;
  return isProfile && /^(RGB |GRAY)$/.test(data.toString('latin1', 16, 20)) ? data.subarray(0, size) : undefined;
}
