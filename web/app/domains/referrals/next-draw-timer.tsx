import { counted } from '@handwise/contract/numbers';
import { useEffect, useState } from 'react';
import { nextMinuteMs, timeLeft } from '../../lib/format.ts';
import styles from './next-draw-timer.module.css';

type NextDrawTimerProps = {
  until: string;
  /** The moment has come. */
  onEnd: () => void;
};

/** Days, hours and minutes until a moment, written anew with each minute. */
export function NextDrawTimer({ until, onEnd }: NextDrawTimerProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const wait = nextMinuteMs(until, now);
    if (wait === null) return;
    const timer = setTimeout(() => {
      const then = Date.now();
      setNow(then);
      if (nextMinuteMs(until, then) === null) onEnd();
    }, wait);
    return () => clearTimeout(timer);
  }, [until, now, onEnd]);
  const left = timeLeft(until, now);
  const parts = [
    { unit: 'Days', one: 'day', value: left.days },
    { unit: 'Hours', one: 'hour', value: left.hours },
    { unit: 'Minutes', one: 'minute', value: left.minutes },
  ];
  return (
    <div className={styles.parts} role="timer" aria-label={parts.map(({ one, value }) => counted(value, one)).join(', ')}>
      {parts.map(({ unit, value }) => (
        <span key={unit} className={styles.part} aria-hidden="true">
          <span className={styles.number}>{value}</span>
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </div>
  );
}
