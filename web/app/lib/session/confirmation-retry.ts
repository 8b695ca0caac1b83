import { ApiError } from '../api-error.ts';

type Confirm = () => Promise<boolean>;

let confirm: Confirm | undefined;
let confirming: Promise<boolean> | undefined;

/** Registers the dialog that asks users to confirm their identity. Returns the unregister function. */
export function answerConfirmation(next: Confirm): () => void {
  confirm = next;
  return () => {
    if (confirm === next) confirm = undefined;
  };
}

/** Retries the work after the user has confirmed their identity, if the server requires it. Concurrent calls share one dialog. */
export async function withConfirmedIdentity<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'confirm_identity' && confirm)) throw error;
    confirming ??= confirm().finally(() => (confirming = undefined));
    if (!(await confirming)) throw error;
    return work();
  }
}
