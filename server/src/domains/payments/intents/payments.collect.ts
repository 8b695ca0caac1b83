import { AppError } from '../../../kit/errors.ts';
import { giveUp } from './payments.give-up.ts';
import { BeginAnew } from './payments.new-intents.ts';
import type { Parts } from '../payments.parts.ts';
import type { NewPayment, PaymentRow } from '../payments.queries.ts';
import { moveTo } from './payments.states.ts';

/** What there is to be paid, found under lock: an open payment, one that must not be paid any more, or nothing and the answer. */
export type Begun<Answer> = { open: PaymentRow } | { inTheWay: PaymentRow } | { answer: Answer };

/**
 * For one thing there is one open payment at a time: the same request sent again goes on with it, other terms take its place
 * once it is given up. `begin` finds or writes it, `goOn` has it paid, and answers undefined where it was closed on the way.
 * Throws `payment_processing` where requests race on and on.
 */
export async function collect<Answer>(
  parts: Parts,
  terms: NewPayment,
  begin: () => Promise<Begun<Answer>>,
  goOn: (payment: PaymentRow) => Promise<Answer | undefined>,
): Promise<Answer> {
  const isSame = (open: PaymentRow) => (Object.keys(terms) as (keyof NewPayment)[]).every((name) => open[name] === terms[name]);
  // Each turn ends, or closes a payment that stood in the way: a second one is rare, a third one means that requests race.
  let begunAnew = false;
  for (let turn = 0; turn < 4; turn += 1) {
    const begun = await begin();
    if ('answer' in begun) return begun.answer;
    if ('inTheWay' in begun || !isSame(begun.open)) {
      await giveUp(parts, 'open' in begun ? begun.open : begun.inTheWay, 'canceled');
      continue;
    }
    try {
      const answer = await goOn(begun.open);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!(error instanceof BeginAnew)) throw error;
      await moveTo(parts.context.db, begun.open, 'canceled');
      if (begunAnew) throw error.because;
      begunAnew = true;
    }
  }
  throw new AppError('payment_processing');
}
