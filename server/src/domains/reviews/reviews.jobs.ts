import type { Context } from '../../kit/context.ts';
import type { ReviewHooks } from './reviews.context.ts';
import { inviteReviews } from './reviews.invitations.ts';
import { deleteRemovedPhotos } from './reviews.service.ts';

export function reviewJobs(context: Context, hooks: Omit<ReviewHooks, 'onReviewed'>): void {
  context.jobs.every('reviews.delete-photos', '27 3 * * *', () => deleteRemovedPhotos(context, hooks));
  context.jobs.every('reviews.send-invitations', '*/10 * * * *', () => inviteReviews(context, hooks));
}
