import type { Transporter } from 'nodemailer';
import { site } from '@handwise/contract/site/site';
import { PermanentError } from '../jobs/attempt.ts';
import { loadOnce } from '../load-once.ts';
import { headerText, type Mail } from './mail.ts';

export type Mailer = {
  /**
   * Hands a mail to the mail server. The same `id` gives the same Message-ID, which identifies duplicates. Throws a PermanentError if retries can't
   * help.
   */
  send(mail: Mail, id: string): Promise<void>;
  /** Connects and signs in without sending anything. */
  verify(): Promise<void>;
  close(): void;
};

export function openMailer(options: { smtpUrl: string; appUrl: string }): Mailer {
  const { smtpUrl, appUrl } = options;
  let opened: Transporter | undefined;
  const open = loadOnce(async () => {
    const { createTransport } = await import('nodemailer');
    opened = createTransport({
      url: smtpUrl,
      // Mails share a few connections.
      pool: true,
      maxConnections: 5,
      idleTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // No mail may include a file or URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });
  const layout = loadOnce(() => import('./mail-layout.ts'));
  const { hostname } = new URL(appUrl);
  return {
    async send(mail, id) {
      const to = parseAddress(mail.to);
      const replyTo = mail.replyTo === undefined ? undefined : parseAddress(mail.replyTo);
      // The layout (14 MB, 100 ms) and the transport (12 MB) are loaded with the first mail.
      const { renderMail } = await layout();
      const transport = await open();
      const { html, text } = renderMail(mail, appUrl);
      try {
        await transport.sendMail({
          from: { name: site.name, address: site.senderEmail },
          to: { name: '', address: to },
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          subject: headerText(mail.subject, 200),
          html,
          text,
          ...(mail.calendar && { icalEvent: { ...mail.calendar, filename: 'visit.ics' } }),
          messageId: `<${id}@${hostname}>`,
          // Prevents out-of-office replies.
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(mail.end && {
              'List-Unsubscribe': { prepared: true, value: `<${mail.end.oneClick}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        if (isPermanentRejection(error)) throw new PermanentError('the mail server rejects this email', { cause: error });
        throw error;
      }
    },
    async verify() {
      await (await open()).verify();
    },
    close: () => opened?.close(),
  };
}

/** Rejects text that a mail server could read as several addresses, a name or a header. */
function parseAddress(text: string) {
  if (!/^[^\s\p{Cc}@<>()[\],;:"\\]+@[^\s\p{Cc}@<>()[\],;:"\\]+$/u.test(text)) throw new PermanentError('not exactly one email address');
  return text;
}

/** Whether the server permanently rejected the recipient or content. A rejection of our sender is for an operator to fix, so it is retried. */
function isPermanentRejection(error: unknown) {
  if (!(error instanceof Error)) return false;
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO'));
}
