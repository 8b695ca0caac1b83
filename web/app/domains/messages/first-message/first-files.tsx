import { delayLists } from '../../../lib/file-store.ts';
import { AttachmentField } from '../../../ui/forms/attachment-field.tsx';
import { useMessageFiles } from './message-files.ts';

/** The files of a visitor's message, which are sent with it after signing up. */
export function FirstFiles({ listingId }: { listingId: string }) {
  const { files, lost, watch, add, remove } = useMessageFiles(listingId);
  const check = (work: Promise<void>, picked: readonly File[]) => {
    delayLists(work);
    watch(work, picked);
  };
  return <AttachmentField subject="message" takesPdf files={files} lost={lost} onCheck={check} onAdd={add} onRemove={remove} />;
}
