import type { Context } from '../../kit/context.ts';
import { type InvitationPort, inviteReviews } from './reviews.invitations.ts';
import { deleteRemovedPhotos, type RemovalPort } from './reviews.service.ts';

export function reviewJobs(context: Context, port: InvitationPort & RemovalPort): void {
  context.jobs.every('reviews.delete-photos', '27 3 * * *', () => deleteRemovedPhotos(context, port));
  context.jobs.every('reviews.send-invitations', '*/10 * * * *', () => inviteReviews(context, port));
}
