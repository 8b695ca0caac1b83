import { paths } from '@handwise/contract/paths';
import type { ChargeOutcome } from '@handwise/contract/selling/calls';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ApiError, connectionProblem, getServerReason } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { CollectedCard } from '../../payments/cards/card-choice.tsx';
import { getOutcomeProblem } from '../../payments/providers/card-outcome-view.ts';
import { useCardAction } from '../../payments/providers/use-card-action.tsx';

/** The two pages that charge for a plan differ only in their call and their texts. */
export type Kind = 'update' | 'reactivate';
export type PlanChangeChoice = { planId: string } & ({ paymentId: string | null } | CollectedCard);

export const words = {
  update: {
    title: 'Change plan',
    confirm: 'Change plan',
    done: 'Plan updated successfully',
    failed: 'Failed to update plan',
  },
  reactivate: {
    title: 'Reactivate listing',
    confirm: 'Reactivate listing',
    done: 'Listing reactivated successfully',
    failed: 'Failed to reactivate listing',
  },
} as const;

/** Beside the toast that says what failed: why. A proxy's answer gives no reason, so that only the specification's text is left. */
export function describePlanFailure(kind: Kind, error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  return getServerReason(error) ?? (error.code === 'network' ? connectionProblem : words[kind].failed);
}

const send = {
  update: (id: string, body: PlanChangeChoice) => call('PUT /listing/:id/plan', { params: { id }, body }),
  reactivate: (id: string, body: PlanChangeChoice) => call('PUT /listing/:id/reactivate', { params: { id }, body }),
} satisfies Record<Kind, (id: string, body: PlanChangeChoice) => Promise<ChargeOutcome>>;

type RenewWith = { cardId: string; amount: number };
type Wanted = { choice: PlanChangeChoice; renewWith: RenewWith | null };

/** Switches renewal on for the plan that has just started. The plan is changed even if that fails. */
async function renewAgain(planId: string, body: RenewWith): Promise<string> {
  try {
    const { data } = await call('GET /plan-user/my-subscriptions', {});
    const [begun] = data.subscriptions
      .filter((one) => one.isActive && one.plan._id === planId)
      .toSorted((one, other) => other.startDate.localeCompare(one.startDate));
    if (!begun) throw new Error('the plan is not there');
    return (await call('PUT /plan-user/:id/renewal', { params: { id: begun._id }, body })).message;
  } catch {
    return 'Plan updated. Its renewal could not be switched on; you can do that here.';
  }
}

/** Charges and changes the plan, with the bank's challenge in between. On success it opens the list; errors carry a text. */
export function usePlanChange(kind: Kind, listingId: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { authenticate, dialog } = useCardAction();
  const mutation = useMutation({
    mutationFn: async ({ renewWith, choice }: Wanted): Promise<{ text: string; kind: 'success' | 'info' }> => {
      const changed = await change(choice);
      return changed.kind === 'success' && renewWith ? { ...changed, text: await renewAgain(choice.planId, renewWith) } : changed;
    },
    onSuccess: async ({ text, kind }) => {
      toast(text, kind);
      await navigate(paths.ownListings);
    },
    onError: () => toast(words[kind].failed, 'error'),
    onSettled: () => queries.invalidateQueries(),
  });
  async function change(choice: PlanChangeChoice): Promise<{ text: string; kind: 'success' | 'info' }> {
    const outcome = await send[kind](listingId, choice);
    const { clientSecret, paymentIntentId } = outcome;
    if (outcome.status === 'processing') return { text: outcome.message, kind: 'info' };
    if (outcome.status === 'done' || !clientSecret || !paymentIntentId) return { text: words[kind].done, kind: 'success' };
    const problem = getOutcomeProblem(await authenticate(clientSecret));
    if (problem !== null) throw new Error(problem);
    const paid = await call('POST /plan-user/confirm-payment', { body: { paymentIntentId } });
    return paid.refunded ? { text: paid.message, kind: 'info' } : { text: words[kind].done, kind: 'success' };
  }
  return { mutation, dialog };
}
