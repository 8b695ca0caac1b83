import { createPendingAction, usePendingAction } from '../../../lib/session/pending-action.ts';
import { paths } from '@handwise/contract/paths';
import { toast } from '../../../ui/feedback/toast.tsx';

/** The search, as parameters, of whose new listings a visitor wants to hear. */
export const pendingAlert = createPendingAction('alert', 'alertWish', (text) => /^[a-zA-Z]+=[\w.*%+=&~-]{1,900}$/.test(text));

// Only who wished for it loads what keeps it.
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

/** Keeps the search that a visitor wanted to hear of before signing in or registering. Once at the root. */
export const usePendingAlert = () => usePendingAction(pendingAlert, saveAlert);
