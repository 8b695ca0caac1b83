import type { Receipt } from '@handwise/contract/payments';

export async function receiptPdf(receipt: Receipt): Promise<Buffer> {
  return Buffer.from(receipt.number);
}
