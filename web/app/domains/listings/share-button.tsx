import { IconShare2 } from '@tabler/icons-react';
import { Button } from '../../ui/forms/button.tsx';
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
