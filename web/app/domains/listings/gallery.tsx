import type { Picture as PictureData } from '@handwise/contract/listings';
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { breakpoints } from '../../lib/breakpoints.ts';
import { Picture } from '../../ui/pictures/picture.tsx';
import styles from './gallery.module.css';

type GalleryProps = { pictures: readonly PictureData[]; categorySlug: string; title: string };

const large = `(min-width: ${breakpoints.desk}px) min(820px, 64vw), 100vw`;

/** A strip that snaps from picture to picture: fingers swipe it, buttons and arrow keys scroll it, and links reach a picture without script. */
function useStrip(length: number, start = 0) {
  const strip = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(start);
  const measure = () => {
    const element = strip.current;
    if (element && element.clientWidth > 0) setIndex(Math.min(length - 1, Math.round(element.scrollLeft / element.clientWidth)));
  };
  const show = (next: number, behavior: ScrollBehavior = 'auto') => {
    const element = strip.current;
    element?.scrollTo({ left: ((next + length) % length) * element.clientWidth, behavior });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(index + step);
  };
  return { strip, index, measure, show, onKeyDown };
}

export function Gallery({ pictures, categorySlug, title }: GalleryProps) {
  const { strip, index, measure, show, onKeyDown } = useStrip(pictures.length);
  const [open, setOpen] = useState(false);
  const thumbnails = useRef<HTMLUListElement>(null);
  const total = pictures.length;
  useKeepInSight(thumbnails, index);

  if (total === 0) {
    return (
      <div className={styles.frame}>
        <Picture picture={null} categorySlug={categorySlug} sizes={large} />
      </div>
    );
  }
  return (
    <section aria-label="Photos">
      <div className={styles.frame}>
        <ul ref={strip} className={styles.strip} onScroll={measure}>
          {pictures.map((picture, at) => (
            <li key={picture.src} id={`photo-${at + 1}`}>
              <button
                type="button"
                className={styles.slide}
                tabIndex={at === index ? 0 : -1}
                aria-label={`Photo ${at + 1} of ${total}${picture.alt && `: ${picture.alt}`}. Show full screen`}
                onClick={() => setOpen(true)}
                onKeyDown={onKeyDown}
              >
                <Picture picture={picture} categorySlug={categorySlug} sizes={large} priority={at === 0} />
              </button>
            </li>
          ))}
        </ul>
        {total > 1 && <Turns onTurn={(step) => show(index + step)} onKeyDown={onKeyDown} />}
        <Counter index={index} total={total} />
      </div>
      {total > 1 && (
        <ul ref={thumbnails} className={styles.thumbnails}>
          {pictures.map((picture, at) => (
            <li key={picture.src}>
              <a
                href={`#photo-${at + 1}`}
                className={styles.thumbnail}
                aria-label={`Photo ${at + 1} of ${total}`}
                aria-current={at === index ? 'true' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  show(at);
                }}
                onKeyDown={onKeyDown}
              >
                <Picture picture={picture} categorySlug={categorySlug} sizes="96px" alt="" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <FullScreen
          pictures={pictures}
          title={title}
          start={index}
          onClose={(last) => {
            setOpen(false);
            show(last, 'instant');
          }}
        />
      )}
    </section>
  );
}

const Counter = ({ index, total }: { index: number; total: number }) => (
  <p className={styles.counter}>
    {index + 1} / {total}
  </p>
);

type TurnsProps = { onTurn: (step: 1 | -1) => void; onKeyDown?: (event: KeyboardEvent) => void };

const Turns = ({ onTurn, onKeyDown }: TurnsProps) => (
  <>
    <button
      type="button"
      className={styles.turn}
      data-side="left"
      aria-label="Previous photo"
      onClick={() => onTurn(-1)}
      onKeyDown={onKeyDown}
    >
      <IconChevronLeft size={24} stroke={1.75} aria-hidden="true" />
    </button>
    <button type="button" className={styles.turn} data-side="right" aria-label="Next photo" onClick={() => onTurn(1)} onKeyDown={onKeyDown}>
      <IconChevronRight size={24} stroke={1.75} aria-hidden="true" />
    </button>
  </>
);

type FullScreenProps = { pictures: readonly PictureData[]; title: string; start: number; onClose: (last: number) => void };

/** The same strip over the whole window. The browser's own dialog keeps the focus inside, closes on Escape and gives the focus back. */
function FullScreen({ pictures, title, start, onClose }: FullScreenProps) {
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
      {pictures.length > 1 && <Turns onTurn={(step) => show(index + step)} />}
      <Counter index={index} total={pictures.length} />
      <button type="button" className={styles.close} aria-label="Close" onClick={() => dialog.current?.close()}>
        <IconX size={24} stroke={1.75} aria-hidden="true" />
      </button>
    </dialog>
  );
}

/** Scrolls the thumbnails, never the page, to the one that is shown. */
function useKeepInSight(list: RefObject<HTMLUListElement | null>, index: number) {
  useEffect(() => {
    const element = list.current;
    const item = element?.children[index];
    if (!element || !(item instanceof HTMLElement)) return;
    element.scrollTo({ left: item.offsetLeft - (element.clientWidth - item.offsetWidth) / 2 });
  }, [list, index]);
}
