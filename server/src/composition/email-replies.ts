import { site } from '@handwise/contract/site/site';
import { admitEmailReply, isReplyAddress, type MessageContext, receiveEmailReply } from '../domains/messages/messages.service.ts';
import type { Env } from '../env.ts';
import type { Resolve } from '../kit/mail/mail-sender-check.ts';
import { toPortError } from '../kit/startup-error.ts';

/** Receives replies by email if the environment enables it. `resolve` asks DNS in another way, for tests. */
export async function openReplyServer(context: MessageContext, { inboundMail, host }: Env, resolve?: Resolve) {
  if (!inboundMail) return { port: 0, close: async () => {} };
  // Loaded on demand, because it takes 12 MB and web-only servers do not need it.
  const { openInboundMail } = await import('../kit/mail/inbound-mail.ts');
  const { authentication } = inboundMail;
  return openInboundMail({
    host,
    port: inboundMail.port,
    logger: context.logger,
    authentication: authentication && resolve ? { ...authentication, resolve } : authentication,
    isOurs: (address) => isReplyAddress(context, address),
    admit: (mail) => admitEmailReply(context, mail, [site.senderEmail, site.supportEmail]),
    take: (mail) => receiveEmailReply(context, mail),
  }).catch((error: unknown) => {
    throw toPortError('INBOUND_MAIL', inboundMail.port, error);
  });
}
