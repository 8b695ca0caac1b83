import type { Attachment } from '../../../lib/pictures/stored-attachments.ts';
import { readMessageDraft, saveMessageDraft } from '../inbox/message-drafts.ts';

const attemptOf = (id: string) => `attempt ${id}`;

/**
 * The id of a text with its files for a listing. It is stored beside the draft, so that a message whose answer was lost, also with the page, is sent
 * once.
 */
export function getClientId(id: string, text: string, files: readonly Attachment[], given: string = crypto.randomUUID()): string {
  const content = [...files.map((file) => file.id), text].join(' ');
  const stored = readMessageDraft(attemptOf(id));
  const clientId = stored.slice(0, given.length);
  if (stored === `${clientId} ${content}`) return clientId;
  saveMessageDraft(attemptOf(id), `${given} ${content}`);
  return given;
}

export const deleteClientId = (id: string) => saveMessageDraft(attemptOf(id), '');
