import { messageDraftsKey, messageFilePrefix, readStored, writeStored } from '../../../lib/browser-storage.ts';

// Keyed by the id of the listing or the conversation.
type Drafts = Record<string, string>;

/** The key prefix of the files of an unsent first message in the file store; its text is a draft under the id of the listing. */
export const getFilePrefix = (listingId: string) => `${messageFilePrefix}${listingId} `;

const getNamesId = (id: string) => `files ${id}`;
/** The names of the files of an unsent first message: it must not be sent without those that the browser has lost. */
export const readFileNames = (id: string): string[] => readMessageDraft(getNamesId(id)).split('\n').filter(Boolean);
export const saveFileNames = (id: string, names: readonly string[]) => saveMessageDraft(getNamesId(id), names.join('\n'));

const maxDrafts = 50;

function drafts(): Drafts {
  try {
    const read: unknown = JSON.parse(readStored(messageDraftsKey) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Drafts) : {};
  } catch {
    return {};
  }
}

/** The unsent text for a listing or a conversation. */
export function readMessageDraft(id: string): string {
  const text: unknown = drafts()[id];
  return typeof text === 'string' ? text : '';
}

/** Stores an unsent text; a blank one is deleted, and so are the oldest beyond the limit. */
export function saveMessageDraft(id: string, text: string) {
  const { [id]: _, ...others } = drafts();
  const stored = Object.entries(text.trim() === '' ? others : { ...others, [id]: text }).slice(-maxDrafts);
  writeStored(messageDraftsKey, JSON.stringify(Object.fromEntries(stored)));
}
