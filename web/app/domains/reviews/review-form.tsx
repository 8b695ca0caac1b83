import { type ReviewForm as Values, maxReviewComment, reviewForm } from '@handwise/contract/reviews/calls';
import { removalReasons, type RemovalReason, reviewEditWeeks } from '@handwise/contract/reviews/words';
import type { Picture } from '@handwise/contract/listings/picture';
import { useEffect, useState, useId, useRef } from 'react';
import { ApiError, getServerReason } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { upload } from '../../lib/upload.ts';
import type { Attachment } from '../../lib/pictures/stored-attachments.ts';
import { checkingLabel, useFileChecks } from '../../lib/pictures/file-checks.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { AttachmentField } from '../../ui/forms/attachment-field.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter } from '../../ui/forms/form-field.tsx';
import { ResendConfirmation } from '../accounts/resend-confirmation.tsx';
import styles from './review-form.module.css';
import { counted } from '@handwise/contract/numbers';

/** The member's own review of a listing. */
export type OwnReview = {
  id: string;
  rating: number;
  comment: string;
  pictures: readonly Picture[];
  removedBecause: RemovalReason | null;
  editableUntil: string;
};

type ReviewFormProps = {
  listingId: string;
  /** The member's own review, if it is being changed. */
  own: OwnReview | null;
  /** Called after publishing or withdrawing, to reload the reviews. */
  onChanged: () => void;
  /** Called two seconds after that. */
  onClose: () => void;
};

const closesAfterMs = 2000;

/** Writes a review, or changes or withdraws the member's own. */
export function ReviewForm({ listingId, own, onChanged, onClose }: ReviewFormProps) {
  const [rating, setRating] = useState(own?.rating ?? 0);
  const [comment, setComment] = useState(own?.comment ?? '');
  const [problem, setProblem] = useState<string>();
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [done, setDone] = useState<string>();
  const [kept, setKept] = useState<readonly Picture[]>(own?.pictures ?? []);
  const [photos, setPhotos] = useState<readonly Attachment[]>([]);
  const { isChecking, watch } = useFileChecks();
  const [share, setShare] = useState(0);
  const [openedAt] = useState(() => Date.now());

  async function send(form: Values) {
    if (isChecking) return;
    setProblem(undefined);
    setUnconfirmed(false);
    try {
      const files = { pictures: photos.map(({ file }) => file) };
      const { message } = own
        ? await upload(
            'PUT /review/:id',
            { params: { id: own.id }, form: { ...form, keptPictures: JSON.stringify(kept.map(({ src }) => src)) }, files },
            setShare,
          )
        : await upload('POST /review/create', { form: { ...form, listingId }, files }, setShare);
      setDone(message);
      onChanged();
    } catch (error) {
      setUnconfirmed(error instanceof ApiError && error.code === 'address_not_confirmed');
      setProblem(describeReviewError(error));
    }
  }
  async function withdraw(id: string) {
    setProblem(undefined);
    try {
      setDone((await call('DELETE /review/:id', { params: { id } })).message);
      onChanged();
    } catch (error) {
      setProblem(getServerReason(error) ?? 'Your review could not be withdrawn. Please try again.');
    }
  }
  const { form, field, summary, busy, choose, errorOf } = useCheckedForm<Values>({
    name: 'review',
    schema: reviewForm,
    start: { rating, comment },
    send,
    onChange: (values) => setComment(values.comment),
  });

  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(onClose, closesAfterMs);
    return () => clearTimeout(timer);
  }, [done, onClose]);

  if (done !== undefined) {
    return (
      <div role="status">
        <Notice kind="success">{done}</Notice>
      </div>
    );
  }
  if (own && own.removedBecause !== null && own.removedBecause !== 'withdrawn') {
    return <Notice>Your review was removed, so it can’t be changed. {removalReasons[own.removedBecause]}</Notice>;
  }
  const withdrawal = own && own.removedBecause === null && <Withdraw onWithdraw={() => withdraw(own.id)} />;
  if (own && Date.parse(own.editableUntil) <= openedAt) {
    return (
      <div className={styles.form}>
        <ErrorSummary message={problem} attempt={problem === undefined ? 0 : 1} />
        <p>
          A review can be changed for {reviewEditWeeks} weeks after it was written.
          {withdrawal ? ' You can still withdraw yours.' : ' You withdrew yours.'}
        </p>
        {withdrawal}
      </div>
    );
  }
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} message={problem} />
      {own?.removedBecause === 'withdrawn' && <Notice>You withdrew this review. Saving it shows it again.</Notice>}
      {unconfirmed && <ResendConfirmation />}
      <StarChoice
        value={rating}
        onChange={(stars) => {
          setRating(stars);
          choose('rating', stars);
        }}
        error={errorOf('rating')}
      />
      <TextArea
        label="Your review"
        rows={5}
        hint="What was done, and how did it go? Everybody can read it, with your first name and initial, and when you first messaged the business here if you did."
        after={<TextCounter text={comment} max={maxReviewComment} />}
        {...field('comment')}
      />
      <AttachmentField
        subject="review"
        hint="Of the work. Everybody can see them, and they also show among the photos of the listing."
        files={photos}
        kept={kept}
        onCheck={watch}
        onAdd={(files) => setPhotos((now) => [...now, ...files.map((file) => ({ id: crypto.randomUUID(), name: file.name, file }))])}
        onRemove={(id) => {
          setPhotos((now) => now.filter((one) => one.id !== id));
          setKept((now) => now.filter(({ src }) => src !== id));
        }}
        disabled={busy}
      />
      <Button type="submit" busy={busy || isChecking} wide>
        {busy ? formatSubmitting(photos.length > 0 ? share : 0) : isChecking ? checkingLabel : own ? 'Save changes' : 'Submit review'}
      </Button>
      {withdrawal}
    </form>
  );
}

