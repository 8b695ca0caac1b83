import { createPendingAction, usePendingAction } from '../../../lib/session/pending-action.ts';
import { paths } from '@handwise/contract/paths';
import { toast } from '../../../ui/feedback/toast.tsx';

/** The search, as parameters, that a visitor wants an alert for. */
export const pendingAlert = createPendingAction('alert', 'alertWish', (text) => /^[a-zA-Z]+=[\w.*%+=&~-]{1,900}$/.test(text));

// Loaded only if an alert is pending.
const saveAlert = (search: string) =>
  void import('./alert-search.ts')
    .then(({ saveSearchAlert }) => saveSearchAlert(search, 'daily'))
    .then(
      ({ name }) =>
        toast({
          id: 'alert',
          title: 'We will email you what is new',
          text: name,
          link: { to: paths.alerts, name: 'Your alerts' },
          onClose: () => {},
        }),
      (error: unknown) => toast(error instanceof Error ? error.message : 'Your alert could not be saved. Please try again.', 'error'),
    );

/** Saves a pending alert after signing in or registering. Mounted once at the root. */
export const usePendingAlert = () => usePendingAction(pendingAlert, saveAlert);
