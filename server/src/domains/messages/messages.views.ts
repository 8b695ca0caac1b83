import { formerMember, publicName } from '@handwise/contract/accounts/public-name';
import { findCategoryByCode, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import type { AttachedPdf, Conversation, Message, MessageWarning } from '@handwise/contract/messages/calls';
import { type JobTime, formatTrade, formatWanted } from '@handwise/contract/messages/job-words';
import type { QuoteRequest, QuoteRequestJob } from '@handwise/contract/messages/quote-requests';
import type { StoredPdf } from '../../kit/files/stored-files.ts';
import type { MailBlock } from '../../kit/mail/mail.ts';
import { toPicture } from '../listings/listings.service.ts';
import type { ConversationRow, MessageRow, Role } from './messages.queries.ts';
import type { QuoteRequestReceiverRow, QuoteRequestRow } from './messages.quote-requests.queries.ts';
import { listWarnings } from './messages.rules.ts';

/** For the two sides of the conversation, who alone get it there. */
const toPdf = (conversationId: string, number: number, { name, bytes }: StoredPdf): AttachedPdf => ({
  name,
  bytes,
  url: `/api/messages/${conversationId}/pdf/${number}`,
});

const isMine = (row: { from_seller: boolean }, role: Role) => row.from_seller === (role === 'seller');

/** As stored; messages from before that are looked at now. */
export const getWarnings = ({ warnings, body }: Pick<MessageRow, 'warnings' | 'body'>): MessageWarning[] =>
  (warnings as MessageWarning[] | null) ?? listWarnings(body);

export function toMessage(row: MessageRow, role: Role): Message {
  const mine = isMine(row, role);
  return {
    _id: row.id,
    number: row.number,
    mine,
    text: row.body,
    pictures: row.pictures.map(toPicture),
    pdf: row.pdf && toPdf(row.conversation_id, row.number, row.pdf),
    createdAt: row.created_at.toISOString(),
    seenAt: row.seen_at?.toISOString() ?? null,
    warnings: mine ? [] : getWarnings(row),
    clientId: mine ? row.client_id : null,
  };
}

/** The public name of the other side: the business name of a seller, first name and initial of a buyer. */
export const getDisplayName = (row: { role: Role; business_title: string; full_name: string; deleted_at: Date | null }) =>
  row.deleted_at ? formerMember : row.role === 'buyer' ? row.business_title : publicName(row.full_name);

export const toConversation = (row: ConversationRow): Conversation => ({
  _id: row.id,
  listing: { _id: row.listing_id, serviceTitle: row.service_title, status: row.status },
  role: row.role,
  with: {
    name: getDisplayName(row),
    username: row.deleted_at ? '' : row.username,
    avatar: row.deleted_at ? '' : (row.role === 'buyer' && row.logo) || row.avatar,
  },
  lastMessage: {
    text: row.body,
    createdAt: row.created_at.toISOString(),
    mine: isMine(row, row.role),
    pictures: row.pictures.length,
    hasPdf: row.pdf !== null,
    seenAt: row.seen_at?.toISOString() ?? null,
  },
  unread: row.unread,
  quoteRequest: row.quote_request,
  blocked: row.blocked_by_me ? 'by_me' : row.blocked_by_them ? 'by_them' : null,
});

const getCategoryNames = (row: { category_code: number; sub_category_code: number | null }) => ({
  category: findCategoryByCode(row.category_code)?.name ?? '',
  subCategory: (row.sub_category_code !== null && findSubCategoryByCode(row.sub_category_code)?.name) || null,
});

export const toQuoteRequestJob = (row: Omit<QuoteRequestRow, 'pictures'>): QuoteRequestJob => ({
  _id: row.id,
  job: row.job,
  ...getCategoryNames(row),
  place: row.place,
  when: row.timing,
  date: row.wanted_on,
  createdAt: row.created_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
});

export const toQuoteRequest = (row: QuoteRequestRow, receivers: readonly QuoteRequestReceiverRow[]): QuoteRequest => ({
  ...toQuoteRequestJob(row),
  pictures: row.pictures.map(toPicture),
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

type RequestedJob = {
  category_code: number | null;
  sub_category_code: number | null;
  place: string | null;
  timing: JobTime | null;
  wanted_on: string | null;
};

/** The job of a quote request as an email block; null for other messages. */
export function buildQuoteRequestBlock({ category_code, sub_category_code, place, timing, wanted_on }: RequestedJob): MailBlock | null {
  if (category_code === null || place === null || timing === null) return null;
  const { category, subCategory } = getCategoryNames({ category_code, sub_category_code });
  const rows = [
    { label: 'Job', value: formatTrade(category, subCategory) },
    { label: 'Where', value: place },
    { label: 'When', value: formatWanted(timing, wanted_on) },
  ];
  return { kind: 'facts', rows };
}
