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
