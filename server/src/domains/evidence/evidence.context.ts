import type { Context } from '../../kit/context.ts';
import type { Registers } from '../../kit/outside/registers.ts';

/** What checks of business numbers work with besides what all do. */
export type EvidenceContext = Context & {
  /** The public registers of businesses. */
  registers: Registers;
};
