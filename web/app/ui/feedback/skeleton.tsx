import type { CSSProperties } from 'react';
import { LoadingWords } from '../../lib/loading-view.tsx';
import styles from './skeleton.module.css';

/** A grey placeholder of the size of the loading content. */
export const Skeleton = ({
  width,
  height,
  radius,
}: Pick<CSSProperties, 'width' | 'height'> & { radius?: CSSProperties['borderRadius'] }) => (
  <span className={styles.bone} style={{ width, height, borderRadius: radius }} aria-hidden="true" />
);

/** The placeholder of a listing card. */
const CardSkeleton = () => (
  <div className={`card ${styles.card}`} aria-hidden="true">
    <span className={styles.picture} />
    <div className={styles.body}>
      <Skeleton width="85%" height={20} />
      <Skeleton width="55%" height={16} />
      <Skeleton width="40%" height={16} />
      <Skeleton width="100%" height={44} />
    </div>
  </div>
);

/** The placeholder of a table or a list. */
export const ListSkeleton = ({ rows = 8 }: { rows?: number }) => (
  <>
    <div role="status">
      <LoadingWords />
    </div>
    <div className={styles.list} aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} width="100%" height={36} radius="var(--radius-sm)" />
      ))}
    </div>
  </>
);

export const CardGridSkeleton = ({ cards = 8 }: { cards?: number }) => (
  <>
    <div role="status">
      <LoadingWords />
    </div>
    <div className="cards">
      {Array.from({ length: cards }, (_, index) => (
        <CardSkeleton key={index} />
      ))}
    </div>
  </>
);
