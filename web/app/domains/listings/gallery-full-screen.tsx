import type { Picture as PictureData } from '@handwise/contract/listings/picture';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useStrip, Counter, FromCustomer, StepButtons } from './gallery-strip.tsx';
import styles from './gallery.module.css';

type FullScreenProps = { pictures: readonly PictureData[]; own: number; title: string; start: number; onClose: (last: number) => void };

/** The same strip over the whole window. The browser's own dialog keeps the focus inside, closes on Escape and gives the focus back. */
export function FullScreen({ pictures, own, title, start, onClose }: FullScreenProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { strip, index, measure, show, onKeyDown } = useStrip(pictures.length, start);
  const [first] = useState(start);

  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    const element = strip.current;
    element?.scrollTo({ left: first * element.clientWidth, behavior: 'instant' });
  }, [strip, first]);

  return (
    <dialog ref={dialog} className={styles.full} aria-label={`Photos of ${title}`} onClose={() => onClose(index)} onKeyDown={onKeyDown}>
      <ul ref={strip} className={styles.fullStrip} onScroll={measure}>
        {pictures.map((picture, at) => (
          <li key={picture.src} aria-hidden={at !== index}>
            <picture>
              {picture.avifSrcSet && <source type="image/avif" srcSet={picture.avifSrcSet} sizes="100vw" />}
              <img
                src={picture.src}
                srcSet={picture.srcSet || undefined}
                sizes="100vw"
                width={picture.width}
                height={picture.height}
                alt={picture.alt || `Photo ${at + 1}`}
                loading={Math.abs(at - first) <= 1 ? 'eager' : 'lazy'}
                decoding="async"
              />
            </picture>
          </li>
        ))}
      </ul>
      {pictures.length > 1 && <StepButtons onStep={(step) => show(index + step)} />}
      {index >= own && <FromCustomer />}
      <Counter index={index} total={pictures.length} />
      <button type="button" className={styles.close} aria-label="Close" onClick={() => dialog.current?.close()}>
        <IconX size={24} stroke={1.75} aria-hidden="true" />
      </button>
    </dialog>
  );
}
