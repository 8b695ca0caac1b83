import { delayLists } from '../../../lib/file-store.ts';
import { AttachmentField } from '../../../ui/forms/attachment-field.tsx';
import { useMessageFiles } from './message-files.ts';

/** The files of a visitor's message, which are sent with it after signing up. */
export function FirstFiles({ listingId }: { listingId: string }) {
  const { files, lost, add, remove } = useMessageFiles(listingId);
  return <AttachmentField subject="message" takesPdf files={files} lost={lost} onCheck={delayLists} onAdd={add} onRemove={remove} />;
}
