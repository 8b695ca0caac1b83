import { useEffect } from 'react';
import { useFileChecks } from '../../../lib/pictures/file-checks.ts';
import { type Attachment, useStoredAttachments } from '../../../lib/pictures/stored-attachments.ts';
import { getFilePrefix, readFileNames, readMessageDraft, saveFileNames, saveMessageDraft } from '../inbox/message-drafts.ts';

/** The files of an unsent first message, kept in the browser like its text. Nothing may be sent while `isChecking`. */
export function useMessageFiles(draftId: string) {
  const { isRead, files, ...stored } = useStoredAttachments(getFilePrefix(draftId), readFileNames(draftId));
  const { isChecking, checking, watch } = useFileChecks();
  useEffect(() => {
    // With those of which a page that is left now stores only the name.
    if (isRead) saveFileNames(draftId, [...files.map(({ name }) => name), ...checking]);
  }, [draftId, isRead, files, checking]);
  return { ...stored, files, isChecking: isChecking || !isRead, watch };
}

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
