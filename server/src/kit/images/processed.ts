export type PictureFormat = 'avif' | 'webp';

/** A file to be stored: its key is the picture's key with `suffix` behind it. */
export type ProcessedFile = { suffix: string; data: Buffer; contentType: string };

/** A picture in every size and format that the site asks for. `width` and `height` are those of the largest, upright. */
export type ProcessedPicture = {
  widths: number[];
  formats: PictureFormat[];
  width: number;
  height: number;
  /** Base64. */
  thumbhash: string;
  files: ProcessedFile[];
};
