import { IconBrandFacebook, IconBrandWhatsapp, IconMail, IconMessage } from '@tabler/icons-react';
import { Button } from '../../ui/forms/button.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import styles from './share-code.module.css';

const referralLink = (origin: string, code: string) => `${origin}/auth/register?ref=${encodeURIComponent(code)}`;

const shareText = (code: string, link: string) =>
  `Join me on Handwise with my referral code ${code}. List your business and the first month is free, otherwise you go into the $1,000 monthly prize draw. ${link}`;

async function shareByText(code: string, text: string) {
  if (/Android|iPhone/i.test(navigator.userAgent)) {
    location.href = `sms:?&body=${encodeURIComponent(text)}`;
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    toast('Message copied to clipboard! Paste it into your messaging app to share.');
  } catch {
    toast(`Unable to share. Please copy this code manually: ${code}`, 'error');
  }
}

/** The four ways of passing one's code on. */
export function ShareCode({ code, senderName }: { code: string; senderName: string }) {
  const link = referralLink(location.origin, code);
  const text = shareText(code, link);
  const mail = `mailto:?subject=${encodeURIComponent(`${senderName || 'A friend'} invites you to Handwise`)}&body=${encodeURIComponent(`${text}\n\n${senderName || 'A friend'}`)}`;
  const facebook = `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(link)}`;
  return (
    <div className={styles.buttons} role="group" aria-label="Share your code">
      <Button kind="secondary" size="sm" onClick={() => window.open(facebook, 'share', 'noopener,width=600,height=400')}>
        <IconBrandFacebook size={20} stroke={1.75} aria-hidden="true" />
        Facebook
      </Button>
      <Button kind="secondary" size="sm" onClick={() => (location.href = mail)}>
        <IconMail size={20} stroke={1.75} aria-hidden="true" />
        Email
      </Button>
      <Button
        kind="secondary"
        size="sm"
        onClick={() => window.open(`https://wa.me/?text=${encodeURIComponent(text)}`, '_blank', 'noopener')}
      >
        <IconBrandWhatsapp size={20} stroke={1.75} aria-hidden="true" />
        WhatsApp
      </Button>
      <Button kind="secondary" size="sm" onClick={() => void shareByText(code, text)}>
        <IconMessage size={20} stroke={1.75} aria-hidden="true" />
        Text
      </Button>
    </div>
  );
}
