import { lazy, Suspense } from 'react';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import type { MessageFormProps } from './message-form.tsx';

const MessageForm = lazy(async () => ({ default: (await import('./message-form.tsx')).MessageForm }));

/** "Message the seller". Its form loads when it is opened. */
export const MessageDialog = ({ open, ...form }: MessageFormProps & { open: boolean }) => (
  <Dialog open={open} onClose={form.onClose} title="Message the seller">
    <Suspense fallback={<LoadingView />}>
      <MessageForm {...form} />
    </Suspense>
  </Dialog>
);
