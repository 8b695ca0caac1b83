/** Display names of the provider's card brands. */
const names: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa" for `visa`; an unknown brand is returned unchanged. */
export const brandName = (brand: string): string =>
  (Object.hasOwn(names, brand) ? names[brand] : undefined) ?? (brand && brand !== 'unknown' ? brand : 'Card');
