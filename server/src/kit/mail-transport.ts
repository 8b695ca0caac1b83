import { createTransport } from 'nodemailer';
import type { Mail } from './mail.ts';

export function mailer(options: { smtpUrl: string; from: string; appUrl: string }) {
  const transport = createTransport(options.smtpUrl);
  return {
    async send(mail: Mail, id: string): Promise<void> {
      await transport.sendMail({
        from: options.from,
        to: mail.to,
        subject: mail.subject,
        text: mail.preview,
        messageId: `<${id}@handwise>`,
      });
    },
    close: () => transport.close(),
  };
}
