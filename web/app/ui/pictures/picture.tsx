import type { Picture as PictureData } from '@handwise/contract/listings/picture';
import { useMemo, useState } from 'react';
import { CategoryArt } from './category-icon.tsx';
import styles from './picture.module.css';
import { thumbHashToRGBA } from 'thumbhash';

type PictureProps = {
  /** Null shows the category's drawing. */
  picture: PictureData | null | undefined;
  categorySlug: string;
  /** The HTML attribute: the shown width by window width. */
  sizes: string;
  /** For the picture that must load first. */
  priority?: boolean;
  /** Overrides the picture's own text; empty if the text beside it says the same. */
  alt?: string;
  /** The text over the category's drawing if the picture fails to load, in case the drawing could be mistaken for it. */
  missing?: string;
};

/** A 4 : 3 picture that never shifts the page: a blurred preview, pulsing until it has loaded or failed. */
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
 * A CSS background with the picture's four corner colours, blended. It needs no image and no script in the browser, so it is part of the
 * first paint.
 */
export function getThumbhashBackground(base64: string): string | undefined {
  try {
    const { w, h, rgba } = thumbHashToRGBA(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
    // A hash of too few bytes decodes to an empty picture.
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
