import type { Context } from '../../../kit/context.ts';
import * as queries from './payments.event-queries.ts';

const hourMs = 3_600_000;

/** Messages whose signature did not hold within the last hour, and since when none was taken. */
export async function refusedEvents({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const [refused, lastTaken] = await Promise.all([
    queries.countRefusals(db, new Date(clock.now().getTime() - hourMs)),
    queries.findLastReceived(db),
  ]);
  return { refused, lastTaken: lastTaken?.toISOString() ?? null };
}

/** Counts a message whose signature does not hold, and says so at the first one of each minute: strangers may send many. */
export async function countRefusal(context: Pick<Context, 'db' | 'clock' | 'logger'>): Promise<void> {
  const inThisMinute = await queries.insertRefusal(context.db, context.clock.now());
  if (inThisMinute > 1) return;
  context.logger.warn(
    await refusedEvents(context),
    'messages of the payment provider are refused, because their signature does not hold: if none is taken, STRIPE_WEBHOOK_SECRET is wrong',
  );
}
