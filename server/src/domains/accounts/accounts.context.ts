import type { Context } from '../../kit/context.ts';

/** What accounts work with besides what all do. */
export type AccountContext = Context & {
  /** Whether a password is on the list of breached ones that the operator gave. */
  isBreached: (password: string) => Promise<boolean>;
};
