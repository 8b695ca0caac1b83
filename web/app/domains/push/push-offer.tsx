import { useQuery } from '@tanstack/react-query';
import { Queries } from '../../lib/queries.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { canPush, isPushBlocked, ownPushDevices, useSubscribeBrowser } from './push-browser.ts';

/** Turns notifications on for this browser. Nothing is shown where they are on, blocked or impossible. */
export const PushOffer = ({ label }: { label: string }) => (
  <Queries>
    <Offer label={label} />
  </Queries>
);

function Offer({ label }: { label: string }) {
  const offered = canPush() && !isPushBlocked();
  const { data: devices } = useQuery({ ...ownPushDevices, enabled: offered });
  const subscribing = useSubscribeBrowser();
  if (!offered || !devices || devices.some(({ current }) => current)) return null;
  return (
    <Button kind="secondary" size="sm" busy={subscribing.isPending} onClick={() => subscribing.mutate()}>
      {subscribing.isPending ? 'Turning on...' : label}
    </Button>
  );
}
