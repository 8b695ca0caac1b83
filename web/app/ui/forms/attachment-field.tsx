import type { Picture } from '@handwise/contract/listings/picture';
import { maxSharedPhotos } from '@handwise/contract/pictures';
import { counted } from '@handwise/contract/numbers';
import { IconFileText, IconPhotoPlus, IconX } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { checkAttachments, formatFileSize, isPdfFile } from '../../lib/pictures/attachments.ts';
import { getObjectUrl } from '../../lib/pictures/checked-pictures.ts';
import type { Attachment } from '../../lib/pictures/stored-attachments.ts';
import styles from './attachment-field.module.css';
import { Button } from './button.tsx';
import { PictureInput } from './picture-input.tsx';

type AttachmentFieldProps = {
  /** What they go with. */
  subject: 'message' | 'request' | 'review';
  takesPdf?: boolean;
  files: readonly Attachment[];
  /** Photos that are on the server, shown before the new ones; their `src` is their id. */
  kept?: readonly Picture[];
  hint?: string;
  /** Said until the next files are chosen. */
  lost?: string | undefined;
  /** Hears of every check of chosen files, before whose end nothing must be sent. */
  onCheck: (work: Promise<void>, picked: readonly File[]) => void;
  onAdd: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
  disabled?: boolean;
};

const none: readonly Picture[] = [];

/** Up to five photos, and a PDF if one is taken. */
export function AttachmentField({
  subject,
  takesPdf = false,
  files,
  kept = none,
  hint,
  lost,
  onCheck,
  onAdd,
  onRemove,
  disabled = false,
}: AttachmentFieldProps) {
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLDivElement>(null);
  const [isChecking, setChecking] = useState(false);
  const [status, setStatus] = useState('');
  const [problem, setProblem] = useState('');
  const id = useId();
  async function take(picked: readonly File[]) {
    setStatus(`Checking ${counted(picked.length, 'file')}.`);
    setChecking(true);
    const before = files.map(({ file }) => file);
    const limits = { subject, maxPhotos: maxSharedPhotos - kept.length, takesPdf, before };
    const { accepted, problems } = await checkAttachments(picked, limits).finally(() => setChecking(false));
    if (accepted.length > 0) onAdd(accepted);
    setProblem(problems.join(' '));
    setStatus(accepted.length > 0 ? `${counted(accepted.length, takesPdf ? 'file' : 'photo')} added.` : '');
  }
  function remove(removed: string, what: 'Photo' | 'PDF') {
    onRemove(removed);
    setProblem('');
    setStatus(`${what} removed.`);
    button.current?.querySelector('button')?.focus();
  }
  return (
    <div className={styles.field} role="group" aria-labelledby={`${id}-label`} aria-describedby={hint ? `${id}-hint` : undefined}>
      <span id={`${id}-label`} className={styles.label}>
        {takesPdf ? 'Photos, or a PDF' : 'Photos'} <span className={styles.optional}>(optional)</span>
      </span>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {kept.length + files.length > 0 && (
        <ul className={styles.list}>
          {kept.map(({ src, alt }) => (
            <li key={src}>
              <img src={src} alt={alt} width={88} height={88} />
              <RemoveButton name={alt} disabled={disabled} onPress={() => remove(src, 'Photo')} />
            </li>
          ))}
          {files.map(({ id: fileId, name, file }) => (
            <li key={fileId}>
              {isPdfFile(file) ? (
                <span className={styles.pdf}>
                  <IconFileText size={20} stroke={1.75} aria-hidden="true" />
                  <bdi className={styles.name}>{name}</bdi>
                  {formatFileSize(file.size)}
                </span>
              ) : (
                <img src={getObjectUrl(file)} alt={name} width={88} height={88} />
              )}
              <RemoveButton name={name} disabled={disabled} onPress={() => remove(fileId, isPdfFile(file) ? 'PDF' : 'Photo')} />
            </li>
          ))}
        </ul>
      )}
      <div ref={button}>
        <Button kind="secondary" size="sm" disabled={disabled} busy={isChecking} onClick={() => picker.current?.click()}>
          <IconPhotoPlus size={20} stroke={1.75} aria-hidden="true" /> {takesPdf ? 'Add photos or a PDF' : 'Add photos'}
        </Button>
      </div>
      <PictureInput ref={picker} hidden multiple takesPdf={takesPdf} onTake={(picked) => onCheck(take(picked), picked)} />
      <p className={styles.problem} role="alert">
        {problem || lost}
      </p>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </div>
  );
}

const RemoveButton = ({ name, disabled, onPress }: { name: string; disabled: boolean; onPress: () => void }) => (
  <button type="button" className={styles.remove} aria-label={`Remove ${name}`} disabled={disabled} onClick={onPress}>
    <IconX size={16} stroke={2} aria-hidden="true" />
  </button>
);
