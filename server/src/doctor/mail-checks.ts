import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { getDomain } from 'tldts';
import { site } from '@handwise/contract/site/site';
import type { Env } from '../env.ts';
import { isReservedHost } from '../kit/hosts.ts';
import { openMailer } from '../kit/mail/mail-transport.ts';
import type { Mail } from '../kit/mail/mail.ts';
import { type Check, describeError, fail, ok, type Outcome, warn } from './checks.ts';
import type { Dns } from './dns.ts';

type Parts = { env: Env; smtpUrl: string | null; dns: Dns; sendEmail: boolean; now: () => Date; patience: number };

const askProvider = 'Your mail provider names the record to publish.';

export const createMailChecks = (parts: Parts): Check[] => {
  const domain = site.senderEmail.split('@')[1] ?? '';
  const dnsChecks = [
    ['SPF', () => checkSpf(parts.dns, domain)],
    ['DKIM', () => checkDkim(parts.dns, domain, parts.env.dkimSelectors)],
    ['DMARC', () => checkDmarc(parts.dns, domain)],
  ] as const;
  const otherwise = 'Does this machine reach a name server? Then try again.';
  return [
    { name: 'email', otherwise: 'Does the server of SMTP_URL answer?', run: () => checkSending(parts) },
    ...dnsChecks.map(([name, run]) => ({
      name,
      otherwise,
      run: () =>
        isReservedHost(domain) ? warn(`${site.senderEmail} is an example.`, 'Set the sender of emails at /admin/settings.') : run(),
    })),
    { name: 'replies by email', otherwise, run: () => checkInbound(parts) },
  ];
};

async function checkSending({ env, smtpUrl, sendEmail, now }: Parts): Promise<Outcome> {
  if (smtpUrl === null)
    return warn('SMTP_URL is not set: emails go to the sandbox’s mailbox only.', 'Set SMTP_URL to the server of your mail provider.');
  const mailer = openMailer({ smtpUrl, appUrl: env.appUrl });
  const { host } = new URL(smtpUrl);
  const todo = 'Is SMTP_URL right, with user and password, and may this machine connect to it? Emails wait in the database meanwhile.';
  try {
    if (!sendEmail) {
      await mailer.verify();
      return ok(`${host} lets us in. No email was sent.`);
    }
    await mailer.send(createTestEmail(now()), randomUUID());
    return ok(`${host} took an email to ${site.supportEmail}. See that it arrives, and not among junk.`);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause !== undefined ? `${error.message}: ${describeError(error.cause)}` : describeError(error);
    return fail(`${host} did not take an email to ${site.supportEmail}: ${cause}.`, todo);
  } finally {
    mailer.close();
  }
}

const createTestEmail = (now: Date): Mail => ({
  to: site.supportEmail,
  subject: `${site.name}: test email`,
  preview: 'Emails of the site arrive.',
  blocks: [
    {
      kind: 'text',
      text: `Somebody checked the installation at ${now.toISOString()}. This email has arrived, so others do too. Look at its headers: SPF, DKIM and DMARC should say “pass”.`,
    },
  ],
});

async function checkSpf(dns: Dns, domain: string): Promise<Outcome> {
  const records = (await dns.texts(domain)).filter((text) => /^v=spf1( |$)/i.test(text));
  const [record = ''] = records;
  if (records.length > 1) return fail(`${domain} has ${records.length} SPF records, so that none counts.`, 'Make one record of them.');
  if (record === '') return warn(`${domain} has no SPF record.`, `${askProvider} It begins with v=spf1.`);
  if (/ \+?all( |$)/i.test(record)) return fail(`The SPF record of ${domain} lets everybody send: ${record}`, 'End it with ~all or -all.');
  return ok(`${domain}: ${record}`);
}

/** The value of a tag of a DKIM or DMARC record; undefined without one. */
const getTag = (record: string, tag: string) => new Map(record.split(';').map((part) => splitTag(part))).get(tag);
const splitTag = (part: string): [string, string] => {
  const [name = '', ...value] = part.split('=');
  return [name.trim(), value.join('=').replaceAll(/\s/g, '')];
};

async function checkDkim(dns: Dns, domain: string, selectors: readonly string[]): Promise<Outcome> {
  if (selectors.length === 0)
    return warn(
      'Could not be checked: the name of the key is not known.',
      'Set MAIL_DKIM_SELECTORS to the selectors that your mail provider signs with: s= in the DKIM-Signature of an email.',
    );
  for (const selector of selectors) {
    const name = `${selector}._domainkey.${domain}`;
    const records = (await dns.texts(name)).filter((text) => getTag(text, 'p') !== undefined);
    const [record = ''] = records;
    if (records.length > 1) return fail(`${name} has ${records.length} keys, so that none counts.`, 'Remove all but one.');
    if (record === '') return fail(`There is no key at ${name}: emails signed with it are treated as forged.`, askProvider);
    if (getTag(record, 'p') === '') return fail(`The key at ${name} is revoked.`, askProvider);
  }
  return ok(`${domain} has the keys ${selectors.join(', ')}.`);
}

async function checkDmarc(dns: Dns, domain: string): Promise<Outcome> {
  const parent = getDomain(domain) ?? domain;
  for (const name of new Set([`_dmarc.${domain}`, `_dmarc.${parent}`])) {
    const records = (await dns.texts(name)).filter((text) => /^v=DMARC1 *(;|$)/.test(text));
    const [record = ''] = records;
    if (record === '') continue;
    if (records.length > 1) return fail(`${name} has ${records.length} DMARC records, so that none counts.`, 'Remove all but one.');
    const policy = getTag(record, 'p')?.toLowerCase() ?? '';
    if (!/^(none|quarantine|reject)$/.test(policy))
      return fail(`The DMARC record at ${name} has no valid policy: ${record}`, 'Give it p=quarantine.');
    if (policy === 'none')
      return warn(
        `${name} asks nobody to refuse forged emails (p=none).`,
        'Once its reports show that your own emails pass, set p=quarantine.',
      );
    return ok(`${name}: ${record}`);
  }
  return warn(
    `${domain} has no DMARC record.`,
    `Publish one at _dmarc.${parent}, such as v=DMARC1; p=quarantine; rua=mailto:${site.supportEmail}`,
  );
}

const greetingMs = 5_000;

/** Whether a mail server greets at this address. */
async function isGreeted(host: string, port: number, longestMs: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(longestMs) })) as [Buffer];
    return data.toString('latin1').startsWith('220');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function checkInbound({ env: { inboundMail }, dns, patience }: Parts): Promise<Outcome> {
  if (!inboundMail) return ok('Off. INBOUND_MAIL turns them on.');
  const { domain, port } = inboundMail;
  const servers = isReservedHost(domain) ? [] : await dns.mailServers(domain);
  if (servers.length === 0)
    return fail(`${domain} has no MX record, so that no reply arrives.`, 'Publish one with the mail server that forwards to a worker.');
  // Only a worker listens there, which may be another machine or container.
  if (await isGreeted('127.0.0.1', port, patience * greetingMs))
    return ok(`${domain} is received by ${servers[0]}, and a worker here takes its mail.`);
  return warn(
    `${domain} is received by ${servers[0]}. Whether a worker takes its mail could not be checked: none listens on port ${port} of this machine.`,
    'Run npm run doctor where a worker runs, or send a reply and look at its conversation.',
  );
}
