import { maxMessageLength } from '@handwise/contract/messages/limits';
import { type QuoteRequestForm, quoteRequestForm } from '@handwise/contract/messages/quote-requests';
import { type ReactNode, useCallback, useEffect, useRef, useState, lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { useCheckedForm } from '../../../../lib/forms/checked-form.ts';
import { getRegisterPath } from '../../../../lib/session/redirect.ts';
import { useSession } from '../../../../lib/session/session.ts';
import { useRootData } from '../../../../lib/root-data.ts';
import { quoteRequestPhotoPrefix } from '../../../../lib/browser-storage.ts';
import { checkingLabel, useFileChecks } from '../../../../lib/pictures/file-checks.ts';
import { AttachmentField } from '../../../../ui/forms/attachment-field.tsx';
import { Button, ButtonLink } from '../../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter } from '../../../../ui/forms/form-field.tsx';
import { addressWords } from '../../message-words.ts';
import { SeveralOutcomes, isSent, type Outcomes } from '../../first-message/send-to-several.tsx';
import {
  type QuoteRequestPick,
  deleteQuoteRequestDraft,
  createEmptyDraft,
  saveQuoteRequestDraft,
  readQuoteRequestDraft,
  sendPath,
  takePendingQuoteRequest,
  setPendingQuoteRequest,
} from './quote-request-draft.ts';
import styles from './request-quotes.module.css';
import { useQuoteRequestPhotos } from './use-quote-request-photos.ts';
import { startingPicks, toggleBusiness, SuggestedBusinesses, type Suggest, useSuggested } from './suggested-businesses.tsx';
import { QuoteRequestTrade, QuoteRequestWhen } from './quote-request-trade.tsx';
import { listOutcomes, createQuoteRequestSender, listSent, useQuoteRequestSending } from './use-quote-request-sending.ts';
import { type Understand, useUnderstood } from '../../../../lib/use-understood.ts';
import { JobFacts } from '../list/quote-request-job.tsx';
import { paths } from '@handwise/contract/paths';

/** The starting values: from a listing, from a list of one kind of job in one place, or after signing in. */
export type QuoteRequestStart = { category?: string; subCategory?: string; place?: string; listing?: QuoteRequestPick; sends?: boolean };
type PlaceField = { id: string; name: string; text: string; error: string | undefined; onText: (text: string) => void };

type RequestQuotesProps = {
  /** Null until the browser has read the address. */
  start: QuoteRequestStart | null;
  placeField: (field: PlaceField) => ReactNode;
  understand: Understand;
  suggest: Suggest;
};

const { job, category, subCategory, place, when, date } = createEmptyDraft();
const nothing: QuoteRequestForm = { job, category, subCategory, place, when, date };
const picksId = 'field-quotes-picks';

/** One description of a job for up to three businesses. It is stored in the browser until it is sent. */
export function RequestQuotes({ start, placeField, understand, suggest }: RequestQuotesProps) {
  const { user } = useSession();
  const navigate = useNavigate();
  const { relayed } = useRootData();
  const [values, setValues] = useState(nothing);
  // The initial text of the place field; the typed text is `values.place`.
  const [firstPlace, setFirstPlace] = useState('');
  const [picks, setPicks] = useState<readonly QuoteRequestPick[]>([]);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState<{ message: string; attempt: number }>();
  const { photos, lost, restore, add, remove, forget } = useQuoteRequestPhotos();
  const { isChecking, checking, watch } = useFileChecks();
  const { outcomes, sending, send, setOutcomes, forget: forgetOutcomes } = useQuoteRequestSending();
  const [clientId, setClientId] = useState('');
  const [isPartly, setIsPartly] = useState(false);
  const sent = picks.filter(({ listingId }) => isSent(outcomes, listingId));
  const done = sent.length > 0 && sent.length === picks.length && !sending;

  // A changed text is a new request, also if the answer to the one before was lost with the page.
  function changed() {
    setProblem(undefined);
    setClientId(crypto.randomUUID());
    if (outcomes.size > 0) forgetOutcomes();
  }

  const { form, field, summary, busy, choose, fillIn, errorOf } = useCheckedForm<QuoteRequestForm>({
    name: 'quotes',
    schema: quoteRequestForm,
    start: nothing,
    send: (checked) => submit(checked),
    onChange: useCallback((now: QuoteRequestForm) => setValues({ ...nothing, ...now }), []),
  });
  const { isRead, chosen } = useUnderstood({ text: values.job, category: values.category }, understand, (read) => {
    choose('category', read.category);
    choose('subCategory', read.subCategory);
    if (read.place && !values.place.trim()) {
      setFirstPlace(read.place);
      choose('place', read.place);
    }
  });
  const suggested = useSuggested(values, suggest);

  useEffect(() => {
    if (start === null || ready) return undefined;
    let isOver = false;
    const draft = readQuoteRequestDraft();
    const trade = start.category === undefined ? draft : { category: start.category, subCategory: start.subCategory ?? '' };
    const where = start.place ?? draft.place;
    fillIn({ job: draft.job, date: draft.date });
    choose('category', trade.category);
    choose('subCategory', trade.subCategory);
    choose('when', draft.when);
    choose('place', where);
    if (trade.category) chosen();
    async function begin(picked: readonly QuoteRequestPick[]) {
      const isWhole = await restore(draft.photos);
      // Begun again meanwhile: a late end would put back what has been sent or changed since.
      if (isOver) return;
      // Not sent by itself without photos that were chosen.
      if (!isWhole) takePendingQuoteRequest();
      setClientId(draft.clientId);
      setOutcomes(listOutcomes(draft.sent));
      setIsPartly(draft.sent.length > 0);
      setFirstPlace(where);
      setPicks(picked);
      setReady(true);
    }
    void begin(draft.sent.length > 0 ? draft.picks : startingPicks(draft, start));
    return () => {
      isOver = true;
    };
  }, [start, ready, fillIn, choose, chosen, restore, setOutcomes]);

  useEffect(() => {
    if (!ready || done) return;
    // With those that are not stored yet, so that the draft tells which are missing.
    const stored = [...photos.map(({ id, name }) => ({ id, name })), ...checking.map((name) => ({ id: quoteRequestPhotoPrefix, name }))];
    saveQuoteRequestDraft({ ...values, picks, photos: stored, sent: listSent(outcomes), clientId });
  }, [ready, done, values, picks, photos, checking, outcomes, clientId]);

  async function sendTo(receivers: readonly QuoteRequestPick[], checked: QuoteRequestForm) {
    const files = photos.map(({ file }) => file);
    const result = await send(receivers, createQuoteRequestSender(checked, clientId, files));
    if (!result) return;
    setIsPartly(receivers.some(({ listingId }) => isSent(result, listingId)));
    if (receivers.every(({ listingId }) => isSent(result, listingId))) finish();
  }
  function finish() {
    forget();
    deleteQuoteRequestDraft();
  }
  async function submit(checked: QuoteRequestForm) {
    if (isChecking) return;
    if (picks.length === 0) {
      setProblem((before) => ({ message: 'Choose at least one business to ask.', attempt: (before?.attempt ?? 0) + 1 }));
      return;
    }
    if (user) return sendTo(picks, checked);
    setPendingQuoteRequest();
    await navigate(getRegisterPath(sendPath));
  }

  // After signing in the request is sent automatically, once.
  const sends = useRef(sendTo);
  useEffect(() => {
    sends.current = sendTo;
  });
  useEffect(() => {
    if (!ready || !user || !start?.sends) return;
    const { success, data } = quoteRequestForm.safeParse(values);
    if (success && picks.length > 0 && takePendingQuoteRequest()) void sends.current(picks, data);
  }, [ready, user, start, values, picks]);

  if (done) return <QuoteRequestSent picks={picks} outcomes={outcomes} />;
  const working = busy || sending;
  const whom = (
    <SuggestedBusinesses
      id={picksId}
      suggested={suggested}
      onRetry={suggested.retry}
      picks={picks}
      outcomes={outcomes}
      onToggle={(pick) => {
        setProblem(undefined);
        const now = toggleBusiness(picks, pick, outcomes);
        setPicks(now);
        // Once the failed businesses are deselected, all remaining ones have the request.
        if (now.length > 0 && now.every(({ listingId }) => isSent(outcomes, listingId))) finish();
      }}
    />
  );
  if (isPartly) {
    return (
      <QuoteRequestRest values={values} busy={sending} onSend={() => void sendTo(picks, values)}>
        <SeveralOutcomes receivers={picks} outcomes={outcomes} />
        {lost !== undefined && <p className={styles.note}>{lost}</p>}
        {whom}
      </QuoteRequestRest>
    );
  }
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary
        {...summary}
        message={problem?.message ?? summary.message}
        attempt={problem?.attempt ?? summary.attempt}
        key={problem?.attempt ?? 'fields'}
      />
      <TextArea
        label="What do you need done?"
        rows={5}
        hint="What it is, roughly how big, and anything a business should know before coming."
        after={<TextCounter text={values.job} max={maxMessageLength} />}
        {...field('job', changed)}
      />
      <QuoteRequestTrade
        {...values}
        id="field-quotes-category"
        error={errorOf('category')}
        isRead={isRead}
        onChoose={(trade) => {
          chosen();
          changed();
          choose('category', trade.category);
          choose('subCategory', trade.subCategory);
        }}
      />
      {placeField({
        id: 'field-quotes-place',
        name: 'place',
        text: firstPlace,
        error: errorOf('place'),
        onText: (text) => {
          changed();
          choose('place', text);
        },
      })}
      <QuoteRequestWhen
        when={values.when}
        onChoose={(time) => {
          changed();
          choose('when', time);
        }}
        date={field('date', changed)}
      />
      <AttachmentField
        subject="request"
        files={photos}
        lost={lost}
        onCheck={watch}
        onAdd={(files) => {
          changed();
          add(files);
        }}
        onRemove={(id) => {
          changed();
          remove(id);
        }}
      />
      {whom}
      <SeveralOutcomes receivers={picks} outcomes={outcomes} />
      <div className={styles.end}>
        <Button type="submit" busy={working || isChecking} wide>
          {working ? 'Sending...' : isChecking ? checkingLabel : user ? sendLabel(picks.length) : 'Continue'}
        </Button>
        <p className={styles.note}>
          {user
            ? `Each gets it in its own conversation, and none of them sees who else you asked. ${addressWords(relayed, user.email)}`
            : 'It is free. Businesses need somebody to answer, so the next step is a free account; what you wrote is kept and sent as soon as you have one.'}
        </p>
      </div>
    </form>
  );
}

