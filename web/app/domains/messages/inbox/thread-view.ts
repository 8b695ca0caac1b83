import { formatClock, formatDate, daysBetween } from '@handwise/contract/dates';
import type { Conversation, Message, MessageWarning } from '@handwise/contract/messages/calls';
import type { QuoteRequestJob } from '@handwise/contract/messages/quote-requests';
import type { Pending } from './outbox.ts';

/** The loaded part of a conversation: its newest messages without a gap, oldest first. */
export type ThreadData = {
  conversation: Conversation;
  quoteRequest: QuoteRequestJob | null;
  emailWaits: boolean;
  messages: readonly Message[];
};

// Pages may arrive in any order: each message appears once, in its place, and stays seen.
function merged(current: readonly Message[], received: readonly Message[]): readonly Message[] {
  const byNumber = new Map(current.map((one) => [one.number, one]));
  for (const one of received) byNumber.set(one.number, { ...one, seenAt: one.seenAt ?? byNumber.get(one.number)?.seenAt ?? null });
  const all = [...byNumber.values()].toSorted((a, b) => a.number - b.number);
  const afterGap = all.findLastIndex((one, at) => at > 0 && all[at - 1]?.number !== one.number - 1);
  return all.slice(Math.max(0, afterGap));
}

/** Adds a loaded page, of the newest messages or of older ones. */
export const addPageToThread = (thread: ThreadData | undefined, page: ThreadData): ThreadData => ({
  conversation: page.conversation,
  quoteRequest: page.quoteRequest,
  emailWaits: page.emailWaits,
  messages: merged(thread?.messages ?? [], page.messages),
});

/** Adds one message; null if messages before it are missing and must be loaded. */
export function addMessageToThread(thread: ThreadData, message: Message): ThreadData | null {
  const last = thread.messages.at(-1)?.number ?? 0;
  return message.number > last + 1 ? null : { ...thread, messages: merged(thread.messages, [message]) };
}

/** Marks own messages as seen by the other side up to a number. */
export const markSeenInThread = (thread: ThreadData, number: number, seenAt: string): ThreadData => ({
  ...thread,
  messages: thread.messages.map((one) => (one.mine && one.number <= number && one.seenAt === null ? { ...one, seenAt } : one)),
});

export const hasOlder = ({ messages }: ThreadData) => (messages[0]?.number ?? 1) > 1;

/** The number of the other side's last message, to report as seen; 0 without one. */
export const getLastReceivedNumber = ({ messages }: ThreadData) => messages.findLast((one) => !one.mine)?.number ?? 0;

/** Days, sent messages and pending messages, in order. */
export type ThreadItem =
  | { kind: 'day'; key: string; text: string }
  | { kind: 'message'; key: string; message: Message; time: string; status: string | null }
  | { kind: 'pending'; key: string; pending: Pending };

export function formatDay(time: string, now: Date, timeZone: string): string {
  const days = daysBetween(new Date(time), now, timeZone);
  if (days <= 0) return 'Today';
  return days === 1 ? 'Yesterday' : formatDate(time, timeZone);
}

export function listThreadItems({ messages }: ThreadData, pending: readonly Pending[], now: Date, timeZone: string): ThreadItem[] {
  const lastOwn = messages.findLast((one) => one.mine);
  const lastSeen = messages.findLast((one) => one.mine && one.seenAt !== null);
  // A message received from the stream is sent, even if its own response is outstanding.
  const sent = new Set(messages.flatMap((one) => one.clientId ?? []));
  let day = '';
  const items = messages.flatMap((message): ThreadItem[] => {
    const text = formatDay(message.createdAt, now, timeZone);
    const begins = text !== day;
    day = text;
    const status = message === lastSeen ? 'Seen' : message === lastOwn ? 'Sent' : null;
    const item: ThreadItem = { kind: 'message', key: `${message.number}`, message, time: formatClock(message.createdAt, timeZone), status };
    return begins ? [{ kind: 'day', key: `day ${message.number}`, text }, item] : [item];
  });
  const onTheirWay = pending.filter((one) => !sent.has(one.clientId));
  if (onTheirWay.length > 0 && day !== 'Today') items.push({ kind: 'day', key: 'day pending', text: 'Today' });
  return [...items, ...onTheirWay.map((one): ThreadItem => ({ kind: 'pending', key: one.clientId, pending: one }))];
}

/** Ends a sentence with a name; "Mere K." already has its full stop. */
export const sentenceEnd = (name: string) => (name.endsWith('.') ? name : `${name}.`);

const warningTexts: Record<MessageWarning, string> = {
  link: 'Open a link only if you know where it leads.',
  bank_details: 'Pay into an account only once you have agreed on the work and know who you are paying.',
};

/** The warning about a message, in one line; empty without one. */
export const getWarningLine = (warnings: readonly MessageWarning[]) => warnings.map((one) => warningTexts[one]).join(' ');

/** A message in a list, in one line: "You: On my way", "2 pictures". */
export function getLastLine({ text, pictures, hasPdf, mine }: Conversation['lastMessage']): string {
  const shown = pictures === 0 && hasPdf ? 'A PDF' : pictures === 1 ? 'A picture' : `${pictures} pictures`;
  const words = text.replace(/\s+/g, ' ') || shown;
  return mine ? `You: ${words}` : words;
}
