import type { Reader } from '../../kit/database/database.ts';
import { isValidSignature, signText } from '../../kit/secrets/tokens.ts';
import type { Role } from './messages.queries.ts';

// The local part of an address is limited to 64 characters and may be lowercased in transit.
const digits = 20;
const shape = /^reply\+([0-9a-f]{32})([bs])([0-9a-f]{20})@(.+)$/i;

/** The address to which this side of a conversation replies; signed, so it cannot be guessed. */
export async function createReplyAddress(db: Reader, domain: string, conversationId: string, role: Role): Promise<string> {
  const payload = `${conversationId.replaceAll('-', '')}${role === 'buyer' ? 'b' : 's'}`;
  return `reply+${payload}${await signText(db, 'replies', payload, digits)}@${domain}`;
}

/** The conversation and side of a reply address; undefined if the address is not a valid one. */
export async function readReplyAddress(
  db: Reader,
  domain: string,
  address: string,
): Promise<{ conversationId: string; role: Role } | undefined> {
  const [, id = '', letter = '', signature = '', host = ''] = shape.exec(address.toLowerCase()) ?? [];
  if (host !== domain.toLowerCase() || !(await isValidSignature(db, 'replies', id + letter, signature, digits))) return undefined;
  const conversationId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { conversationId, role: letter === 'b' ? 'buyer' : 'seller' };
}
