import { addDays, getDay, ownTimeZone } from '@handwise/contract/dates';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import { findBuildingRule, getLineMinor, parsePrice, parseQuantity } from '@handwise/contract/quotes/amounts';
import type { Quote, ShownBuildingRule } from '@handwise/contract/quotes/calls';
import { kindSentences, maxNotesLength, maxQuoteLines, maxStartDays, maxValidDays, type QuoteKind } from '@handwise/contract/quotes/words';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../../lib/api.ts';
import { toFormProblem } from '../../lib/forms/form-problem.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter, TextField } from '../../ui/forms/form-field.tsx';
import {
  addUpDraft,
  changeQuote,
  createWrittenQuote,
  type DraftLine,
  emptyLine,
  listProblems,
  type WrittenQuote,
  readWrittenQuote,
  saveWrittenQuote,
  toQuoteBody,
} from './written-quote.ts';
import styles from './quote-form.module.css';
import { BuildingReminder } from './building-reminder.tsx';
import { quotesQuery, refetchQuotes } from './quote-queries.ts';

/** Where a business writes a quote. What is typed is stored until it is sent. */
export function WriteQuote({ conversationId }: { conversationId: string }) {
  const query = useQuery(quotesQuery(conversationId));
  if (query.isPending) return <LoadingView />;
  if (query.isError && !query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  return <WriteQuoteForm conversationId={conversationId} {...query.data} />;
}

type WriteQuoteFormProps = {
  conversationId: string;
  country: CountryCode;
  quotes: readonly Quote[];
  buildingRules: readonly ShownBuildingRule[];
};
type Problem = { message?: string; fields: readonly { field: string; message: string }[]; attempt: number };

export function WriteQuoteForm({ conversationId, country, quotes, buildingRules }: WriteQuoteFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [stored] = useState(() => readWrittenQuote(conversationId, createWrittenQuote(quotes, new Date(), ownTimeZone())));
  const [draft, setDraft] = useState(stored.draft);
  const [problem, setProblem] = useState<Problem>({ fields: [], attempt: 0 });
  const [busy, setBusy] = useState(false);
  const added = useRef<number>(undefined);
  useEffect(() => {
    if (added.current === undefined) return;
    document.getElementById(`field-lines-${added.current}-description`)?.focus();
    added.current = undefined;
  });
  const [today] = useState(() => getDay(new Date(), ownTimeZone()));
  const { currency } = markets[country];
  const open = quotes.find(({ state }) => state === 'sent' || state === 'seen');
  const errorOf = (field: string) => problem.fields.find((one) => one.field === field)?.message;

  function change(changed: Partial<WrittenQuote>) {
    const next = changeQuote(draft, changed);
    setDraft(next);
    saveWrittenQuote(conversationId, next);
  }
  const changeLine = (index: number, changed: Partial<DraftLine>) =>
    change({ lines: draft.lines.map((line, at) => (at === index ? { ...line, ...changed } : line)) });
  function addLine() {
    added.current = draft.lines.length;
    change({ lines: [...draft.lines, emptyLine] });
  }
  function removeLine(index: number) {
    added.current = Math.max(0, index - 1);
    change({ lines: draft.lines.toSpliced(index, 1) });
  }
  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const fields = listProblems(draft, country, today);
    const attempt = problem.attempt + 1;
    setProblem({ fields, attempt });
    if (fields.length > 0) return;
    setBusy(true);
    try {
      await call('POST /quotes', { body: toQuoteBody(draft, conversationId) });
      saveWrittenQuote(conversationId, undefined);
      await refetchQuotes(client, conversationId);
      toast('Sent. You will see here when it is seen.');
      await navigate(paths.conversation(conversationId));
    } catch (error) {
      setProblem({ ...toFormProblem(error, ['validUntil', 'startsOn', 'notes']), attempt });
      setBusy(false);
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void send(event)}>
      <ErrorSummary {...problem} />
      {stored.isDamaged && <Notice>Part of your draft could not be read, and the rest is as it was. Check it before you send it.</Notice>}
      {open && (
        <p className={styles.replaces}>
          This replaces {open.number} for {money(open.totalMinor, open.currency)}, which is still open.
        </p>
      )}
      <Choice
        legend="What is it?"
        name="kind"
        value={draft.kind}
        onChoose={(kind: QuoteKind) => change({ kind })}
        choices={[
          ['quote', 'Quote', kindSentences.quote],
          ['estimate', 'Estimate', kindSentences.estimate],
        ]}
      />
      <fieldset className={styles.lines}>
        <legend>Lines</legend>
        {draft.lines.map((line, index) => (
          <Line
            key={index}
            line={line}
            index={index}
            currency={currency}
            errorOf={errorOf}
            onChange={(changed) => changeLine(index, changed)}
            onRemove={draft.lines.length > 1 ? () => removeLine(index) : undefined}
          />
        ))}
        {draft.lines.length < maxQuoteLines && (
          <Button kind="secondary" size="sm" onClick={addLine}>
            <IconPlus size={20} stroke={1.75} aria-hidden="true" />
            Add a line
          </Button>
        )}
      </fieldset>
      <Choice
        legend="GST"
        name="gst"
        value={draft.gstIncluded ? 'included' : 'none'}
        onChoose={(gst: 'included' | 'none') => change({ gstIncluded: gst === 'included' })}
        choices={[
          ['included', 'Prices include GST', `${markets[country].gstPercent} % of GST is in the prices.`],
          ['none', 'Not registered for GST', 'The quote says so.'],
        ]}
      />
      <TextField
        label="Valid until"
        type="date"
        name="validUntil"
        min={today}
        max={addDays(today, maxValidDays)}
        value={draft.validUntil}
        error={errorOf('validUntil')}
        hint="The last day on which it can be accepted."
        onChange={({ target }) => change({ validUntil: target.value })}
      />
      <TextField
        label="Work starts"
        optional
        type="date"
        name="startsOn"
        min={today}
        max={addDays(today, maxStartDays)}
        value={draft.startsOn ?? ''}
        error={errorOf('startsOn')}
        hint="If you know the day."
        onChange={({ target }) => change({ startsOn: target.value })}
      />
      <TextArea
        label="Notes"
        optional
        name="notes"
        rows={4}
        value={draft.notes}
        error={errorOf('notes')}
        hint="What is included, what is not, and when you can do it."
        after={<TextCounter text={draft.notes} max={maxNotesLength} />}
        onChange={({ target }) => change({ notes: target.value })}
      />
      <BuildingReminder rule={findBuildingRule(buildingRules, addUpDraft(draft, country).totalMinor)} />
      <RunningTotal draft={draft} country={country} busy={busy} />
      <p className={styles.small}>
        Its document carries your business’s name, logo, phone, email, numbers and licence from your listing. The customer can accept it,
        decline it or ask a question. The agreement is then between the two of you; nothing is paid here.{' '}
        <Link to={paths.conversation(conversationId)}>Back to the conversation</Link>
      </p>
    </form>
  );
}

