import { site } from '@handwise/contract/site/site';
import { prizeText } from '@handwise/contract/draws/prize';

/** The browser functions that sharing needs, replaceable in tests. */
export type ShareTools = {
  userAgent: string;
  /** False if the browser blocks the window. */
  open: (address: string, size?: string) => boolean;
  /** Opens the email or messages app. */
  hand: (address: string) => void;
  copy: (text: string) => Promise<void>;
  showToast: (text: string, kind: 'success' | 'error') => void;
};

export type ShareWay = 'facebook' | 'email' | 'whatsapp' | 'text';

export const referralLink = (origin: string, code: string) => `${origin}/auth/register?ref=${encodeURIComponent(code)}`;

/** The shared code, its link and the sender. */
export type Shared = { code: string; link: string; senderName: string };

export const formatShare = ({ code, link }: Pick<Shared, 'code' | 'link'>) =>
  `Join me on ${site.name} with my referral code ${code}. List your business and the first month is free, otherwise you go into the ${prizeText()} monthly prize draw. ${link}`;

/** Shares a code. If that fails its text is copied, and if that fails too the code itself is shown. */
export async function shareCode(way: ShareWay, { code, link, senderName }: Shared, tools: ShareTools): Promise<void> {
  const text = formatShare({ code, link });
  const sender = senderName || 'A friend';
  const copyInstead = async (copied: string) => {
    try {
      await tools.copy(text);
      tools.showToast(copied, 'success');
    } catch {
      tools.showToast(`Unable to share. Please copy this code manually: ${code}`, 'error');
    }
  };
  const mustOpen = (opened: boolean) => {
    if (!opened) throw new Error('the window was not opened');
  };
  try {
    switch (way) {
      case 'facebook':
        return mustOpen(tools.open(`https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(link)}`, 'width=600,height=400'));
      case 'whatsapp':
        return mustOpen(tools.open(`https://wa.me/?text=${encodeURIComponent(text)}`));
      case 'email': {
        const subject = encodeURIComponent(`${sender} invites you to ${site.name}`);
        return tools.hand(`mailto:?subject=${subject}&body=${encodeURIComponent(`${text}\n\n${sender}`)}`);
      }
      case 'text':
        if (/Android|iPhone/i.test(tools.userAgent)) return tools.hand(`sms:?&body=${encodeURIComponent(text)}`);
        return await copyInstead('Message copied to clipboard! Paste it into your messaging app to share.');
    }
  } catch {
    if (way === 'email') tools.showToast('Failed to open email client', 'error');
    await copyInstead('Message copied to clipboard! Paste it to share.');
  }
}
