import { formatOf, headBytes, uploadFormats } from '@handwise/contract/pictures';

type Opened = { width: number; height: number; close(): void };

/** How a browser opens a picture, upright, and writes it anew in another size; null where it cannot write that type. */
export type Painter<Picture extends Opened = Opened> = {
  open: (file: Blob) => Promise<Picture>;
  write: (picture: Picture, size: { width: number; height: number }, type: string) => Promise<Blob | null>;
};

const longestSide = 2000;
const quality = 0.85;

const canvas: Painter<ImageBitmap> = {
  open: (file) => createImageBitmap(file, { imageOrientation: 'from-image' }),
  async write(picture, { width, height }, type) {
    const element = document.createElement('canvas');
    Object.assign(element, { width, height });
    const context = element.getContext('2d');
    if (!context) return null;
    context.imageSmoothingQuality = 'high';
    // What is clear stays clear only where the type can say so.
    if (type === uploadFormats.jpeg.type) {
      context.fillStyle = '#ffffff';
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(picture, 0, 0, width, height);
    const blob = await new Promise<Blob | null>((done) => element.toBlob(done, type, quality));
    // A browser that does not know a type writes another one instead.
    return blob?.type === type ? blob : null;
  },
};

const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/**
 * The same picture, its longer side 2,000 pixels at most, as a file of so many bytes at most: in its own format where that is small enough,
 * else as a JPEG. Null where it cannot be opened or made small enough.
 */
export async function shrinkPicture<Picture extends Opened>(
  file: File,
  maxBytes: number,
  painter: Painter<Picture> = canvas as unknown as Painter<Picture>,
): Promise<File | null> {
  const format = formatOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  const picture = format && (await painter.open(file).catch(() => null));
  if (!picture) return null;
  try {
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    const size = { width: Math.max(1, Math.round(picture.width * scale)), height: Math.max(1, Math.round(picture.height * scale)) };
    for (const type of new Set([uploadFormats[format].type, uploadFormats.jpeg.type])) {
      const ending = endings[type];
      // Whichever sizes it has, a canvas may be too large for this device.
      const blob = ending && (await painter.write(picture, size, type).catch(() => null));
      if (blob && blob.size <= maxBytes) return new File([blob], file.name.replace(/(\.\w+)?$/, `.${ending}`), { type });
    }
    return null;
  } finally {
    picture.close();
  }
}
