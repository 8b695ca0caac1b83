import { type Weekday, weekdays } from '@handwise/contract/evidence/words';
import { useState } from 'react';
import { type DayTimes, hoursOf, ownDays, sharedTimes, timesOf, withDay, withShared } from './evidence-form.ts';
import styles from './hours-fields.module.css';

const days = Object.entries(weekdays) as [Weekday, string][];

type HoursFieldsProps = { hours: string; onChange: (hours: string) => void; error: string | undefined };

/** The hours that Monday to Friday share, and the days that have their own. */
export function HoursFields({ hours, onChange, error }: HoursFieldsProps) {
  const [own, setOwn] = useState(() => ownDays(hours));
  const times = timesOf(hours);
  const shared = sharedTimes(times, own);
  function toggle(day: Weekday) {
    const next = own.includes(day) ? own.filter((one) => one !== day) : [...own, day];
    setOwn(next);
    onChange(hoursOf(withDay(times, day, next)));
  }
  return (
    <fieldset className={styles.hours} aria-describedby="hours-hint">
      <legend>
        Hours <span className="muted">(optional)</span>
      </legend>
      {shared && (
        <>
          <p>Same hours Monday to Friday</p>
          <TimesRow
            name="Mon–Fri"
            label="Monday to Friday"
            times={shared}
            onChange={(change) => onChange(hoursOf(withShared(times, { ...shared, ...change }, own)))}
          />
        </>
      )}
      <div className={styles.exceptions}>
        <p id="own-days">Days with other hours</p>
        <div className={styles.days} role="group" aria-labelledby="own-days">
          {days.map(([day, name]) => (
            <button key={day} type="button" className={styles.day} aria-pressed={own.includes(day)} onClick={() => toggle(day)}>
              {name}
            </button>
          ))}
        </div>
      </div>
      {days
        .filter(([day]) => own.includes(day))
        .map(([day, name]) => (
          <TimesRow
            key={day}
            name={name}
            label={name}
            times={times[day]}
            onChange={(change) => onChange(hoursOf({ ...times, [day]: { ...times[day], ...change } }))}
          />
        ))}
      <p className={styles.hint} id="hours-hint">
        A day without times is closed.
      </p>
      {error !== undefined && (
        <p className={styles.error} id="field-hours-error">
          <span className="visually-hidden">Error: </span>
          {error}
        </p>
      )}
    </fieldset>
  );
}

type TimesRowProps = { name: string; label: string; times: DayTimes; onChange: (change: Partial<DayTimes>) => void };

const TimesRow = ({ name, label, times, onChange }: TimesRowProps) => (
  <div className={styles.row}>
    <span>{name}</span>
    <input type="time" aria-label={`${label}, from`} value={times.from} onChange={({ target }) => onChange({ from: target.value })} />
    <span aria-hidden="true">to</span>
    <input type="time" aria-label={`${label}, until`} value={times.until} onChange={({ target }) => onChange({ until: target.value })} />
  </div>
);
