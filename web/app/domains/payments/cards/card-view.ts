import { brandName } from '@handwise/contract/payments/card-brands';
import type { Card } from '@handwise/contract/payments/calls';

export type SavedCardView = {
  id: string;
  brand: string;
  /** "Visa •••• 4242": enough to recognise a card by. */
  label: string;
  /** "12 / 34" */
  expiry: string;
  isExpired: boolean;
  name: string;
};

/** A card is valid until the end of the month printed on it. */
export const toSavedCardView = (card: Card, now: Date): SavedCardView => ({
  id: card._id,
  brand: card.cardBrand,
  label: `${brandName(card.cardBrand)} •••• ${card.cardLast4}`,
  expiry: `${String(card.expMonth).padStart(2, '0')} / ${String(card.expYear % 100).padStart(2, '0')}`,
  isExpired: card.expYear * 12 + card.expMonth < now.getFullYear() * 12 + now.getMonth() + 1,
  name: card.fullName,
});

/** The newest saved card that can pay, as the default. Null: there is none. Undefined: not loaded yet. */
export const findUsableCard = (cards: readonly Card[] | undefined, now: Date): string | null | undefined =>
  cards && (cards.find((one) => !toSavedCardView(one, now).isExpired)?._id ?? null);
