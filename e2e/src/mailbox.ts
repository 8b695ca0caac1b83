import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

const sandboxMailbox = process.env['MAILBOX_URL'] ?? '';

type Received = { subject: string; text: string; to: { address: string }[] };

/** The text of the newest email to an address whose subject starts with this. */
export async function mailTo(to: string, subject: string, mailbox = sandboxMailbox): Promise<string> {
  let text = '';
  await expect(async () => {
    const mails = (await (await fetch(`${mailbox}/email`)).json()) as Received[];
    const mail = mails.findLast((one) => one.subject.startsWith(subject) && one.to.some(({ address }) => address === to));
    text = mail?.text ?? '';
    expect(text).not.toBe('');
    // Emails to many wait behind all others.
  }).toPass({ timeout: 180_000 });
  return text;
}

/** The link of the button in the newest email to an address whose subject starts with this. */
export async function linkIn(to: string, subject: string, mailbox = sandboxMailbox): Promise<string> {
  const link = /https?:\/\/\S+token=[\w-]+/.exec(await mailTo(to, subject, mailbox))?.[0] ?? '';
  expect(link).not.toBe('');
  return link;
}

/** Confirms an address by its emailed link, as on another device. */
export async function confirmAddress(page: Pick<Page, 'request'>, email: string, mailbox = sandboxMailbox): Promise<void> {
  const token = new URL(await linkIn(email, 'Confirm your email address', mailbox)).searchParams.get('token');
  const answer = await page.request.post('/api/auth/verify-email', { data: { token } });
  expect(answer.ok()).toBe(true);
}
