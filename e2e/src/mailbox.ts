import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

const mailbox = process.env['MAILBOX_URL'] ?? '';

/** The address in the button of the newest mail to somebody whose subject begins so. */
export async function linkIn(to: string, subject: string): Promise<string> {
  let link = '';
  await expect(async () => {
    const mails = (await (await fetch(`${mailbox}/email`)).json()) as { subject: string; text: string; to: { address: string }[] }[];
    const mail = mails.findLast((one) => one.subject.startsWith(subject) && one.to.some(({ address }) => address === to));
    link = /https?:\/\/\S+token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(link).not.toBe('');
  }).toPass();
  return link;
}

/** Confirms somebody's address by the link of their mail, as on another device. */
export async function confirmAddress(page: Page, email: string): Promise<void> {
  const token = new URL(await linkIn(email, 'Confirm your email address')).searchParams.get('token');
  const answer = await page.request.post('/api/auth/verify-email', { data: { token } });
  expect(answer.ok()).toBe(true);
}
