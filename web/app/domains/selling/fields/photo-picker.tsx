import { counted } from '@handwise/contract/numbers';
import { formatNames, maxPhotoBytes } from '@handwise/contract/pictures';
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type Announcements,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { IconArrowLeft, IconArrowRight, IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { checkPictures, getObjectUrl } from '../../../lib/pictures/checked-pictures.ts';
import { formatMegabytes } from '../../../lib/format.ts';
import { PictureInput, useDropArea } from '../../../ui/forms/picture-input.tsx';
import area from './drop-area.module.css';
import styles from './photo-picker.module.css';
import { moveItem, type Photo } from './photo-rules.ts';

type PhotoPickerProps = {
  /** In the order in which they are shown; the first is the cover. */
  photos: readonly Photo[];
  /** Receives an update function, because the list may change while picked files are being read. */
  onChange: (change: (photos: readonly Photo[]) => readonly Photo[]) => void;
  /** How many the plan shows; photos beyond that are marked. */
  max: number;
  /** The note on photos beyond `max`. */
  beyond?: string;
};

// `status` announces the effect of the buttons: the drag library's announcements contain internal ids.
const silent: Announcements = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Photos by drag or tap, with previews, ordered by dragging or by the buttons below each. */
export function PhotoPicker({ photos, onChange, max, beyond = 'Over your plan’s limit' }: PhotoPickerProps) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [status, setStatus] = useState('');
  // Opening fifteen large photos takes a phone some seconds.
  const [checking, setChecking] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const id = useId();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A short delay, so that touching a photo still scrolls the page.
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
  );
  async function take(files: readonly File[]) {
    setChecking((now) => now + files.length);
    const checked = await checkPictures(files);
    setChecking((now) => now - files.length);
    setProblems(checked.problems);
    if (checked.accepted.length === 0) return;
    const added = checked.accepted.map((file) => ({ id: crypto.randomUUID(), name: file.name, file }));
    onChange((now) => [...now, ...added]);
    setStatus(`${counted(added.length, 'photo')} added.`);
  }
  const input = useRef<HTMLInputElement>(null);
  const drop = useDropArea((files) => void take(files));

  function move(from: number, to: number) {
    if (moveItem(photos, from, to) === photos) return;
    onChange((now) => moveItem(now, from, to));
    setStatus(`Photo moved to place ${to + 1} of ${photos.length}.${to === 0 ? ' It is the cover now.' : ''}`);
  }
  function remove(index: number) {
    onChange((now) => now.toSpliced(index, 1));
    setStatus('Photo removed.');
    // The pressed button disappears with its photo: the next one's, or the picker, takes the focus.
    requestAnimationFrame(() => {
      const next = list.current?.querySelectorAll<HTMLButtonElement>('button[data-remove]')[Math.min(index, photos.length - 2)];
      (next ?? input.current)?.focus();
    });
  }
  function dropped({ active, over }: DragEndEvent) {
    const place = (id: unknown) => photos.findIndex((photo) => photo.id === id);
    if (over) move(place(active.id), place(over.id));
  }

  return (
    <div className={styles.picker} role="group" aria-labelledby={`${id}-label`}>
      <div className={styles.head}>
        <span className={styles.label} id={`${id}-label`}>
          Photos
        </span>
        <span className={styles.count} data-over={photos.length > max || undefined}>
          {photos.length} of {max}
        </span>
      </div>
      <div {...drop} className={`${area.drop} ${styles.drop}`} role="presentation">
        <IconPhotoPlus size={32} stroke={1.5} aria-hidden="true" />
        <span>
          <label className={styles.choose} htmlFor={`${id}-input`}>
            Choose photos
          </label>
          <span className={styles.desk}> or drop them here</span>
        </span>
        <span className={styles.hint} id={`${id}-hint`}>
          {checking > 0
            ? `Looking at ${counted(checking, 'photo')} …`
            : `Up to ${max} photos, ${formatNames}, ${formatMegabytes(maxPhotoBytes)} each. The first one is the cover of your listing.`}
        </span>
        <PictureInput
          ref={input}
          id={`${id}-input`}
          multiple
          className={area.input}
          aria-describedby={`${id}-hint`}
          onTake={(files) => void take(files)}
        />
      </div>
      {problems.length > 0 && (
        <div className={styles.problems} role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {status}
      </p>
      {photos.length > 0 && (
        <DndContext
          id={id}
          sensors={sensors}
          collisionDetection={closestCenter}
          onDragEnd={dropped}
          accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
        >
          <SortableContext items={photos.map((photo) => photo.id)} strategy={rectSortingStrategy}>
            <ol ref={list} className={styles.photos} aria-label="Your photos">
              {photos.map((photo, index) => (
                <PhotoTile
                  key={photo.id}
                  photo={photo}
                  place={index}
                  last={index === photos.length - 1}
                  note={index >= max ? beyond : undefined}
                  onMove={(to) => move(index, to)}
                  onRemove={() => remove(index)}
                />
              ))}
            </ol>
          </SortableContext>
        </DndContext>
      )}
      {photos.length > 1 && <p className={styles.hint}>Drag photos to change their order, or use the arrows.</p>}
    </div>
  );
}

type PhotoTileProps = {
  photo: Photo;
  place: number;
  last: boolean;
  note: string | undefined;
  onMove: (to: number) => void;
  onRemove: () => void;
};

function PhotoTile({ photo, place, last, note, onMove, onRemove }: PhotoTileProps) {
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id: photo.id });
  const src = 'file' in photo ? getObjectUrl(photo.file) : photo.src;
  const which = `photo ${place + 1}`;
  return (
    <li
      ref={setNodeRef}
      className={styles.photo}
      data-dragging={isDragging || undefined}
      data-beyond={note ? '' : undefined}
      style={{ transform: CSS.Translate.toString(transform), transition: transition ?? undefined }}
    >
      {/* Dragging needs a pointer; the buttons below work for everyone. */}
      <div className={styles.frame} {...listeners}>
        <img src={src} alt={`${which}: ${photo.name}`} draggable={false} decoding="async" />
        {place === 0 && <span className={styles.badge}>Cover</span>}
        {note && <span className={styles.beyond}>{note}</span>}
      </div>
      <div className={styles.tools}>
        <button type="button" aria-label={`Move left: ${which}`} disabled={place === 0} onClick={() => onMove(place - 1)}>
          <IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />
        </button>
        <button type="button" aria-label={`Move right: ${which}`} disabled={last} onClick={() => onMove(place + 1)}>
          <IconArrowRight size={20} stroke={1.75} aria-hidden="true" />
        </button>
        <button type="button" data-remove="" aria-label={`Remove ${which}`} onClick={onRemove}>
          <IconTrash size={20} stroke={1.75} aria-hidden="true" />
        </button>
      </div>
    </li>
  );
}
