import { getFilePrefix } from '../inbox/message-drafts.ts';
import { useStoredAttachments } from '../../../lib/pictures/stored-attachments.ts';
import { AttachmentField } from '../../../ui/forms/attachment-field.tsx';

/** The files of a visitor's message, which are sent with it after signing up. */
export function FirstFiles({ listingId }: { listingId: string }) {
  const { files, add, remove } = useStoredAttachments(getFilePrefix(listingId));
  return <AttachmentField subject="message" takesPdf files={files} onAdd={add} onRemove={remove} />;
}
