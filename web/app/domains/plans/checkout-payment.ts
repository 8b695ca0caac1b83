import { z } from 'zod';

/** A payment that was begun, as the draft of a listing keeps it. `open`: the provider may have it or not. `paid`: it bought the plan. */
export const checkoutPayment = z.object({
  paymentIntentId: z.string(),
  userId: z.uuid(),
  planId: z.uuid(),
  country: z.enum(['NZ', 'AU']),
  state: z.enum(['open', 'paid']),
});
export type CheckoutPayment = z.infer<typeof checkoutPayment>;
