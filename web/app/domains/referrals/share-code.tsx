import { IconBrandFacebook, IconBrandWhatsapp, IconMail, IconMessage } from '@tabler/icons-react';
import { useState } from 'react';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './share-code.module.css';
import { referralLink, shareCode, type ShareTools, type ShareWay } from './share.ts';
import { ShareHelp } from './share-help.tsx';

const everyWay: readonly { way: ShareWay; name: string; icon: typeof IconMail }[] = [
  { way: 'facebook', name: 'Facebook', icon: IconBrandFacebook },
  { way: 'email', name: 'Email', icon: IconMail },
  { way: 'whatsapp', name: 'WhatsApp', icon: IconBrandWhatsapp },
  { way: 'text', name: 'Text', icon: IconMessage },
];

const browser = (): ShareTools => ({
  userAgent: navigator.userAgent,
  // With `noopener` it would always say that no window came.
  open: (address, size) => {
    const opened = window.open(address, size ? 'share' : '_blank', size);
    if (opened) opened.opener = null;
    return opened !== null;
  },
  hand: (address) => (location.href = address),
  copy: (text) => navigator.clipboard.writeText(text),
  tell: toast,
});

type ShareCodeProps = {
  code: string;
  senderName: string;
  /** As the server gives it; without it, it is built here from the code. */
  link?: string;
  /** Says step by step what to do next. */
  withHelp?: boolean;
};

/** The ways of passing one's code on. */
export function ShareCode({ code, senderName, link, withHelp = false }: ShareCodeProps) {
  const [helped, setHelped] = useState<ShareWay | null>(null);
  const shared = () => ({ code, link: link ?? referralLink(location.origin, code), senderName });
  return (
    <>
      <div className={styles.buttons} role="group" aria-label="Share your code">
        {everyWay.map(({ way, name, icon: Icon }) => (
          <Button
            key={way}
            kind="secondary"
            size="sm"
            onClick={() => {
              if (withHelp) setHelped(way);
              void shareCode(way, shared(), browser());
            }}
          >
            <Icon size={20} stroke={1.75} aria-hidden="true" />
            {name}
          </Button>
        ))}
      </div>
      <div role="status">{helped && <ShareHelp way={helped} shared={shared()} onClose={() => setHelped(null)} />}</div>
    </>
  );
}
