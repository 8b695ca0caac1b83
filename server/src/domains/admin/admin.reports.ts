import type { ReportReason } from '@handwise/contract/admin/report-words';
import type { ReportForm } from '@handwise/contract/admin/report-calls';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import { violatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import * as queries from './admin.queries.ts';
import { type Thing, findThing } from './admin.things.ts';

/** Of one person. */
const reportLimit = { max: 30, windowSeconds: 24 * 60 * 60 };

const titleLength = 200;

type Said = { reporterId: string | null; reason: ReportReason; text: string };

/** What is written down of a report: the thing as it is now. */
export const reportOf = (thing: Thing, { reporterId, reason, text }: Said) => ({
  reporter_id: reporterId,
  kind: thing.kind,
  subject_id: thing.id,
  concerned_id: thing.concernedId,
  reason,
  comment: text,
  title: thing.title.slice(0, titleLength),
  words: thing.words,
  listing_id: thing.listingId,
});

/** Throws `nothing_to_report` for what is not there or not theirs to see, `own_content`, `already_reported` while it is open. */
export async function createReport({ db }: Context, reporterId: string, form: ReportForm): Promise<string> {
  await countAttempt(db, `report:${reporterId}`, reportLimit);
  const thing = await findThing(db, form.kind, form.id, reporterId);
  if (!thing?.isShown) throw new AppError('nothing_to_report');
  if (thing.concernedId === reporterId) throw new AppError('own_content');
  try {
    const { id } = await db
      .transaction()
      .execute((tx) => queries.insertReport(tx, reportOf(thing, { reporterId, reason: form.reason, text: form.text })));
    return id;
  } catch (error) {
    if (violatedConstraint(error) === 'reports_one_open') throw new AppError('already_reported');
    throw error;
  }
}
