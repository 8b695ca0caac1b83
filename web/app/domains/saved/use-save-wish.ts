import { useWish } from '../../lib/session/use-wish.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { saveProblem } from './save-problem.ts';
import { saveWish } from './save-wish.ts';
import { setSaved } from './saved-store.ts';

const save = (listingId: string) =>
  void setSaved(listingId, true).then(
    () => toast('Saved to your list'),
    (error: unknown) => toast(saveProblem(error, true), 'error'),
  );

/** Saves what a visitor wanted to save before signing in or registering. Once at the root. */
export const useSaveWish = () => useWish(saveWish, save);
