import { messageDraftsKey, readStored, writeStored } from '../../../lib/browser-storage.ts';

// By the id of the listing or the conversation that they are for.
type Drafts = Record<string, string>;

const maxDrafts = 50;

function drafts(): Drafts {
  try {
    const read: unknown = JSON.parse(readStored(messageDraftsKey) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Drafts) : {};
  } catch {
    return {};
  }
}

/** What was typed for a listing or in a conversation and not sent yet. */
export function readMessageDraft(id: string): string {
  const text: unknown = drafts()[id];
  return typeof text === 'string' ? text : '';
}

/** Keeps what is typed; nothing but spaces is nothing. The oldest of many go. */
export function saveMessageDraft(id: string, text: string) {
  const { [id]: _, ...others } = drafts();
  const stored = Object.entries(text.trim() === '' ? others : { ...others, [id]: text }).slice(-maxDrafts);
  writeStored(messageDraftsKey, JSON.stringify(Object.fromEntries(stored)));
}
