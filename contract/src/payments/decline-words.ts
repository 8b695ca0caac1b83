/** Why a card was declined, in the provider's codes. */
export type Decline = {
  code?: string | null | undefined;
  declineCode?: string | null | undefined;
};

/** What is kept: the listing that was to be paid for; a card that was to be saved keeps nothing. */
type Purpose = 'pay' | 'save';

const outcomes: Record<Purpose, string> = {
  pay: 'Nothing was charged. Your listing is kept.',
  save: 'Nothing was charged. The card was not saved.',
};

const anotherCard = 'Try another card.';
const check = 'Check it, or try another card.';
const later = 'Try again in a few minutes, or use another card.';

type Words = { what: string; next: string };
const wrongNumber: Words = {
  what: 'Your card number is incorrect.',
  next: check,
};
const wrongExpiry: Words = {
  what: 'Your card’s expiry date is incorrect.',
  next: check,
};
const wrongCvc: Words = {
  what: 'Your card’s security code (CVC) is incorrect.',
  next: check,
};
const wrongAddress: Words = {
  what: 'Your card’s billing address does not match.',
  next: check,
};
const notConfirmed: Words = {
  what: 'Your bank could not confirm that it is you.',
  next: 'Try again and confirm with your bank, or use another card.',
};
const overLimit: Words = {
  what: 'Your card is over its limit.',
  next: anotherCard,
};
const notSupported: Words = {
  what: 'Your card does not allow this kind of payment.',
  next: anotherCard,
};
const notProcessed: Words = {
  what: 'Your bank could not process the card just now.',
  next: later,
};
const wrongMode: Words = {
  what: 'Only test cards work here, and real cards where real money is taken.',
  next: anotherCard,
};

/** Lost, stolen or suspicious cards are only described as declined, so that a thief learns nothing. */
const declined: Words = { what: 'Your card was declined.', next: anotherCard };

const known: ReadonlyMap<string, Words> = new Map([
  ['insufficient_funds', { what: 'Your card has insufficient funds.', next: anotherCard }],
  ['expired_card', { what: 'Your card has expired.', next: anotherCard }],
  ['incorrect_number', wrongNumber],
  ['invalid_number', wrongNumber],
  ['invalid_expiry_month', wrongExpiry],
  ['invalid_expiry_year', wrongExpiry],
  ['incorrect_cvc', wrongCvc],
  ['invalid_cvc', wrongCvc],
  ['incorrect_address', wrongAddress],
  ['incorrect_zip', wrongAddress],
  ['authentication_required', notConfirmed],
  ['authentication_not_handled', notConfirmed],
  ['payment_intent_authentication_failure', notConfirmed],
  ['setup_intent_authentication_failure', notConfirmed],
  ['card_velocity_exceeded', overLimit],
  ['withdrawal_count_limit_exceeded', overLimit],
  ['card_not_supported', notSupported],
  ['currency_not_supported', notSupported],
  ['issuer_not_available', notProcessed],
  ['processing_error', notProcessed],
  ['reenter_transaction', notProcessed],
  ['try_again_later', notProcessed],
  ['live_mode_test_card', wrongMode],
  ['test_mode_live_card', wrongMode],
]);

/** Says what happened, what is kept and what to do: "Your card has expired. Nothing was charged. Your listing is kept. …" */
export function describeDecline({ code, declineCode }: Decline, purpose: Purpose): string {
  const { what, next } = known.get(declineCode ?? '') ?? known.get(code ?? '') ?? declined;
  return `${what} ${outcomes[purpose]} ${next}`;
}
