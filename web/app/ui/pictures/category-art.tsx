import styles from './category-art.module.css';

const files = import.meta.glob<string>('./art/*.svg', { query: '?url', import: 'default', eager: true });

/** The category's drawing, 4 : 3: stands where a listing has no picture of its own. */
export const CategoryArt = ({ slug, alt = '' }: { slug: string; alt?: string }) => (
  <img
    className={styles.art}
    src={files[`./art/${slug}.svg`] ?? files['./art/handyman.svg']}
    alt={alt}
    width={400}
    height={300}
    loading="lazy"
    decoding="async"
  />
);
