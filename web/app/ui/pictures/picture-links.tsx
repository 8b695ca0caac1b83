import type { Picture } from '@handwise/contract/listings/picture';
import styles from './picture-links.module.css';

/** Small pictures that open in full in a new tab. */
export const PictureLinks = ({ pictures }: { pictures: readonly Picture[] }) =>
  pictures.length > 0 && (
    <ul className={styles.pictures}>
      {pictures.map(({ src, srcSet, alt }, at) => (
        <li key={src}>
          <a href={src} target="_blank" rel="noopener">
            <img
              src={src}
              srcSet={srcSet || undefined}
              sizes="96px"
              alt={alt || `Picture ${at + 1}`}
              width={96}
              height={96}
              loading="lazy"
            />
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
