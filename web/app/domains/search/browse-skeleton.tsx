import { CardGridSkeleton, Skeleton } from '../../ui/feedback/skeleton.tsx';
import browse from './browse.module.css';
import styles from './browse-skeleton.module.css';

/** The loading search in its final size, so that nothing moves. */
export const BrowseSkeleton = () => (
  <div className={browse.browse}>
    <div className={styles.carousel} aria-hidden="true">
      {Array.from({ length: 7 }, (_, index) => (
        <span key={index} className={styles.tile}>
          <Skeleton width={64} height={64} radius="50%" />
          <Skeleton width={72} height={14} />
        </span>
      ))}
    </div>
    <div className={styles.filters} aria-hidden="true" />
    <CardGridSkeleton />
  </div>
);
