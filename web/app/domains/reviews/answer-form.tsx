import { answerReviewCall, maxReviewAnswer } from '@handwise/contract/reviews/calls';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter } from '../../ui/forms/form-field.tsx';
import styles from './review-form.module.css';

/** The seller's one answer to a review. */
export function AnswerForm({ reviewId, onPublished }: { reviewId: string; onPublished: () => void }) {
  const [comment, setComment] = useState('');
  const { form, field, summary, busy } = useCheckedForm({
    name: `answer-${reviewId}`,
    schema: answerReviewCall.body,
    start: { comment },
    send: async (body) => {
      const { message } = await call('POST /review/:id/answer', { params: { id: reviewId }, body });
      toast(message);
      onPublished();
    },
    onChange: (values) => setComment(values.comment),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextArea
        label="Your answer"
        rows={4}
        hint="Everybody can read it under the review. You can only answer once, so read it over before you publish it."
        after={<TextCounter text={comment} max={maxReviewAnswer} />}
        {...field('comment')}
      />
      <Button type="submit" busy={busy}>
        {busy ? 'Publishing...' : 'Publish answer'}
      </Button>
    </form>
  );
}
