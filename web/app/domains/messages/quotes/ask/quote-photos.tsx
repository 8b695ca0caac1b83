import { maxMessagePictures } from '@handwise/contract/messages/limits';
import { counted } from '@handwise/contract/numbers';
import { IconPhotoPlus, IconX } from '@tabler/icons-react';
import { useId, useRef, useState, useCallback } from 'react';
import { checkPictures, getObjectUrl } from '../../../../lib/pictures/checked-pictures.ts';
import { Button } from '../../../../ui/forms/button.tsx';
import { PictureInput } from '../../../../ui/forms/picture-input.tsx';
import styles from './quote-photos.module.css';
import { quotePhotoPrefix } from '../../../../lib/browser-storage.ts';
import { deleteFile, saveFile, findFile } from '../../../../lib/file-store.ts';
import type { StoredPhoto } from './quote-draft.ts';

type QuotePhotosProps = { photos: readonly QuotePhoto[]; onAdd: (files: readonly File[]) => void; onRemove: (id: string) => void };

/** Photos of the job, as many as a message takes. */
export function QuotePhotos({ photos, onAdd, onRemove }: QuotePhotosProps) {
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState('');
  const [problem, setProblem] = useState('');
  const id = useId();
  async function take(picked: readonly File[]) {
    const { accepted, problems } = await checkPictures(picked);
    const room = maxMessagePictures - photos.length;
    if (accepted.length > room) problems.push(`A request takes up to ${maxMessagePictures} photos.`);
    const added = accepted.slice(0, room);
    onAdd(added);
    setProblem(problems.join(' '));
    setStatus(added.length > 0 ? `${counted(added.length, 'photo')} added.` : '');
  }
  return (
    <div className={styles.photos} role="group" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        Photos <span className={styles.optional}>(optional)</span>
      </span>
      {photos.length > 0 && (
        <ul className={styles.list}>
          {photos.map((photo) => (
            <li key={photo.id}>
              <img src={getObjectUrl(photo.file)} alt={photo.name} width={88} height={88} />
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${photo.name}`}
                onClick={() => {
                  onRemove(photo.id);
                  setStatus('Photo removed.');
                  button.current?.querySelector('button')?.focus();
                }}
              >
                <IconX size={16} stroke={2} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div ref={button}>
        <Button kind="secondary" size="sm" onClick={() => picker.current?.click()}>
          <IconPhotoPlus size={20} stroke={1.75} aria-hidden="true" /> Add photos
        </Button>
      </div>
      <PictureInput ref={picker} hidden multiple onTake={(files) => void take(files)} />
      <p className={styles.problem} role="alert">
        {problem}
      </p>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </div>
  );
}

type QuotePhoto = StoredPhoto & { file: File };

/** The photos of a request, stored in the browser until they are sent. */
export function useQuotePhotos() {
  const [photos, setPhotos] = useState<readonly QuotePhoto[]>([]);
  /** Restores the photos that a draft names, without those that the browser lost. */
  const restore = useCallback(async (accepted: readonly StoredPhoto[]) => {
    const found = await Promise.all(
      accepted.map(async ({ id, name }) => {
        const file = await findFile(id);
        return file ? [{ id, name, file }] : [];
      }),
    );
    setPhotos(found.flat());
  }, []);
  function add(files: readonly File[]) {
    const added = files.map((file) => ({ id: `${quotePhotoPrefix}${crypto.randomUUID()}`, name: file.name, file }));
    for (const { id, file } of added) void saveFile(id, file);
    setPhotos((now) => [...now, ...added]);
  }
  function remove(id: string) {
    void deleteFile(id);
    setPhotos((now) => now.filter((one) => one.id !== id));
  }
  const forget = () => {
    for (const { id } of photos) void deleteFile(id);
  };
  return { photos, restore, add, remove, forget };
}