const formatSubmitting = (share: number) => (share > 0 && share < 1 ? `Submitting... ${Math.round(share * 100)} %` : 'Submitting...');

/** Withdraws the review after a second press, which says what happens. */
function Withdraw({ onWithdraw }: { onWithdraw: () => Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const confirm = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isAsking) confirm.current?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return (
      <Button kind="quiet" wide onClick={() => setAsking(true)}>
        Withdraw review
      </Button>
    );
  }
  return (
    <div className={styles.withdraw}>
      <p ref={confirm} tabIndex={-1}>
        Nobody will see your review any more, and a note in its place says that you withdrew it. You can show it again within{' '}
        {reviewEditWeeks} weeks of writing it, without its photos, which are deleted.
      </p>
      <Button
        kind="danger"
        busy={isBusy}
        onClick={() => {
          setBusy(true);
          void onWithdraw().finally(() => setBusy(false));
        }}
      >
        {isBusy ? 'Withdrawing...' : 'Withdraw review'}
      </Button>
      <Button kind="secondary" disabled={isBusy} onClick={() => setAsking(false)}>
        Keep review
      </Button>
    </div>
  );
}

/** Why a review failed: the server's words, else those of the specification. */
export function describeReviewError(error: unknown): string {
  if (error instanceof ApiError && error.message === '') return 'An error occurred';
  return getServerReason(error) ?? (typeof error === 'string' ? error : 'Failed to submit review. Please try again.');
}

type StarChoiceProps = { value: number; onChange: (stars: number) => void; error?: string | undefined };

const star = 'M10 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8L10 14.9l-5.2 2.7 1-5.8L1.6 7.7l5.8-.8z';
const words = ['', 'Poor', 'Fair', 'Good', 'Very good', 'Excellent'];

/** One to five stars, as radio buttons: arrow keys choose. */
function StarChoice({ value, onChange, error }: StarChoiceProps) {
  const id = useId();
  return (
    <fieldset className={styles.frame} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>Your rating</legend>
      <div className={styles.row}>
        {[1, 2, 3, 4, 5].map((stars) => (
          <label key={stars} className={styles.star} data-full={stars <= value || undefined}>
            <input
              type="radio"
              name="rating"
              value={stars}
              checked={value === stars}
              onChange={() => onChange(stars)}
              className={styles.input}
            />
            <svg viewBox="0 0 20 20" width="36" height="36" aria-hidden="true" focusable="false">
              <path d={star} />
            </svg>
            <span className="visually-hidden">{counted(stars, 'star')}</span>
          </label>
        ))}
        <span className={styles.word} aria-hidden="true">
          {words[value]}
        </span>
      </div>
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <span className="visually-hidden">Error: </span>
          {error}
        </p>
      )}
    </fieldset>
  );
}
