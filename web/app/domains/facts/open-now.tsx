import { getClock, formatTimeZone, ownTimeZone } from '@handwise/contract/dates';
import { type Hours, getOpeningState } from '@handwise/contract/facts/hours';
import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import styles from './open-now.module.css';

/**
 * "Open now, until 5 pm", from a listing’s hours in its region’s time zone, which is named if the reader's differs. Computed in the
 * browser, because the page is cached; until then a link to the hours.
 */
export function OpenNow({ hours, timeZone }: { hours: Hours; timeZone: string }) {
  const [now, setNow] = useState<Date>();
  useEffect(() => {
    const tick = () => setNow(new Date());
    tick();
    const timer = setInterval(tick, 60_000);
    return () => clearInterval(timer);
  }, []);
  const state = now && getOpeningState(hours, now, timeZone);
  const isElsewhere = now && getClock(now, ownTimeZone()).clock !== getClock(now, timeZone).clock;
  return (
    <a href="#facts-heading" className={styles.link} data-open={state?.isOpen}>
      <IconClock size={20} stroke={1.75} aria-hidden="true" />
      {state ? `${state.text}${isElsewhere ? `, ${formatTimeZone(timeZone)}` : ''}` : 'Opening hours'}
    </a>
  );
}
