import type { Picture as PictureData } from '@handwise/contract/listings/calls';
import { useMemo, useState } from 'react';
import { CategoryArt } from './category-icon.tsx';
import styles from './picture.module.css';
import { thumbHashToRGBA } from 'thumbhash';

type PictureProps = {
  /** Null shows the category's drawing. */
  picture: PictureData | null | undefined;
  categorySlug: string;
  /** As in HTML: how wide it is shown at which window width. */
  sizes: string;
  /** For the one picture that decides how fast the page feels. */
  priority?: boolean;
  /** Overrides the picture's own; empty where the text beside it says the same. */
  alt?: string;
  /** Says over the category's drawing that a picture did not come, where the drawing could be taken for it. */
  missing?: string;
};

/** A 4 : 3 picture that never moves the page: its colours at once, pulsing until it is loaded or known not to come. */
export function Picture({ picture, categorySlug, sizes, priority = false, alt, missing }: PictureProps) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const hash = picture?.thumbhash;
  const background = useMemo(() => hash && getThumbhashBackground(hash), [hash]);
  if (!picture || state === 'failed') {
    return (
      <span className={styles.frame}>
        <CategoryArt slug={categorySlug} alt={alt ?? picture?.alt ?? ''} />
        {picture && missing && <span className={styles.missing}>{missing}</span>}
      </span>
    );
  }
  return (
    <span
      className={styles.frame}
      data-loading={state === 'loading' || undefined}
      style={background ? { background } : undefined}
      suppressHydrationWarning
    >
      <picture>
        {picture.avifSrcSet && <source type="image/avif" srcSet={picture.avifSrcSet} sizes={sizes} />}
        <img
          // The picture may have loaded or failed before React attached its handlers.
          ref={(image) => {
            if (image?.complete) setState(image.naturalWidth > 0 ? 'loaded' : 'failed');
          }}
          src={picture.src}
          srcSet={picture.srcSet || undefined}
          sizes={sizes}
          alt={alt ?? picture.alt}
          width={picture.width}
          height={picture.height}
          loading={priority ? 'eager' : 'lazy'}
          fetchPriority={priority ? 'high' : 'auto'}
          decoding="async"
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
        />
      </picture>
    </span>
  );
}

const corners = ['bottom right', 'bottom left', 'top right', 'top left'];
/** Near the four corners, then the middle, as fractions of the width and height. */
const places = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
  [0.5, 0.5],
] as const;

/**
 * A CSS background that looks like the picture from far away: its four corners, blended. It needs no image and no script in
 * the browser, so it is part of the first paint.
 */
export function getThumbhashBackground(base64: string): string | undefined {
  try {
    const { w, h, rgba } = thumbHashToRGBA(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
    // Too few bytes for a hash give an empty picture.
    if (rgba.length === 0) return undefined;
    const colours = places.map(([x, y]) => {
      const start = 4 * (Math.floor(y * h) * w + Math.floor(x * w));
      return rgba.subarray(start, start + 3).join(' ');
    });
    const blended = corners.map((corner, at) => `linear-gradient(to ${corner}, rgb(${colours[at]}), rgb(${colours[at]} / 0) 75%)`);
    return [...blended, `rgb(${colours[4]})`].join(',');
  } catch {
    return undefined;
  }
}
