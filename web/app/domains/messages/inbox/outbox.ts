import type { Message } from '@handwise/contract/messages/calls';
import { readStored, removeStored, unsentMessagesKey, writeStored } from '../../../lib/browser-storage.ts';
import { upload } from '../../../lib/upload.ts';
import { toFormFiles } from '../../../lib/pictures/attachments.ts';
import { readUser } from '../../../lib/session/stored-user.ts';
import { describeMessageError } from '../message-words.ts';

/** A message that the server has not confirmed to this tab. */
export type Pending = {
  clientId: string;
  conversationId: string;
  text: string;
  files: readonly File[];
  state: 'sending' | 'failed';
  /** The uploaded share, from 0 to 1. */
  share: number;
  problem: string | null;
};

type Stored = Pick<Pending, 'clientId' | 'conversationId' | 'text'>;
type OnSent = (conversationId: string, message: Message) => void;

let owner: string | undefined;
let all: readonly Pending[] = [];
const listeners = new Set<() => void>();
// The last send of each conversation; the next one waits for it, so that messages arrive in order.
const underWay = new Map<string, Promise<void>>();

function change(next: readonly Pending[]) {
  all = next;
  const stored = all.flatMap(({ clientId, conversationId, text, files }): Stored[] =>
    // Messages with files are not stored, because files are too large.
    files.length === 0 ? [{ clientId, conversationId, text }] : [],
  );
  if (stored.length > 0) writeStored(unsentMessagesKey, JSON.stringify(stored));
  else removeStored(unsentMessagesKey);
  for (const listener of listeners) listener();
}

const isStored = (one: unknown): one is Stored =>
  typeof one === 'object' &&
  one !== null &&
  ['clientId', 'conversationId', 'text'].every((field) => typeof (one as Record<string, unknown>)[field] === 'string');

/** Loads this user's messages that were unsent when the page was left. */
function load() {
  const userId = readUser()?._id;
  if (userId === owner) return;
  owner = userId;
  let read: unknown;
  try {
    read = JSON.parse(readStored(unsentMessagesKey) ?? '[]');
  } catch {
    read = [];
  }
  const stored = userId && Array.isArray(read) ? read.filter(isStored) : [];
  all = stored.map((one) => ({ ...one, files: [], state: 'failed', share: 0, problem: null }));
}

const update = (clientId: string, part: Partial<Pending>) =>
  change(all.map((one) => (one.clientId === clientId ? { ...one, ...part } : one)));

export function onOutboxChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All pending and failed messages, oldest first. The same array until something changes. */
export function listOutbox(): readonly Pending[] {
  load();
  return all;
}

async function deliver({ clientId, conversationId, text, files }: Pending, onSent: OnSent) {
  const before = underWay.get(conversationId);
  const sent = (async () => {
    await before;
    try {
      const message = await upload(
        'POST /messages/:id',
        { params: { id: conversationId }, form: { message: text, clientId }, files: toFormFiles(files) },
        (share) => update(clientId, { share }),
      );
      change(all.filter((one) => one.clientId !== clientId));
      onSent(conversationId, message);
    } catch (error) {
      update(clientId, { state: 'failed', problem: describeMessageError(error) });
    }
  })();
  underWay.set(conversationId, sent);
  await sent;
  if (underWay.get(conversationId) === sent) underWay.delete(conversationId);
}

/** Shows a message at once and sends it. A failed one stays, and is resent as the same message. */
export function queueMessage(conversationId: string, text: string, files: readonly File[], onSent: OnSent): Promise<void> {
  load();
  const pending: Pending = { clientId: crypto.randomUUID(), conversationId, text, files, state: 'sending', share: 0, problem: null };
  change([...all, pending]);
  return deliver(pending, onSent);
}

export async function requeueMessage(clientId: string, onSent: OnSent): Promise<void> {
  const pending = all.find((one) => one.clientId === clientId && one.state === 'failed');
  if (!pending) return;
  update(clientId, { state: 'sending', share: 0, problem: null });
  await deliver(pending, onSent);
}

export const discardMessage = (clientId: string) => change(all.filter((one) => one.clientId !== clientId || one.state === 'sending'));
