import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

const domains = disposableEmailBlocklistSet();

/** Whether an address is at one of the services that hand out mailboxes for minutes, or at a subdomain of one. */
export function isDisposable(email: string): boolean {
  const labels = (email.toLowerCase().split('@')[1] ?? '').split('.');
  return labels.some((_, index) => index < labels.length - 1 && domains.has(labels.slice(index).join('.')));
}
