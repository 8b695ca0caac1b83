// Apart from the calls, whose schemas would otherwise come along into the dashboard's script.

/** Without a decision, a hold is approved after `heldDays`, or lapses after `lapseDays` if its rule lapses. */
export const heldDays = 14;
export const lapseDays = 60;
/** `heldBecause` of a converted referral whose reward waits until the referred account has saved a card of its own or has paid. */
export const noCard = 'no_card';
