import { addDays, formatTimeZone, getDay } from '@handwise/contract/dates';
import { formatVisitLength, maxVisitDays, maxVisitTimes } from '@handwise/contract/visits/words';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { toFormProblem } from '../../lib/forms/form-problem.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../ui/forms/form-field.tsx';
import { type LocalTime, refetchVisits } from './visit-queries.ts';
import styles from './visits.module.css';

type Row = { day: string; clock: string; minutes: number };
type VisitFormProps = {
  conversationId: string;
  timeZone: string;
  title: string;
  open: boolean;
  onClose: () => void;
  onSent?: () => void;
  /** Sends the times under an id that stays the same while they do. */
  send: (body: { clientId: string; times: LocalTime[] }) => Promise<unknown>;
};

const lengths = [15, 30, 45, 60, 90, 120, 180, 240, 360, 480];
const emptyRow: Row = { day: '', clock: '09:00', minutes: 60 };

/** Up to three times for a visit, on the clocks of the listing. */
export function VisitForm({ open, onClose, onSent, title, ...form }: VisitFormProps) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={id} busy={busy}>
            Send times
          </Button>
        </>
      }
    >
      <TimesForm
        {...form}
        id={id}
        busy={busy}
        onBusy={setBusy}
        onSent={() => {
          onClose();
          onSent?.();
        }}
      />
    </Dialog>
  );
}

/** Ids of proposals. Other times are another proposal to the server, should the last attempt have reached it; the same ones are the same. */
export function createClientIds() {
  let last = { times: '', clientId: '' };
  return (times: readonly LocalTime[]): string => {
    const text = JSON.stringify(times);
    if (text !== last.times) last = { times: text, clientId: crypto.randomUUID() };
    return last.clientId;
  };
}

type TimesFormProps = Pick<VisitFormProps, 'conversationId' | 'timeZone' | 'send'> & {
  id: string;
  busy: boolean;
  onBusy: (busy: boolean) => void;
  onSent: () => void;
};

function TimesForm({ id, busy, onBusy, onSent, conversationId, timeZone, send }: TimesFormProps) {
  const client = useQueryClient();
  const [rows, setRows] = useState<readonly Row[]>([emptyRow]);
  const [problem, setProblem] = useState<{ message?: string; fields: readonly { field: string; message: string }[] }>({ fields: [] });
  const [today] = useState(() => getDay(new Date(), timeZone));
  const [clientIdOf] = useState(createClientIds);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const errorOf = (place: number) => problem.fields.find(({ field }) => field.startsWith(`times.${place}`))?.message;
  const focusRow = (place: number) => document.getElementById(`${id}-${place}-day`)?.focus();
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const missing = rows.flatMap(({ day, clock }, place) =>
      day === '' || clock === '' ? [{ field: `times.${place}`, message: 'Choose a day and a time' }] : [],
    );
    setProblem({ fields: missing });
    if (missing[0]) return focusRow(Number(missing[0].field.slice('times.'.length)));
    onBusy(true);
    try {
      const times = rows.map(({ day, clock, minutes }) => ({ start: `${day}T${clock}`, minutes }));
      await send({ clientId: clientIdOf(times), times });
      toast('Sent. You will be told which time suits.');
      await refetchVisits(client, conversationId);
      onBusy(false);
      onSent();
    } catch (error) {
      const found = toFormProblem(
        error,
        rows.map((_, place) => `times.${place}.start`),
      );
      if (!isShown.current) return toast(found.message, 'error');
      setProblem(found);
      onBusy(false);
      const place = rows.findIndex((_, at) => found.fields.some(({ field }) => field.startsWith(`times.${at}`)));
      if (place >= 0) focusRow(place);
    }
  }
  return (
    <form id={id} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>
        Propose up to {maxVisitTimes} times. All are {formatTimeZone(timeZone)}, where the listing is.
      </p>
      {problem.message !== undefined && problem.fields.length === 0 && (
        <p className={styles.problem} role="alert">
          {problem.message}
        </p>
      )}
      {rows.map((row, place) => {
        const set = (changed: Partial<Row>) => setRows(rows.map((one, at) => (at === place ? { ...one, ...changed } : one)));
        return (
          <fieldset key={place} className={styles.row}>
            <legend>Time {place + 1}</legend>
            <TextField
              label="Day"
              type="date"
              id={`${id}-${place}-day`}
              value={row.day}
              min={today}
              max={addDays(today, maxVisitDays)}
              error={errorOf(place)}
              onChange={({ target }) => set({ day: target.value })}
            />
            <TextField
              label="From"
              type="time"
              id={`${id}-${place}-clock`}
              value={row.clock}
              onChange={({ target }) => set({ clock: target.value })}
            />
            <SelectField
              label="Takes"
              id={`${id}-${place}-minutes`}
              value={row.minutes}
              onChange={({ target }) => set({ minutes: Number(target.value) })}
            >
              {lengths.map((minutes) => (
                <option key={minutes} value={minutes}>
                  {formatVisitLength(minutes)}
                </option>
              ))}
            </SelectField>
          </fieldset>
        );
      })}
      <div className={styles.actions}>
        {rows.length < maxVisitTimes && (
          <Button size="sm" kind="secondary" onClick={() => setRows([...rows, { ...(rows.at(-1) ?? emptyRow), day: '' }])}>
            Add another time
          </Button>
        )}
        {rows.length > 1 && (
          <Button
            size="sm"
            kind="quiet"
            onClick={() => {
              setRows(rows.slice(0, -1));
              focusRow(rows.length - 2);
            }}
          >
            Remove time {rows.length}
          </Button>
        )}
      </div>
    </form>
  );
}
