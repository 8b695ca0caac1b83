import sharp from 'sharp';

/** A plain picture as a JPEG. */
export const photo = async (width = 900, color = '#a33') =>
  sharp({ create: { width, height: 600, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

/** Small photos as fields of a listing's form. */
export const photos = async (count: number) => {
  const bytes = await photo(200);
  return Array.from({ length: count }, (_, index) => ({ field: 'serviceImages', name: `${index}.jpg`, bytes }));
};
