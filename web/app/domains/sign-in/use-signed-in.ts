import type { session } from '@handwise/contract/accounts/calls';
import type { secondStepNeeded } from '@handwise/contract/sign-in/second-step';
import type { z } from 'zod';
import { useState } from 'react';
import { keepDevice } from '../../lib/session/device.ts';
import { setUser } from '../../lib/session/session.ts';

export type SecondStep = z.output<typeof secondStepNeeded>['secondStep'];
type Answer = z.output<typeof session> | z.output<typeof secondStepNeeded>;

/** What follows a password that was right: the session, or the second step where the account asks for one. */
export function useSignedIn(onDone: () => void = () => {}) {
  const [secondStep, setSecondStep] = useState<SecondStep>();
  function proceed(answer: Answer) {
    if ('secondStep' in answer) {
      setSecondStep(answer.secondStep);
      return;
    }
    keepDevice(answer.device);
    setUser(answer.data);
    onDone();
  }
  return { secondStep, proceed, startAgain: () => setSecondStep(undefined) };
}
