import { IconBrandFacebook, IconBrandWhatsapp, IconMail, IconMessage } from '@tabler/icons-react';
import { useState } from 'react';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './share-code.module.css';
import { referralLink, shareCode, type ShareTools, type ShareWay, type Shared, formatShare } from './share.ts';
import { CopyButton } from '../../ui/forms/copy-button.tsx';

const everyWay: readonly { way: ShareWay; name: string; icon: typeof IconMail }[] = [
  { way: 'facebook', name: 'Facebook', icon: IconBrandFacebook },
  { way: 'email', name: 'Email', icon: IconMail },
  { way: 'whatsapp', name: 'WhatsApp', icon: IconBrandWhatsapp },
  { way: 'text', name: 'Text', icon: IconMessage },
];

const browser = (): ShareTools => ({
  userAgent: navigator.userAgent,
  // With `noopener`, `open` always returns null.
  open: (address, size) => {
    const opened = window.open(address, size ? 'share' : '_blank', size);
    if (opened) opened.opener = null;
    return opened !== null;
  },
  hand: (address) => (location.href = address),
  copy: (text) => navigator.clipboard.writeText(text),
  showToast: toast,
});

type ShareCodeProps = {
  code: string;
  senderName: string;
  /** The server's link; built from the code if absent. */
  link?: string;
  /** Whether to show the next steps. */
  withHelp?: boolean;
};

/** The ways to share a code. */
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

/** The next steps for each way of sharing. */
const shareHelp: Record<ShareWay, { title: string; steps: readonly string[] }> = {
  facebook: {
    title: 'Sharing on Facebook',
    steps: [
      'Sign in to Facebook in the small window, if it asks.',
      'Write a few words of your own above the link.',
      'Choose who sees it, and press Share.',
    ],
  },
  email: {
    title: 'Sharing by email',
    steps: ['Your email app opens with the words filled in.', 'Add who it is for.', 'Change the words if you like, and send it.'],
  },
  whatsapp: {
    title: 'Sharing on WhatsApp',
    steps: ['WhatsApp opens in a new tab with the words filled in.', 'Choose a person or a group.', 'Press Send.'],
  },
  text: {
    title: 'Sharing by text message',
    steps: [
      'On a phone your messages open with the words filled in.',
      'Anywhere else, copy the words below.',
      'Paste them into a message, choose who it is for, and send it.',
    ],
  },
};

type ShareHelpProps = { way: ShareWay; shared: Shared; onClose: () => void };

/** The next steps after pressing a button, and the text itself if it has to be pasted. */
const ShareHelp = ({ way, shared, onClose }: ShareHelpProps) => {
  const { title, steps } = shareHelp[way];
  return (
    <section className={styles.help} aria-label={title}>
      <h3>{title}</h3>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {way === 'text' && (
        <>
          <p className={styles.words}>{formatShare(shared)}</p>
          <CopyButton
            text={formatShare(shared)}
            label="Copy the words"
            copiedMessage="Message copied to clipboard! Paste it into your messaging app to share."
            failedMessage={`Unable to share. Please copy this code manually: ${shared.code}`}
          />
        </>
      )}
      <div>
        <Button kind="quiet" size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  );
};
