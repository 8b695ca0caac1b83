import { counted } from '@handwise/contract/numbers';
import { Link } from 'react-router';
import type { CostTile, PriceView } from './costs-data.server.ts';
import styles from './costs.module.css';

export type { CostTile };

/** The end of a scale from 0 that has room for all of these prices. */
export const getScaleEnd = (prices: readonly Pick<PriceView, 'high'>[]) => Math.max(1, ...prices.map(({ high }) => high)) * 1.15;

type Range = Pick<PriceView, 'low' | 'median' | 'high'>;

/** The middle half as a bar with a mark at the median. Its figures are always beside it as text, so screen readers skip it. */
export function PriceRange({ price: { low, median, high }, end }: { price: Range; end: number }) {
  const at = (minor: number) => Math.round((minor / end) * 1000) / 10;
  return (
    <svg className={styles.range} viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect className={styles.rail} x="0" y="5" width="100" height="2" />
      <rect className={styles.half} x={at(low)} y="1" width={Math.max(0.5, at(high) - at(low))} height="10" />
      <line className={styles.median} x1={at(median)} x2={at(median)} y1="0" y2="12" />
    </svg>
  );
}

/** Tiles of services that lead to what they cost. */
export const CostTiles = ({ services, showsCurrency }: { services: readonly CostTile[]; showsCurrency: boolean }) => (
  <ul className={styles.tiles}>
    {services.map(({ name, path, price }) => (
      <li key={path}>
        <Link to={path} className={`card card-lift ${styles.tile}`}>
          <span className={styles.tileName}>{name}</span>
          <PriceRange price={price} end={getScaleEnd([price])} />
          <span className="tabular">
            {price.medianText}
            {showsCurrency && ` ${price.currency}`} {price.unitText}
          </span>
          <span className={`muted ${styles.small}`}>
            Usually {price.halfText} ({counted(price.sample, 'listing')})
          </span>
        </Link>
      </li>
    ))}
  </ul>
);
