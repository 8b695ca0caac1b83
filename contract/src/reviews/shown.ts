import { z } from 'zod';
import { picture } from '../listings/picture.ts';
import { type RemovalReason, removalReasons } from './words.ts';

/** When a review’s author first wrote to the seller about the listing through the site, was first answered, and first accepted a quote. */
const reviewEvidence = z.object({
  messagedAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  quoteAcceptedAt: z.iso.datetime().nullable(),
});
export type ReviewEvidence = z.infer<typeof reviewEvidence>;

export const review = z.object({
  _id: z.uuid(),
  rating: z.int().min(1).max(5),
  comment: z.string(),
  pictures: z.array(picture).meta({ description: 'Photos that the author added' }),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  username: z.string(),
  buyerName: z.string().meta({ description: 'First name and initial', example: 'Mere K.' }),
  buyerAvatar: z.string(),
  evidence: reviewEvidence.nullable().meta({
    description:
      'When the author first messaged the seller here about this listing, when they were answered and when they accepted a quote, up to now. Null if they had no contact through the site',
  }),
  answer: z.object({ comment: z.string(), createdAt: z.iso.datetime() }).nullable().meta({ description: 'The seller’s answer' }),
});
export type Review = z.infer<typeof review>;

export const removalReason = z.enum(Object.keys(removalReasons) as [RemovalReason, ...RemovalReason[]]);

/** What is left of a review that was removed. */
export const reviewStub = z.object({ _id: z.uuid(), removedAt: z.iso.datetime(), because: removalReason });
export type ReviewStub = z.infer<typeof reviewStub>;
