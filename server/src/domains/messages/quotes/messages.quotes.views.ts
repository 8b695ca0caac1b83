import { categoryOfCode, subCategoryOfCode } from '@handwise/contract/listings/categories';
import type { QuotedJob, QuoteRequest } from '@handwise/contract/messages/quotes';
import { type QuoteTime, tradeText, wantedText } from '@handwise/contract/messages/quote-words';
import type { MailBlock } from '../../../kit/mail/mail.ts';
import { asPicture } from '../../listings/listings.service.ts';
import type { ReceiverRow, RequestRow } from './messages.quotes.queries.ts';

const namesOf = (row: { category_code: number; sub_category_code: number | null }) => ({
  category: categoryOfCode(row.category_code)?.name ?? '',
  subCategory: (row.sub_category_code !== null && subCategoryOfCode(row.sub_category_code)?.name) || null,
});

/** A quote request as both sides of a conversation see it. */
export const asQuotedJob = (row: Omit<RequestRow, 'pictures'>): QuotedJob => ({
  _id: row.id,
  job: row.job,
  ...namesOf(row),
  place: row.place,
  when: row.timing,
  date: row.wanted_on,
  createdAt: row.created_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
});

export const asQuoteRequest = (row: RequestRow, receivers: readonly ReceiverRow[]): QuoteRequest => ({
  ...asQuotedJob(row),
  pictures: row.pictures.map(asPicture),
  receivers: receivers
    .filter((one) => one.request_id === row.id)
    .map((one) => ({
      conversationId: one.conversation_id,
      listing: { _id: one.listing_id, serviceTitle: one.service_title, status: one.status },
      business: one.business_title,
      answeredAt: one.answered_at?.toISOString() ?? null,
      unread: one.unread,
    })),
});

type Asked = {
  category_code: number | null;
  sub_category_code: number | null;
  place: string | null;
  timing: QuoteTime | null;
  wanted_on: string | null;
};

/** What a message asks for, as a mail shows it; null where it is no quote request. */
export function askedFor({ category_code, sub_category_code, place, timing, wanted_on }: Asked): MailBlock | null {
  if (category_code === null || place === null || timing === null) return null;
  const { category, subCategory } = namesOf({ category_code, sub_category_code });
  const rows = [
    { label: 'Job', value: tradeText(category, subCategory) },
    { label: 'Where', value: place },
    { label: 'When', value: wantedText(timing, wanted_on) },
  ];
  return { kind: 'facts', rows };
}
