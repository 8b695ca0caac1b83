import type { Picture as PictureData } from '@handwise/contract/listings/picture';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { breakpoints } from '../../lib/breakpoints.ts';
import { Picture } from '../../ui/pictures/picture.tsx';
import { useStrip, Counter, FromCustomer, StepButtons } from './gallery-strip.tsx';
import styles from './gallery.module.css';

type GalleryProps = {
  pictures: readonly PictureData[];
  /** How many of them, the first ones, are the business's; the others are from customers. */
  own: number;
  category: { name: string; slug: string };
  title: string;
};

const fullScreen = () => import('./gallery-full-screen.tsx');
const FullScreen = lazy(async () => ({ default: (await fullScreen()).FullScreen }));

// Preloaded when a press is likely.
const preload = () => void fullScreen().catch(() => undefined);

const large = `(min-width: ${breakpoints.desk}px) min(820px, 64vw), 100vw`;

export function Gallery({ pictures, own, category, title }: GalleryProps) {
  const { strip, index, measure, show, onKeyDown } = useStrip(pictures.length);
  const [open, setOpen] = useState(false);
  const thumbnails = useRef<HTMLUListElement>(null);
  const total = pictures.length;
  useScrollIntoView(thumbnails, index);

  if (total === 0) {
    return (
      <figure className={styles.frame}>
        <Picture picture={null} categorySlug={category.slug} sizes={large} />
        <figcaption className={styles.drawing}>Our drawing for {category.name}. This business has not added photos yet.</figcaption>
      </figure>
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
                onPointerEnter={preload}
                onFocus={preload}
              >
                <Picture
                  picture={picture}
                  categorySlug={category.slug}
                  sizes={large}
                  priority={at === 0}
                  missing="This photo could not be loaded"
                />
              </button>
            </li>
          ))}
        </ul>
        {total > 1 && <StepButtons onStep={(step) => show(index + step)} onKeyDown={onKeyDown} />}
        {index >= own && <FromCustomer />}
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
                <Picture picture={picture} categorySlug={category.slug} sizes="96px" alt="" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <Suspense fallback={<span className={`spinner ${styles.opening}`} role="status" aria-label="Loading content..." />}>
          <FullScreen
            pictures={pictures}
            own={own}
            title={title}
            start={index}
            onClose={(last) => {
              setOpen(false);
              show(last, 'instant');
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

/** Scrolls the thumbnails, but not the page, to the shown one. */
function useScrollIntoView(list: RefObject<HTMLUListElement | null>, index: number) {
  useEffect(() => {
    const element = list.current;
    const item = element?.children[index];
    if (!element || !(item instanceof HTMLElement)) return;
    element.scrollTo({ left: item.offsetLeft - (element.clientWidth - item.offsetWidth) / 2 });
  }, [list, index]);
}
