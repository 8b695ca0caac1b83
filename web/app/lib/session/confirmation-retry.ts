import { ApiError } from '../api-error.ts';

type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Registers the dialog that asks users to confirm their identity. Returns the unregister function. */
export function answerConfirmation(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/** Retries the work after the user has confirmed their identity, if the server requires it. Concurrent calls share one dialog. */
export async function withConfirmedIdentity<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'confirm_identity' && ask)) throw error;
    asking ??= ask().finally(() => (asking = undefined));
    if (!(await asking)) throw error;
    return work();
  }
}
