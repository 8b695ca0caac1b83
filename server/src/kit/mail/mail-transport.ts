import type { Transporter } from 'nodemailer';
import { PermanentError } from '../jobs/attempt.ts';
import { loadOnce } from '../load-once.ts';
import { headerText } from './mail-words.ts';
import type { Mail } from './mail.ts';

export type Mailer = {
  /**
   * Hands a mail to the mail server. The same `id` gives the same Message-ID, so that a mail that is delivered twice can be
   * recognised. Throws a PermanentError where no retry can help.
   */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
};

export function mailer(options: { smtpUrl: string; from: string; appUrl: string }): Mailer {
  const { smtpUrl, from, appUrl } = options;
  let opened: Transporter | undefined;
  const open = loadOnce(async () => {
    const { createTransport } = await import('nodemailer');
    opened = createTransport({
      url: smtpUrl,
      // Many mails that are due together go over a few connections, one after the other, instead of over one each.
      pool: true,
      maxConnections: 5,
      idleTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // A mail is made of text alone: nothing in it may fetch a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });
  const layout = loadOnce(() => import('./mail-layout.ts'));
  const { hostname } = new URL(appUrl);
  return {
    async send(mail, id) {
      const to = oneAddress(mail.to);
      const replyTo = mail.replyTo === undefined ? undefined : oneAddress(mail.replyTo);
      // The layout takes 14 MB and a tenth of a second to load and the transport 12 MB, which a process that never mails need not spend.
      const { renderMail } = await layout();
      const transport = await open();
      const { html, text } = renderMail(mail, appUrl);
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          subject: headerText(mail.subject, 200),
          html,
          text,
          messageId: `<${id}@${hostname}>`,
          // Out-of-office replies are not for mails that a machine sent.
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(mail.end && {
              'List-Unsubscribe': { prepared: true, value: `<${mail.end.oneClick}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        if (isRefusal(error)) throw new PermanentError('the mail server refuses this mail', { cause: error });
        throw error;
      }
    },
    close: () => opened?.close(),
  };
}

/** An address that a mail server could read as several, or as a name or a header, is none. */
function oneAddress(text: string) {
  if (!/^[^\s\p{Cc}@<>()[\],;:"\\]+@[^\s\p{Cc}@<>()[\],;:"\\]+$/u.test(text)) throw new PermanentError('not exactly one mail address');
  return text;
}

/** Whether the server said a lasting no to the recipient or the content. A no to ourselves is for an operator to mend. */
function isRefusal(error: unknown) {
  if (!(error instanceof Error)) return false;
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO'));
}
