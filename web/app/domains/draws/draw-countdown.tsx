import { useEffect, useState } from 'react';
import { getTimeLeft } from '../../lib/format.ts';
import styles from './draw-countdown.module.css';

const units = ['days', 'hours', 'minutes', 'seconds'] as const;

/** Days, hours, minutes and seconds until a draw closes. Only in the browser, because the page is cached. */
export function DrawCountdown({ until }: { until: string }) {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);
  const left = now === undefined ? null : getTimeLeft(until, now);
  return (
    // Not announced by screen readers; the text beside it has the date and time.
    <div className={styles.countdown} aria-hidden="true">
      {units.map((unit) => (
        <div key={unit} className={styles.unit}>
          <span className={styles.number}>{left ? String(left[unit]).padStart(2, '0') : '––'}</span>
          <span className={styles.name}>{unit}</span>
        </div>
      ))}
    </div>
  );
}
