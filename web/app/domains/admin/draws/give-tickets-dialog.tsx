import type { FoundUser } from '@handwise/contract/admin/search';
import { giveEntry, maxGivenTickets } from '@handwise/contract/tickets/calls';
import { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea, TextField } from '../../../ui/forms/form-field.tsx';
import styles from '../desk/case.module.css';
import { useGiving } from './draw-queries.ts';

type GiveTicketsDialogProps = { user: FoundUser; open: boolean; onClose: () => void };

// What is typed is text; what is sent is the contract’s number, with its words for what is wrong.
const schema = z.object({ tickets: z.string(), reason: z.string() }).check((context) => {
  const { tickets, reason } = context.value;
  const checked = giveEntry.body
    .pick({ tickets: true, reason: true })
    .safeParse({ tickets: /^\d+$/.test(tickets.trim()) ? Number(tickets) : tickets, reason });
  for (const issue of checked.error?.issues ?? [])
    context.issues.push({ code: 'custom', input: context.value, path: [...issue.path], message: issue.message });
});

/** Gives somebody tickets for this month’s draw: entries of the kind "other". */
export const GiveTicketsDialog = ({ user, open, onClose }: GiveTicketsDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Give ${user.fullName} tickets`}>
    <GiveForm user={user} onDone={onClose} />
  </Dialog>
);

function GiveForm({ user, onDone }: { user: FoundUser; onDone: () => void }) {
  const giving = useGiving();
  const { form, field, summary, busy } = useCheckedForm<z.infer<typeof schema>>({
    name: 'give-tickets',
    schema,
    start: { tickets: '', reason: '' },
    send: async ({ tickets, reason }) => {
      const { message } = await giving.mutateAsync({ body: { userId: user._id, tickets: Number(tickets), reason } });
      toast(message);
      onDone();
    },
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <p>They take part in this month’s draw like any others. This cannot be undone here.</p>
      <TextField label="Tickets" inputMode="numeric" autoComplete="off" hint={`1 to ${maxGivenTickets}`} {...field('tickets')} />
      <TextArea label="Reason" rows={3} hint={`${user.fullName} will read this, word for word.`} {...field('reason')} />
      <Button type="submit" busy={busy}>
        {busy ? 'Sending…' : 'Give the tickets'}
      </Button>
    </form>
  );
}
