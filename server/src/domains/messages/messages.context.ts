import type { Context } from '../../kit/context.ts';

/** What messages work with besides what all do. */
export type MessageContext = Context & {
  /** The domain at which answers by mail are taken; null where none are. */
  replyDomain: string | null;
};
