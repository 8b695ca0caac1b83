/** What tax invoices say until an operator sets it. Nobody may be sent one with these. */
export const invoiceExamples = {
  INVOICE_ADDRESS: '1 Example Street, Wellington 6011, New Zealand',
  INVOICE_NZ_GST_NUMBER: '000-000-000',
  INVOICE_AU_ABN: '00 000 000 000',
} as const;

type Given = {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_PUBLISHABLE_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
} & Record<keyof typeof invoiceExamples, string>;

const modeOf = (key: string) => (/^\wk_live_/.test(key) ? 'live' : 'test');

/**
 * What is wrong with the keys of the payment provider and with what is printed on invoices; null where nothing is. `isReal`: real people pay,
 * which no stand-in, test key or example may be taken for.
 */
export function paymentFault(given: Given, isReal: boolean): string | null {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = given;
  if (secret && !publishable) return 'STRIPE_SECRET_KEY is set but STRIPE_PUBLISHABLE_KEY is not: the browser needs both.';
  if (secret && !given.STRIPE_WEBHOOK_SECRET) {
    return 'STRIPE_SECRET_KEY is set but STRIPE_WEBHOOK_SECRET is not: without it no message of the provider can be trusted.';
  }
  if (secret && publishable && modeOf(secret) !== modeOf(publishable)) {
    return `STRIPE_SECRET_KEY is a ${modeOf(secret)} key but STRIPE_PUBLISHABLE_KEY a ${modeOf(publishable)} key: no payment would go through.`;
  }
  if (!isReal) return null;
  if (!secret) return 'STRIPE_SECRET_KEY is not set. In production the payment sandbox starts only where SANDBOX=1 says that it is meant.';
  if (modeOf(secret) === 'test') {
    return 'STRIPE_SECRET_KEY is a test key: nobody would be charged. In production it is taken only where SANDBOX=1 says that it is meant.';
  }
  const examples = Object.entries(invoiceExamples).filter(([name, example]) => given[name as keyof typeof invoiceExamples] === example);
  if (examples.length === 0) return null;
  const names = examples.map(([name]) => name).join(', ');
  return `${names} would be printed on tax invoices as the example that it is. In production examples are taken only where SANDBOX=1 says that they are meant.`;
}
