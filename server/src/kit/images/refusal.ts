/** Why a file is not taken. Each has its words in `images.ts`. */
export type RefusalReason =
  | { reason: 'unreadable' | 'damaged' | 'too_long' | 'too_costly' }
  | { reason: 'too_many_pixels'; megapixels: number };

export class Refusal extends Error {
  readonly why: RefusalReason;

  constructor(why: RefusalReason) {
    super(why.reason);
    this.why = why;
  }
}

export const damaged = () => new Refusal({ reason: 'damaged' });
export const unreadable = () => new Refusal({ reason: 'unreadable' });
export const tooCostly = () => new Refusal({ reason: 'too_costly' });
