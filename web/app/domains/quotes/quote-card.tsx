import { site } from '@handwise/contract/site/site';
import { formatDate, ownTimeZone } from '@handwise/contract/dates';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import { formatQuantity } from '@handwise/contract/quotes/amounts';
import type { Quote } from '@handwise/contract/quotes/calls';
import {
  type DeclineReason,
  declineReasons,
  declineSentences,
  formatValidUntil,
  getEnding,
  kindSentences,
  maxDeclineLength,
  quoteKinds,
} from '@handwise/contract/quotes/words';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { getServerReason } from '../../lib/api-error.ts';
import { download } from '../../lib/download.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../ui/forms/form-field.tsx';
import { BuildingReminder } from './building-reminder.tsx';
import styles from './quote-card.module.css';
import { QuoteStateMark } from './quote-summaries.tsx';
import { changes, refetchQuotes, useSeenQuote } from './quote-queries.ts';

type QuoteCardProps = {
  quote: Quote;
  /** Leads to the message field. */
  onAsk: () => void;
  /** Whether the two can write to each other. */
  canAnswer: boolean;
};

const isOpen = ({ state }: Quote) => state === 'sent' || state === 'seen';
const day = (time: string) => formatDate(time, ownTimeZone());

/** What became of a quote, for one side. */
function describeQuote({ state, role, seenAt, closedAt, decline, validUntil }: Quote): string {
  if (state === 'accepted') return closedAt === null ? 'Accepted.' : `Accepted on ${day(closedAt)}.`;
  if (decline) {
    if (role === 'buyer') return 'You have declined it.';
    return [`The customer has declined it. ${declineSentences[decline.reason]}`, decline.note && `“${decline.note}”`]
      .filter(Boolean)
      .join(' ');
  }
  const ending = getEnding(state);
  if (ending) return role === 'seller' && state === 'withdrawn' ? 'You have withdrawn it.' : ending;
  const until = `Valid until ${formatValidUntil(validUntil)}.`;
  if (role === 'buyer') return until;
  return `${until} ${seenAt === null ? 'Not seen yet.' : `Seen on ${day(seenAt)}.`}`;
}

/** A quote within its conversation. One that is over is folded. */
export function QuoteCard({ quote, onAsk, canAnswer }: QuoteCardProps) {
  useSeenQuote(quote);
  const title = useId();
  const { kind, number, totalMinor, currency } = quote;
  const isFolded = !isOpen(quote) && quote.state !== 'accepted';
  return (
    <article className={styles.card} aria-labelledby={title} data-state={quote.state}>
      <div className={styles.head}>
        <h3 id={title} className={styles.title}>
          {quoteKinds[kind]} {number}
        </h3>
        <QuoteStateMark quote={quote} />
      </div>
      {isFolded ? (
        <details>
          <summary className={styles.summary}>
            {money(totalMinor, currency)}
            <span className={styles.more}>Show details</span>
          </summary>
          <QuoteAmounts quote={quote} />
        </details>
      ) : (
        <QuoteAmounts quote={quote} />
      )}
      <p className={styles.state}>{describeQuote(quote)}</p>
      {!isFolded && <BuildingReminder rule={quote.buildingRule} />}
      <QuoteActions quote={quote} onAsk={onAsk} canAnswer={canAnswer} />
    </article>
  );
}

function QuoteAmounts({ quote }: { quote: Quote }) {
  const { lines, currency, totalMinor, gstMinor, gstIncluded, gstPercent, kind, notes, startsOn } = quote;
  const price = (minor: number) => money(minor, currency);
  return (
    <div className={styles.amounts}>
      <ul className={styles.lines}>
        {lines.map((line, index) => (
          <li key={index}>
            <span className={styles.description}>{line.description}</span>
            <span className={styles.amount}>{price(line.amountMinor)}</span>
            <span className={styles.quantity}>
              {formatQuantity(line.quantityMilli)} × {price(line.unitMinor)}
            </span>
          </li>
        ))}
      </ul>
      <dl className={styles.sums}>
        {gstIncluded && (
          <>
            <div>
              <dt>Subtotal without GST</dt>
              <dd>{price(totalMinor - gstMinor)}</dd>
            </div>
            <div>
              <dt>GST ({gstPercent} %)</dt>
              <dd>{price(gstMinor)}</dd>
            </div>
          </>
        )}
        <div className={styles.total}>
          <dt>{gstIncluded ? 'Total, GST included' : 'Total, no GST'}</dt>
          <dd>{price(totalMinor)}</dd>
        </div>
      </dl>
      {!gstIncluded && <p className={styles.small}>The business is not registered for GST.</p>}
      <p className={styles.small}>{kindSentences[kind]}</p>
      {startsOn !== null && <p className={styles.small}>Work starts on {formatDate(startsOn, 'UTC')}.</p>}
      {notes !== '' && <p className={styles.notes}>{notes}</p>}
    </div>
  );
}

type Asking = 'accept' | 'decline' | 'withdraw';

const unsavedChoice = 'Your choice could not be saved. Please try again.';

const Problem = ({ text }: { text: string | undefined }) =>
  text !== undefined && (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  );

