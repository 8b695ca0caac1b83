import { useEffect } from 'react';
import { useFileChecks } from '../../../lib/pictures/file-checks.ts';
import { useStoredAttachments } from '../../../lib/pictures/stored-attachments.ts';
import { getFilePrefix, readFileNames, saveFileNames } from '../inbox/message-drafts.ts';

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
