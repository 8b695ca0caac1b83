import type { Context } from '../../kit/context.ts';

export type PushContext = Context & {
  /** Origin of the sandbox's push service, the only one that may be local. Null: none. */
  pushSandboxOrigin: string | null;
};
