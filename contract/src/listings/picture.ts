import { z } from 'zod';

export const picture = z.object({
  src: z.string(),
  srcSet: z.string(),
  avifSrcSet: z.string().meta({ description: 'The same widths as AVIF; empty if there are none' }),
  width: z.int(),
  height: z.int(),
  thumbhash: z.string(),
  alt: z.string(),
});
export type Picture = z.infer<typeof picture>;
