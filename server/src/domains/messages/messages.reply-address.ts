import type { Reader } from '../../kit/database/database.ts';
import { isSigned, signatureOf } from '../../kit/secrets/signatures.ts';
import type { Role } from './messages.queries.ts';

// An address of mail may be put into small letters on its way and has 64 characters before the @.
const digits = 20;
const shape = /^reply\+([0-9a-f]{32})([bs])([0-9a-f]{20})@(.+)$/i;

/** Where this side of a conversation answers a mail to: what arrives there is theirs alone. */
export async function replyAddress(db: Reader, domain: string, conversationId: string, role: Role): Promise<string> {
  const said = `${conversationId.replaceAll('-', '')}${role === 'buyer' ? 'b' : 's'}`;
  return `reply+${said}${await signatureOf(db, 'replies', said, digits)}@${domain}`;
}

/** Whose answer in which conversation goes to an address; undefined where it is none of ours. */
export async function readReplyAddress(
  db: Reader,
  domain: string,
  address: string,
): Promise<{ conversationId: string; role: Role } | undefined> {
  const [, id = '', letter = '', signature = '', host = ''] = shape.exec(address.toLowerCase()) ?? [];
  if (host !== domain.toLowerCase() || !(await isSigned(db, 'replies', id + letter, signature, digits))) return undefined;
  const conversationId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { conversationId, role: letter === 'b' ? 'buyer' : 'seller' };
}
