import type { Conversation, Message } from '@handwise/contract/messages/calls';
import { formerMember, publicName } from '@handwise/contract/accounts/public-name';
import { asPicture } from '../listings/listings.service.ts';
import type { MessageRow, Role, SideRow } from './messages.queries.ts';
import { warningsOf } from './messages.rules.ts';

const isMine = (row: { from_seller: boolean }, role: Role) => row.from_seller === (role === 'seller');

/** A message as the side of this role sees it. */
export function asMessage(row: MessageRow, role: Role): Message {
  const mine = isMine(row, role);
  return {
    _id: row.id,
    number: row.number,
    mine,
    text: row.body,
    pictures: row.pictures.map(asPicture),
    createdAt: row.created_at.toISOString(),
    seenAt: row.seen_at?.toISOString() ?? null,
    warnings: mine ? [] : warningsOf(row.body),
    clientId: mine ? row.client_id : null,
  };
}

/** By which name the other side goes: a seller by the business's, a buyer by first name and initial. */
export const nameOf = (row: { role: Role; business_title: string; full_name: string; deleted_at: Date | null }) =>
  row.deleted_at ? formerMember : row.role === 'buyer' ? row.business_title : publicName(row.full_name);

export const asConversation = (row: SideRow): Conversation => ({
  _id: row.id,
  listing: { _id: row.listing_id, serviceTitle: row.service_title, status: row.status },
  role: row.role,
  with: {
    name: nameOf(row),
    username: row.deleted_at ? '' : row.username,
    avatar: row.deleted_at ? '' : (row.role === 'buyer' && row.logo) || row.avatar,
  },
  lastMessage: {
    text: row.body,
    createdAt: row.created_at.toISOString(),
    mine: isMine(row, row.role),
    pictures: row.pictures.length,
    seenAt: row.seen_at?.toISOString() ?? null,
  },
  unread: row.unread,
  quoteRequest: row.quote_request,
  blocked: row.blocked_by_me ? 'by_me' : row.blocked_by_them ? 'by_them' : null,
});
