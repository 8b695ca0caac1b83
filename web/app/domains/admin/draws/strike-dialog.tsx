import { type AdminDraw, strikeWinner } from '@handwise/contract/draws/admin';
import { counted } from '@handwise/contract/numbers';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import styles from '../desk/case.module.css';
import { useStrike } from './draw-queries.ts';
import { monthOf, winnerName } from './draw-words.ts';

type StrikeDialogProps = { draw: AdminDraw; open: boolean; onClose: () => void };

/** Takes the prize from a winner who may not win; the next reserve takes the place. */
export const StrikeDialog = ({ draw, open, onClose }: StrikeDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Strike the winner of ${monthOf(draw)}`}>
    <StrikeForm draw={draw} onDone={onClose} />
  </Dialog>
);

function StrikeForm({ draw, onDone }: { draw: AdminDraw; onDone: () => void }) {
  const strike = useStrike();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'strike',
    schema: strikeWinner.body,
    start: { reason: '' },
    send: async (body) => {
      const { message } = await strike.mutateAsync({ params: { id: draw._id }, body });
      toast(message);
      onDone();
    },
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <p>
        {winnerName(draw)} loses the prize for good.{' '}
        {draw.reservesLeft > 0
          ? `The next of ${counted(draw.reservesLeft, 'reserve')} takes their place and is told.`
          : 'There is no reserve left, so the prize will not be awarded.'}
      </p>
      <TextArea
        label="Reason"
        rows={3}
        hint="Everybody can read it on the draw’s page, word for word, so no names and nothing personal."
        {...field('reason')}
      />
      <Button type="submit" kind="danger" busy={busy}>
        {busy ? 'Sending…' : 'Strike the winner'}
      </Button>
    </form>
  );
}