const sendLabel = (count: number) => (count === 0 ? 'Ask for quotes' : count === 1 ? 'Ask 1 business' : `Ask ${count} businesses`);

const PushOffer = lazy(async () => ({ default: (await import('../../../push/push-offer.tsx')).PushOffer }));

type QuoteRequestRestProps = { values: QuoteRequestForm; busy: boolean; onSend: () => void; children: ReactNode };

/** Shown if only some have received the request: the others can be retried with the same text, or replaced. */
function QuoteRequestRest({ values, busy, onSend, children }: QuoteRequestRestProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        Some businesses don’t have it yet
      </h2>
      <p className={styles.job}>{values.job}</p>
      <JobFacts {...values} subCategory={values.subCategory || null} date={values.date || null} />
      {children}
      <Button type="submit" busy={busy} wide>
        {busy ? 'Sending...' : 'Try again'}
      </Button>
    </form>
  );
}

/** Shown once all have received the request; its heading takes the focus. */
function QuoteRequestSent({ picks, outcomes }: { picks: readonly QuoteRequestPick[]; outcomes: Outcomes }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.sent}>
      <h2 ref={heading} tabIndex={-1}>
        {picks.length === 1 ? 'Your request is sent' : `Sent to ${picks.length} businesses`}
      </h2>
      <SeveralOutcomes receivers={picks} outcomes={outcomes} />
      <p className={styles.note}>Their answers will come to your messages.</p>
      <div className={styles.actions}>
        <ButtonLink to={paths.quoteRequests}>Your quote requests</ButtonLink>
        <Suspense fallback={null}>
          <PushOffer label="Tell me when they answer" />
        </Suspense>
        <ButtonLink to={paths.getQuotes} kind="secondary" reloadDocument>
          Describe another job
        </ButtonLink>
      </div>
    </div>
  );
}
