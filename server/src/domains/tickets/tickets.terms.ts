import { formatTimeZone } from '@handwise/contract/dates';
import { formatOpening } from '@handwise/contract/draws/permits';
import {
  drawTimeZone,
  claimDays,
  closingText,
  bankDetailsRetentionDays,
  formatPrizeDollars,
  prizeCurrencies,
  reminderDays,
  referralTickets,
} from '@handwise/contract/draws/prize';
import { inWords } from '@handwise/contract/numbers';
import { site } from '@handwise/contract/site/site';
import { type DrawTerms, maxGivenTickets, type UnmetRule } from '@handwise/contract/tickets/calls';
import { type planPromotion, promotionRules, toPromotionRule } from '@handwise/contract/tickets/promotion-rules';
import { maxReserves } from '@handwise/proof/draw';
import { type Month, formatMonth } from './tickets.rules.ts';

/** "one ticket", "five tickets" */
const formatTickets = (way: keyof typeof referralTickets) =>
  `${inWords(referralTickets[way])} ticket${referralTickets[way] === 1 ? '' : 's'}`;

/** With the unmet rules, which only administrators see. */
export type StoredTerms = DrawTerms & { unmet: UnmetRule[] };

/** Stored when the month is created. A change needs a new `version` and applies from the next month on. */
export function createTerms(
  period: Month & { startsAt: Date; closesAt: Date; origin: string },
  { prize, permits, leftOut, unmet }: ReturnType<typeof planPromotion>,
  publicKey: Uint8Array,
): StoredTerms {
  return {
    version: 'terms-v4',
    period: formatMonth(period),
    startsAt: period.startsAt.toISOString(),
    closesAt: period.closesAt.toISOString(),
    timeZone: drawTimeZone,
    prize: {
      title: `Premium Listing Package worth ${formatPrizeDollars(prize)}`,
      amountMinor: prize * 100,
      currencies: [...prizeCurrencies],
      paid: 'It is paid in money to the bank account that the winner names, in the currency of that account: New Zealand or Australian dollars.',
    },
    tickets: [
      `When you sign up with somebody’s referral code, you get ${formatTickets('signup')} and so does the owner of the code.`,
      `When the first listing of the person who was referred goes live, the owner of the code gets ${formatTickets('listing')}. If the listing is on a free month, they are issued once that person has saved a card that no other account uses, or has paid. Until the draw closes, these can be swapped for one free month, which makes them void.`,
      `An administrator can give up to ${maxGivenTickets} tickets at once. Who gave them and why is recorded.`,
      'Tickets are free and cannot be bought. A ticket takes part in the draw of the month in which it was earned.',
    ],
    whoMayEnter: [
      `Anyone with an account on ${site.name} whose email address is confirmed when the entries close. Australia and New Zealand share one draw.`,
      'Administrators, accounts that are suspended when the entries close and deleted accounts cannot take part. Their entries are void and are counted by reason.',
      ...(leftOut.length > 0
        ? [`${formatOpening({ permits: [], leftOut })} The winner says where they live before the prize is paid.`]
        : []),
    ],
    permits: [...permits],
    leftOut: [...leftOut],
    howDrawn: [
      `Entries close at ${closingText} ${formatTimeZone(drawTimeZone)} on the last day of the month. An administrator can close them earlier; tickets earned after that are for the next month.`,
      'Every ticket that is issued or voided is a leaf in a public log. Every email about a ticket ends with the log’s signed head.',
      'When entries close, they are published with their Merkle root and the number of a future round of the public randomness beacon drand (quicknet). That round alone decides.',
      'Every ticket has the same chance (algorithm draw-v1). Anyone can work out the winner from what is published.',
    ],
    winner: [
      'The winner is told by email straight away, and shown on the site by first name and initial.',
      `The winner has ${claimDays} days to tell us where to pay the prize, and is reminded after ${reminderDays.join(' and ')} days. After that, or if the winner is not allowed to win, the next of up to ${maxReserves} reserves takes their place. The record of the earlier winner stays published.`,
      'Somebody who was not allowed to win, did not claim the prize in time or has left cannot win the same draw with another entry: those entries are passed over, and the record names them.',
      `Bank details are kept encrypted and erased ${bankDetailsRetentionDays} days after the payment.`,
    ],
    log: { origin: period.origin, publicKey: Buffer.from(publicKey).toString('hex') },
    rules: promotionRules.map(toPromotionRule),
    unmet,
    notice:
      'What states and countries require was read on public pages on the day shown beside it. It is not legal advice, and no lawyer has confirmed it yet.',
  };
}
