import { brandName } from '@handwise/contract/payments/card-brands';
import { paths } from '@handwise/contract/paths';
import { greetingOf } from '../../../kit/mail/mail-words.ts';
import type { Mail } from '../../../kit/mail/mail.ts';

type Forgotten = { to: string; name: string; cards: readonly { brand: string; last4: string }[]; appUrl: string };

/** The provider has lost somebody's cards: they are to be saved again. */
export function cardsForgottenMail({ to, name, cards, appUrl }: Forgotten): Mail {
  const which = cards.map(({ brand, last4 }) => `${brandName(brand)} ending in ${last4}`).join(', ');
  const [they, have] = cards.length === 1 ? ['card', 'has'] : ['cards', 'have'];
  return {
    to,
    subject: `Please save your ${they} again`,
    preview: `${which} ${have} been removed from your account. Nothing was charged.`,
    greeting: greetingOf(name),
    blocks: [
      {
        kind: 'text',
        text: `Our payment service no longer holds the ${they} that you saved with us (${which}), so we have removed its details here too. Nothing was charged, and your plan and your listings stay as they are.`,
      },
      { kind: 'text', text: 'When you next pay, enter your card as you did the first time. You can also save one now.' },
      { kind: 'button', label: 'Save a card', url: appUrl + paths.cards },
    ],
  };
}
