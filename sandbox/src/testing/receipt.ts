import type { Receipt } from '@handwise/contract/payments/calls';

/** A sample receipt of a plan in New Zealand. */
export const receipt: Receipt = {
  _id: '019c0000-0000-7000-8000-000000000001',
  number: 'INV-100001',
  // 01:30 on the 1st of April in Auckland.
  issuedAt: '2027-03-31T12:30:00.000Z',
  description: 'Premium plan, 30 days',
  country: 'NZ',
  timeZone: 'Pacific/Auckland',
  currency: 'NZD',
  totalMinor: 2500,
  gstMinor: 326,
  gstPercent: 15,
  supplier: { name: 'Handwise Limited', address: '1 Example Street, Wellington 6011', taxNumber: '123-456-789' },
  customer: { name: 'Mere Kīngi', email: 'mere@example.org' },
  card: { brand: 'amex', last4: '0005' },
  periodStartsAt: '2027-03-31T12:30:00.000Z',
  periodEndsAt: '2027-04-30T12:30:00.000Z',
  refundedMinor: 0,
  refundedAt: null,
};
