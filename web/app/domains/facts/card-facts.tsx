import { IconRosetteDiscountCheck } from '@tabler/icons-react';
import type { CardFactTexts as Facts } from './card-facts-view.ts';
import styles from './card-facts.module.css';

/** The facts on a card in one line. */
export const CardFacts = ({ facts: { price, fees, availability = null, verified, others } }: { facts: Facts }) =>
  (price !== null || availability !== null || verified !== null || others.length > 0) && (
    <div className={styles.facts}>
      {price !== null && <p className={styles.price}>{fees ? `${price}, ${fees}` : price}</p>}
      {(availability !== null || verified !== null || others.length > 0) && (
        <ul className={styles.badges}>
          {availability !== null && <li className={styles.availability}>{availability}</li>}
          {verified !== null && (
            <li className={styles.verified}>
              <IconRosetteDiscountCheck size={16} stroke={1.75} aria-hidden="true" />
              {verified}
            </li>
          )}
          {others.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
    </div>
  );