function QuoteActions({ quote, onAsk, canAnswer }: QuoteCardProps) {
  const { _id, number, business, role, conversationId } = quote;
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asking>();
  const [busy, setBusy] = useState(false);
  // Said in the dialog, which stays open with what was typed.
  const [problem, setProblem] = useState<string>();
  const isAsking = useRef(false);
  useEffect(() => {
    isAsking.current = asking !== undefined;
  });
  const close = () => {
    setAsking(undefined);
    setProblem(undefined);
  };
  async function change(work: () => Promise<unknown>, done: string) {
    setBusy(true);
    setProblem(undefined);
    let unsaved: string | undefined;
    try {
      await work();
      toast(done);
    } catch (error) {
      const reason = getServerReason(error);
      if (reason === null && isAsking.current) unsaved = unsavedChoice;
      else toast(reason ?? unsavedChoice, 'error');
    }
    await refetchQuotes(client, conversationId);
    setBusy(false);
    if (unsaved === undefined) close();
    else setProblem(unsaved);
  }
  const savePdf = () =>
    void download(`/api/quotes/${_id}/pdf`, `${business} ${number}.pdf`).catch(() =>
      toast('The file could not be loaded. Please try again.', 'error'),
    );
  const isCustomer = role === 'buyer' && isOpen(quote) && canAnswer;
  const isBusiness = role === 'seller' && isOpen(quote);
  return (
    <div className={styles.actions}>
      {isCustomer && (
        <>
          <Button size="sm" onClick={() => setAsking('accept')}>
            Accept {quoteKinds[quote.kind].toLowerCase()}
          </Button>
          <Button size="sm" kind="secondary" onClick={onAsk}>
            Ask a question
          </Button>
          <Button size="sm" kind="secondary" onClick={() => setAsking('decline')}>
            Decline
          </Button>
        </>
      )}
      {isBusiness && (
        <>
          {canAnswer && (
            <ButtonLink size="sm" kind="secondary" to={paths.writeQuote(conversationId)}>
              Change
            </ButtonLink>
          )}
          <Button size="sm" kind="secondary" onClick={() => setAsking('withdraw')}>
            Withdraw
          </Button>
        </>
      )}
      <Button size="sm" kind={isCustomer || isBusiness ? 'quiet' : 'secondary'} onClick={savePdf}>
        Download PDF
      </Button>
      <AcceptDialog
        quote={quote}
        open={asking === 'accept'}
        busy={busy}
        problem={problem}
        onClose={close}
        onAccept={() => void change(() => changes.accept(_id), 'Accepted. The business has been told.')}
      />
      <DeclineDialog
        open={asking === 'decline'}
        busy={busy}
        problem={problem}
        onClose={close}
        onDecline={(reason, note) => void change(() => changes.decline(_id, { reason, note }), 'Declined. The business has been told.')}
      />
      <Dialog
        open={asking === 'withdraw'}
        onClose={close}
        title={`Withdraw ${number}?`}
        actions={
          <>
            <Button kind="secondary" onClick={close}>
              Keep it open
            </Button>
            <Button busy={busy} onClick={() => void change(() => changes.withdraw(_id), 'Withdrawn.')}>
              Withdraw
            </Button>
          </>
        }
      >
        <Problem text={problem} />
        <p>The customer can no longer accept it. You can send another one at any time.</p>
      </Dialog>
    </div>
  );
}

type AskingProps = { open: boolean; busy: boolean; problem: string | undefined; onClose: () => void };
type AcceptDialogProps = AskingProps & { quote: Quote; onAccept: () => void };

const AcceptDialog = ({ quote, open, busy, problem, onClose, onAccept }: AcceptDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={`Accept ${money(quote.totalMinor, quote.currency)}?`}
    actions={
      <>
        <Button kind="secondary" onClick={onClose}>
          Not yet
        </Button>
        <Button busy={busy} onClick={onAccept}>
          Accept {quoteKinds[quote.kind].toLowerCase()}
        </Button>
      </>
    }
  >
    <div className={styles.prompt}>
      <Problem text={problem} />
      <p>
        The agreement is between you and {quote.business}. {site.name} takes no part in it.
      </p>
      <p>Nothing is paid here: you pay the business as the two of you agree.</p>
      <p>{kindSentences[quote.kind]} Accepting is final.</p>
    </div>
  </Dialog>
);

type DeclineDialogProps = AskingProps & { onDecline: (reason: DeclineReason, note: string) => void };

function DeclineDialog({ open, busy, problem, onClose, onDecline }: DeclineDialogProps) {
  const form = useId();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    if (!busy) onDecline(values.get('reason') as DeclineReason, String(values.get('note')));
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Decline this quote?"
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Keep it open
          </Button>
          <Button type="submit" form={form} busy={busy}>
            Decline
          </Button>
        </>
      }
    >
      <form id={form} className={styles.prompt} onSubmit={submit}>
        <Problem text={problem} />
        <SelectField label="Why?" name="reason" id={`${form}-reason`}>
          {Object.entries(declineReasons).map(([reason, words]) => (
            <option key={reason} value={reason}>
              {words}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Anything else"
          optional
          name="note"
          id={`${form}-note`}
          maxLength={maxDeclineLength}
          hint="The business reads both."
        />
      </form>
    </Dialog>
  );
}

/** Above the message field of a business. */
export const WriteQuoteLink = ({ conversationId, children }: { conversationId: string; children?: ReactNode }) => (
  <div className={styles.link}>
    <ButtonLink to={paths.writeQuote(conversationId)} kind="secondary" size="sm">
      Write a quote
    </ButtonLink>
    {children}
  </div>
);
