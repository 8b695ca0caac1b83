import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { emailAddress, line, machineLine, personName } from '../text-fields.ts';

export const currency = z.enum(['NZD', 'AUD']);

/** Where a card can be billed. */
export const billingCountries = { AU: 'Australia', NZ: 'New Zealand', US: 'United States', GB: 'United Kingdom', CA: 'Canada' } as const;
export type BillingCountry = keyof typeof billingCountries;
export const defaultBillingCountry: BillingCountry = 'NZ';

/** The payment form's fields besides the card, which goes to the provider only. */
export const billingDetails = z.object({
  name: personName(),
  email: emailAddress('Email is required', 'Invalid email format'),
  line1: line().max(200).default(''),
  city: line().max(100).default(''),
  postalCode: machineLine().max(20).default(''),
  country: z.enum(Object.keys(billingCountries) as [BillingCountry, ...BillingCountry[]], { error: 'Country is required' }),
});
export type BillingDetails = z.infer<typeof billingDetails>;

/**
 * The accepted methods, by the provider's names; `card` includes wallets (Apple Pay, Google Pay). No method that needs a bank login or pays
 * days later. Only cards are saved.
 */
export const offeredMethods = { pay: ['card', 'link'], save: ['card'] } as const;

const formText = 'Use what the payment form gave';
/** The payment method: a token of the provider's form, or the id of one of its payment methods. */
export const paymentMethodFields = {
  confirmationToken: z
    .string({ error: formText })
    .regex(/^ctoken_\w{1,200}$/, formText)
    .nullish()
    .meta({ description: 'Id of a confirmation token of the provider’s form: it pays once' }),
  paymentMethodId: z
    .string({ error: formText })
    .regex(/^pm_\w{1,200}$/, formText)
    .nullish()
    .meta({ description: 'Instead of it: id of a payment method at the provider, not of a saved card' }),
} as const;

export const paymentMethodErrors = [
  'payment_incomplete',
  'payment_processing',
  'card_declined',
  'card_not_found',
  'payment_provider_unavailable',
  'payment_provider_refused',
] as const;

/** `requires_action`: the cardholder's bank asks for confirmation with the intent's secret. */
export const actionStatus = z.enum(['done', 'requires_action', 'processing']);

/** A saved card: of the provider's payment method we store only what its owner recognises. */
const card = z.object({
  _id: z.uuid(),
  fullName: z.string(),
  cardNumber: z.string().meta({ example: '•••• •••• •••• 4242' }),
  cardBrand: z.string().meta({ example: 'visa' }),
  cardLast4: z.string().meta({ example: '4242' }),
  expMonth: z.int(),
  expYear: z.int(),
});
export type Card = z.infer<typeof card>;

export const listCardsCall = {
  method: 'GET',
  url: '/credit/all',
  summary: 'List your saved cards, newest first',
  access: 'session',
  response: z.object({ data: z.array(card) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const createSetupIntentCall = {
  method: 'POST',
  url: '/credit/setup-intent',
  summary: 'Start saving a card',
  details: 'The browser confirms the secret with the provider.',
  access: 'session',
  status: 201,
  response: z.object({ clientSecret: z.string(), setupIntentId: z.string() }),
  errors: ['not_authenticated', 'payment_provider_unavailable', 'payment_provider_refused', 'payment_email_refused'],
} as const satisfies Call;

const setupIntentId = z.string({ error: 'Use the id of a setup intent' }).regex(/^seti_\w{1,200}$/, 'Use the id of a setup intent');

export const confirmSetupCall = {
  method: 'POST',
  url: '/credit/confirm-setup',
  summary: 'Confirm the card of a setup intent of your own on our server',
  access: 'session',
  body: z.object({ setupIntentId, ...paymentMethodFields }),
  response: z.object({ status: actionStatus, clientSecret: z.string().nullable(), setupIntentId: z.string() }),
  errors: ['not_authenticated', 'payment_not_found', ...paymentMethodErrors],
} as const satisfies Call;

export const addCardCall = {
  method: 'POST',
  url: '/credit',
  summary: 'Save the card of a confirmed setup intent',
  details: 'Sending the same intent twice gives the same card.',
  access: 'session',
  status: 201,
  body: z.object({ setupIntentId }),
  response: card,
  errors: ['not_authenticated', 'payment_not_found', 'payment_incomplete', 'payment_provider_unavailable', 'payment_provider_refused'],
} as const satisfies Call;

export const deleteCardCall = {
  method: 'DELETE',
  url: '/credit/:id',
  summary: 'Delete a saved card, here and at the provider',
  access: 'session',
  params: z.object({ id: z.uuid('Use the id of a card') }),
  response: z.object({ message: z.string() }),
  errors: ['not_authenticated', 'card_not_found'],
} as const satisfies Call;

/** Amounts are in cents; the total includes GST. */
const receipt = z.object({
  _id: z.uuid(),
  number: z.string().meta({ example: 'INV-100001' }),
  issuedAt: z.iso.datetime(),
  description: z.string().meta({ example: 'Premium plan, 30 days' }),
  country: countryCode,
  timeZone: z.string().meta({
    description: 'The time zone of its dates: that of the listing’s region, or else the country’s largest city',
    example: 'Pacific/Auckland',
  }),
  currency,
  totalMinor: z.int(),
  gstMinor: z.int(),
  gstPercent: z.int(),
  supplier: z.object({
    name: z.string(),
    address: z.string(),
    taxNumber: z.string().meta({ description: 'The GST number, or in Australia the ABN' }),
  }),
  customer: z.object({ name: z.string(), email: z.string() }),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  periodStartsAt: z.iso.datetime().nullable(),
  periodEndsAt: z.iso.datetime().nullable(),
  refundedMinor: z.int().meta({ description: 'How much of the total was refunded' }),
  refundedAt: z.iso.datetime().nullable().meta({ description: 'Set once the whole amount went back to the card' }),
});
export type Receipt = z.infer<typeof receipt>;

export const listReceiptsCall = {
  method: 'GET',
  url: '/receipt/all',
  summary: 'List your tax invoices, newest first',
  access: 'session',
  response: z.object({ data: z.array(receipt) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

const receiptId = z.object({ id: z.uuid('Use the id of a receipt') });

export const getReceiptCall = {
  method: 'GET',
  url: '/receipt/:id',
  summary: 'Get one of your tax invoices',
  access: 'session',
  params: receiptId,
  response: receipt,
  errors: ['not_authenticated', 'receipt_not_found'],
} as const satisfies Call;

export const getReceiptPdfCall = {
  method: 'GET',
  url: '/receipt/:id/pdf',
  summary: 'Download one of your tax invoices as a PDF',
  access: 'session',
  params: receiptId,
  response: z.unknown(),
  mediaType: 'application/pdf',
  errors: ['not_authenticated', 'receipt_not_found'],
} as const satisfies Call;

const webhookUrl = '/stripe/webhook';
/** The webhook's path below the site's address. */
export const webhookPath = `/api${webhookUrl}`;

export const receiveWebhookCall = {
  method: 'POST',
  url: webhookUrl,
  summary: 'Receive webhooks from the payment provider',
  details:
    'They are signed in the Stripe-Signature header and may come in any order, any number of times: each is stored, answered and then processed.',
  access: 'public',
  response: z.object({ received: z.literal(true) }),
  errors: ['malformed_request', 'webhook_signature_invalid'],
} as const satisfies Call;
