import { ApiError } from '../api-error.ts';

type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Says who asks somebody to prove that it is them: the dialog of the pages that need it, while it is there. */
export function answerConfirmation(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/** Does the work again once the user has proved who they are, where the server asks for that. Two that are asked at once share one dialog. */
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
