import type { Context } from '../../kit/context.ts';
import { type InvitationPort, inviteReviews } from './reviews.invitations.ts';

export function reviewJobs(context: Context, port: InvitationPort): void {
  context.jobs.every('reviews.invite', '*/10 * * * *', () => inviteReviews(context, port));
}
