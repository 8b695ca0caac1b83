import { addDays, dayMs, getDay, getMoment } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { getUnsubscribeLinks, isSubscribed } from '../../kit/mail/mail-preferences.ts';
import { formatGreeting, headerText, type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { isLive } from '../listings/listings.service.ts';
import type { ReviewHooks } from './reviews.context.ts';
import * as queries from './reviews.invitations.queries.ts';
import { findReviewOfAuthor } from './reviews.queries.ts';

/** After the day on which the agreed work started, and after the last message. */
const daysAfterStart = 10;
const daysAfterMessages = 14;
/** Somebody who could not be asked on time, because the site was off or the listing paused, is asked up to so many days later. */
const daysLate = 14;
/** A time of day at which people read email. */
const askedAt = '09:00';
/** Before all ids. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Asks each customer once, by email, how it went. A scheduled job that runs on one server at a time. */
export async function inviteReviews(context: Context, hooks: Pick<ReviewHooks, 'hasReported'>, pageSize = 500): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  // A day more, because a start is a day of the listing's clocks.
  const started = { from: before(daysAfterStart + daysLate), until: before(daysAfterStart - 1) };
  const written = { from: before(daysAfterMessages + daysLate), until: before(daysAfterMessages) };
  // Page by page, because who is not asked, such as those who unsubscribed, stays among the candidates.
  for (let after: string | undefined = noId; after !== undefined;) {
    const candidates = await queries.listCandidates(db, started, written, { after, size: pageSize });
    for (const one of candidates) {
      if (!isDue(one, now)) continue;
      await db
        .transaction()
        .execute((tx) => invite(context, hooks, tx, one))
        .catch((error: unknown) => {
          logger.error({ err: error, conversationId: one.conversation_id }, 'a customer could not be asked for a review');
        });
    }
    after = candidates.length < pageSize ? undefined : candidates.at(-1)?.conversation_id;
  }
}

function isDue({ starts_on: startsOn, region_code: region, country }: queries.Candidate, now: Date): boolean {
  const timeZone = getRegionTimeZone(region, country);
  if (startsOn !== null) return getMoment(addDays(startsOn, daysAfterStart), askedAt, timeZone) <= now;
  return getMoment(getDay(now, timeZone), askedAt, timeZone) <= now;
}

async function invite(context: Context, { hasReported }: Pick<ReviewHooks, 'hasReported'>, tx: Tx, one: queries.Candidate): Promise<void> {
  const { conversation_id, listing_id: listingId, buyer_id: buyerId, seller_id: sellerId } = one;
  if (!(await isSubscribed(tx, buyerId, 'reviews'))) return;
  if (await hasReported(tx, buyerId, { listingId, sellerId })) return;
  const because = one.starts_on === null ? 'messages' : 'quote';
  if (!(await queries.insertInvitation(tx, { conversation_id, invited_at: context.clock.now(), because }))) return;
  const sides = await queries.findSides(tx, conversation_id);
  if (!sides) return;
  const contact = await findContact(tx, buyerId);
  const end = await getUnsubscribeLinks(tx, context.appUrl, buyerId, 'reviews');
  const about = { business: sides.business_title, title: sides.service_title, url: `${context.appUrl}${paths.listing(listingId)}#reviews` };
  const mail = invitationEmail({ to: contact.email, name: contact.full_name, end }, about);
  await context.jobs.send(tx, sendMail, { ...mail, onlyIf: { check: 'review_wanted', key: conversation_id } });
}

/** Whether an invitation that waited for the mail server is still to be sent. */
export async function isReviewWanted({ db }: Pick<Context, 'db'>, conversationId: string): Promise<boolean> {
  const sides = await queries.findSides(db, conversationId);
  if (!sides || !isLive(sides)) return false;
  const [isWanted, review] = await Promise.all([
    isSubscribed(db, sides.buyer_id, 'reviews'),
    findReviewOfAuthor(db, sides.listing_id, sides.buyer_id),
  ]);
  return isWanted && review === undefined;
}

type Invited = { to: string; name: string; end: NonNullable<Mail['end']> };

const invitationEmail = ({ to, name, end }: Invited, { business, title, url }: { business: string; title: string; url: string }): Mail => ({
  to,
  subject: `How did it go with ${headerText(business, 60)}?`,
  preview: 'A few words help the next person who looks for somebody.',
  greeting: formatGreeting(name),
  blocks: [
    {
      kind: 'text',
      text: `You were in touch with ${business} about “${title}”. How did it go? Good or bad, a few honest words help the next person.`,
    },
    { kind: 'button', label: 'Write a review', url },
    {
      kind: 'note',
      text: 'We ask every customer the same, once for each business, and nobody gets anything for a review. The business does not choose who is asked.',
    },
  ],
  end: { ...end, label: 'Don’t ask me for reviews' },
  reason: 'You get this email, once, because you and a business here wrote to each other.',
});
