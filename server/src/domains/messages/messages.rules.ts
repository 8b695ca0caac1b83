import { createHash } from 'node:crypto';
import type { MessageWarning } from '@handwise/contract/messages/calls';
import { fold } from '@handwise/contract/text';

// Only common top-level domains, because people write "tomorrow.thanks" without a space. The name before the dot is looked for backwards from
// there: forwards, a text of hyphens would be read again from each of them.
const link =
  /\bhttps?:\/\/|\bwww\.|\.(?<=\b[a-z\d-]+\.)(?:com|co|net|org|nz|au|info|biz|xyz|io|app|site|online|shop|link|ly|me|top|click)\b(?!@)/i;

const removeMailAddresses = (text: string) => text.replaceAll(/\S+/g, (word) => (word.slice(1, -1).includes('@') ? ' ' : word));

const bankDetails = [
  // New Zealand: bank, branch, account, suffix.
  /\b\d{2}[- ]\d{4}[- ]\d{7}[- ]\d{2,3}\b/,
  // Australia: BSB, with or without its name, and an account number.
  /\bbsb\b/i,
  /\b\d{3}-\d{3}\b[^\d]{0,20}\b\d{6,10}\b/,
  /\b[a-z]{2}\d{2}(?: ?[a-z\d]{4}){3,7}\b/i,
  /\bbank (?:account|details|transfer|deposit)\b/i,
  /\baccount (?:number|no\b)/i,
  // Card number.
  /\b(?:\d{4}[ -]?){3}\d{1,4}\b/,
];

/** Risky content that the reader is warned about. */
export function listWarnings(text: string): MessageWarning[] {
  return [
    ...(link.test(removeMailAddresses(text)) ? (['link'] as const) : []),
    ...(bankDetails.some((pattern) => pattern.test(text)) ? (['bank_details'] as const) : []),
  ];
}

/** Ignores case, accents, spaces and punctuation. */
export const hashOpening = (text: string): Buffer =>
  createHash('sha256')
    .update(
      fold(text)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    )
    .digest();
