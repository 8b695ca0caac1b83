import type { ReportForm } from '@handwise/contract/admin/report-calls';
import type { ReportKind, ReportReason } from '@handwise/contract/admin/report-words';
import type { Context } from '../../kit/context.ts';
import { type Reader, getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { StoredPdf, StoredPicture } from '../../kit/files/stored-files.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { findPerson } from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import * as messages from '../messages/messages.service.ts';
import * as reviews from '../reviews/reviews.service.ts';
import * as queries from './admin.queries.ts';

/** What a report or decision is about. */
export type Subject = {
  kind: ReportKind;
  id: string;
  concernedId: string;
  /** Its name in emails and lists. */
  title: string;
  /** Its text. */
  words: string;
  listingId: string | null;
  /** Whether the viewer can see it. */
  isVisible: boolean;
};

export async function findSubject(db: Reader, kind: ReportKind, id: string, viewerId?: string): Promise<Subject | undefined> {
  switch (kind) {
    case 'listing': {
      const listing = await listings.findListingForModerators(db, id);
      return (
        listing && {
          kind,
          id,
          concernedId: listing.seller_id,
          title: listing.service_title,
          words: `${listing.business_title}\n${listing.service_description}`,
          listingId: id,
          isVisible: listings.isLive(listing),
        }
      );
    }
    case 'review': {
      const review = await reviews.findReviewForModeration(db, id);
      const listing = review && (await listings.findListingForModerators(db, review.listing_id));
      return (
        listing && {
          kind,
          id,
          concernedId: review.author_id,
          title: `Review of “${listing.service_title}”`,
          words: `${review.rating} of 5 stars\n${review.comment}`,
          listingId: listing.id,
          isVisible: review.removed_because === null,
        }
      );
    }
    case 'user': {
      const person = await findPerson(db, id);
      return person && { kind, id, concernedId: id, title: `@${person.username}`, words: person.about, listingId: null, isVisible: true };
    }
    case 'message': {
      const message = await messages.findMessageForModeration(db, id);
      return (
        message && {
          kind,
          id,
          concernedId: message.sender_id,
          title: `Message about “${message.service_title}”`,
          words: message.body,
          listingId: message.listing_id,
          // Only the two participants can read it.
          isVisible: viewerId === message.buyer_id || viewerId === message.seller_id,
        }
      );
    }
  }
}

export type Attached = { pictures: readonly StoredPicture[]; pdf: StoredPdf | null };

export const nothingAttached: Attached = { pictures: [], pdf: null };

/** The files of a reported message or review, as they are now. */
export async function findAttached(db: Reader, kind: ReportKind, id: string): Promise<Attached> {
  if (kind === 'message') return (await messages.findMessageForModeration(db, id)) ?? nothingAttached;
  const review = kind === 'review' ? await reviews.findReviewForModeration(db, id) : undefined;
  return { pictures: review?.pictures ?? [], pdf: null };
}

/** Throws `report_not_found`, and `file_not_found` if what was reported has no PDF. */
export async function getReportedPdf({ db, store }: Context, reportId: string) {
  const report = await queries.findReport(db, reportId);
  if (!report) throw new AppError('report_not_found');
  const { pdf } = await findAttached(db, report.kind, report.subject_id);
  const content = pdf && (await store.read(pdf.key));
  if (!content) throw new AppError('file_not_found');
  return { ...pdf, content };
}

/** Per reporter. */
const reportLimit = { max: 30, windowSeconds: 24 * 60 * 60 };

const titleLength = 200;

type ReportText = { reporterId: string | null; reason: ReportReason; text: string };

/** The columns of a report, with its subject as it is now. */
export const reportColumns = (subject: Subject, { reporterId, reason, text }: ReportText) => ({
  reporter_id: reporterId,
  kind: subject.kind,
  subject_id: subject.id,
  concerned_id: subject.concernedId,
  reason,
  comment: text,
  title: subject.title.slice(0, titleLength),
  words: subject.words,
  listing_id: subject.listingId,
});

/** Throws `nothing_to_report` for a subject that the reporter cannot see, `own_content`, and `already_reported` while a report is open. */
export async function createReport({ db }: Context, reporterId: string, form: ReportForm): Promise<string> {
  await countAttempt(db, `report:${reporterId}`, reportLimit);
  const subject = await findSubject(db, form.kind, form.id, reporterId);
  if (!subject?.isVisible) throw new AppError('nothing_to_report');
  if (subject.concernedId === reporterId) throw new AppError('own_content');
  try {
    const { id } = await db
      .transaction()
      .execute((tx) => queries.insertReport(tx, reportColumns(subject, { reporterId, reason: form.reason, text: form.text })));
    return id;
  } catch (error) {
    if (getViolatedConstraint(error) === 'reports_one_open') throw new AppError('already_reported');
    throw error;
  }
}
