import { IconBrandWhatsapp, IconShare2 } from '@tabler/icons-react';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { toast } from '../../ui/feedback/toast.tsx';

/** The device's own share sheet where there is one; else the address is copied. */
export function ShareButton({ title, wide = false }: { title: string; wide?: boolean }) {
  async function share() {
    const url = location.origin + location.pathname;
    if (typeof navigator.share === 'function') {
      // Closing the sheet without sharing is no failure.
      await navigator.share({ title, url }).catch(() => undefined);
      return;
    }
    try {
      await navigator.clipboard.writeText(url);
      toast('Link copied to clipboard');
    } catch {
      toast(`Copy this link: ${url}`, 'info');
    }
  }
  return (
    <Button kind="secondary" wide={wide} onClick={() => void share()}>
      <IconShare2 size={20} stroke={1.75} aria-hidden="true" />
      Share
    </Button>
  );
}

/** Opens WhatsApp with the title and the address, ready to be sent. `brief` shows the logo alone. Works without script. */
export const WhatsAppLink = ({ title, url, brief = false }: { title: string; url: string; brief?: boolean }) => (
  <ButtonLink
    to={`https://wa.me/?text=${encodeURIComponent(`${title} ${url}`)}`}
    kind="secondary"
    target="_blank"
    rel="noopener"
    aria-label="Share on WhatsApp (opens in a new tab)"
  >
    <IconBrandWhatsapp size={20} stroke={1.75} aria-hidden="true" />
    {!brief && 'WhatsApp'}
  </ButtonLink>
);
