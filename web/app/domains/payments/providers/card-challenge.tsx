import { useEffect, useEffectEvent } from 'react';
import { getOutcomeProblem } from './card-outcome-view.ts';
import { useCardAction } from './use-card-action.tsx';

type Props = { clientSecret: string; onDone: (problem: string | null) => void };

/** Runs the bank's challenge of a payment when it is rendered. `onDone` gets null if it passed. Loaded when a bank asks for one. */
export function CardChallenge({ clientSecret, onDone }: Props) {
  const { authenticate, dialog } = useCardAction();
  const run = useEffectEvent(async () => onDone(getOutcomeProblem(await authenticate(clientSecret))));
  useEffect(() => void run(), []);
  return dialog;
}
