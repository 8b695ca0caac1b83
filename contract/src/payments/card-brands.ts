/** What the payment provider calls the brands of cards, and what people call them. */
const names: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa" for `visa`; a brand that is not known here as the provider writes it. */
export const brandName = (brand: string): string =>
  (Object.hasOwn(names, brand) ? names[brand] : undefined) ?? (brand && brand !== 'unknown' ? brand : 'Card');