type RunningTotalProps = { draft: WrittenQuote; country: CountryCode; busy: boolean };

/** Stays in sight at the bottom of the screen. */
function RunningTotal({ draft, country, busy }: RunningTotalProps) {
  const { totalMinor, gstMinor } = addUpDraft(draft, country);
  const { currency } = markets[country];
  return (
    <div className={styles.end}>
      <p className={styles.total} role="status">
        <strong>{money(totalMinor, currency)}</strong>
        <span>{draft.gstIncluded ? `GST of ${money(gstMinor, currency)} included` : 'Not registered for GST'}</span>
      </p>
      <Button type="submit" busy={busy}>
        {busy ? 'Sending...' : `Send ${draft.kind}`}
      </Button>
    </div>
  );
}

type LineProps = {
  line: DraftLine;
  index: number;
  currency: string;
  errorOf: (field: string) => string | undefined;
  onChange: (changed: Partial<DraftLine>) => void;
  onRemove: (() => void) | undefined;
};

function Line({ line, index, currency, errorOf, onChange, onRemove }: LineProps) {
  const at = (field: keyof DraftLine) => ({
    name: `lines-${index}-${field}`,
    error: errorOf(`lines-${index}-${field}`),
    value: line[field],
  });
  const [quantityMilli, unitMinor] = [parseQuantity(line.quantity), parsePrice(line.price)];
  const amount = quantityMilli === null || unitMinor === null ? null : money(getLineMinor({ quantityMilli, unitMinor }), currency);
  return (
    <div className={styles.line} role="group" aria-label={`Line ${index + 1}`}>
      <TextField label="Description" {...at('description')} onChange={({ target }) => onChange({ description: target.value })} />
      <div className={styles.numbers}>
        <TextField
          label="Quantity"
          inputMode="decimal"
          autoComplete="off"
          {...at('quantity')}
          onChange={({ target }) => onChange({ quantity: target.value })}
        />
        <TextField
          label="Price each"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          {...at('price')}
          onChange={({ target }) => onChange({ price: target.value })}
        />
      </div>
      {(amount !== null || onRemove) && (
        <div className={styles.lineEnd}>
          <span className={styles.amount}>{amount}</span>
          {onRemove && (
            <button type="button" className={styles.remove} aria-label={`Remove line ${index + 1}`} onClick={onRemove}>
              <IconTrash size={20} stroke={1.75} aria-hidden="true" />
            </button>
          )}
        </div>
      )}
    </div>
  );
}

type ChoiceProps<Value extends string> = {
  legend: string;
  name: string;
  value: Value;
  choices: readonly (readonly [value: Value, label: string, hint: string])[];
  onChoose: (value: Value) => void;
};

const Choice = <Value extends string>({ legend, name, value, choices, onChoose }: ChoiceProps<Value>) => (
  <fieldset className={styles.choices}>
    <legend>{legend}</legend>
    {choices.map(([one, label, hint]) => (
      <label key={one} className={styles.choice}>
        <input type="radio" name={name} value={one} checked={one === value} onChange={() => onChoose(one)} />
        <strong>{label}</strong>
        <span className={styles.small}>{hint}</span>
      </label>
    ))}
  </fieldset>
);
