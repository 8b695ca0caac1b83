import { z } from 'zod';

export const review = z.object({
  _id: z.uuid(),
  rating: z.int().min(1).max(5),
  comment: z.string(),
  createdAt: z.iso.datetime(),
  username: z.string(),
  buyerName: z.string().meta({ description: 'First name and initial', example: 'Mere K.' }),
  buyerAvatar: z.string(),
});
export type Review = z.infer<typeof review>;
