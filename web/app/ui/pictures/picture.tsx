import type { Picture as PictureData } from '@handwise/contract/listings/calls';
import { useMemo, useState } from 'react';
import { CategoryArt } from './category-icon.tsx';
import styles from './picture.module.css';
import { thumbhashBackground } from './thumbhash-background.ts';

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
  const background = useMemo(() => hash && thumbhashBackground(hash), [hash]);
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
          // The picture may have come, or failed, before React was there to be told.
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
