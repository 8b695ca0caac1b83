import { useState } from 'react';
import { pushDismissedKey, readStored, writeStored } from '../../lib/browser-storage.ts';
import { Queries } from '../../lib/queries.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useIsPushOffered, useSubscribeBrowser } from './push-browser.ts';
import styles from './push-offer.module.css';

/** Turns notifications on for this browser. Nothing is shown where they are on, blocked or impossible. */
export const PushOffer = ({ label }: { label: string }) => (
  <Queries>
    <Offer label={label} />
  </Queries>
);

/** The same for a business that awaits its customers; dismissing it is remembered on the device. */
export const PushOfferToBusiness = () => (
  <Queries>
    <OfferToBusiness />
  </Queries>
);

const Offer = ({ label }: { label: string }) => useIsPushOffered() && <SubscribeButton label={label} />;

function SubscribeButton({ label }: { label: string }) {
  const subscribing = useSubscribeBrowser();
  return (
    <Button kind="secondary" size="sm" busy={subscribing.isPending} onClick={() => subscribing.mutate()}>
      {subscribing.isPending ? 'Turning on...' : label}
    </Button>
  );
}

function OfferToBusiness() {
  const isOffered = useIsPushOffered();
  const [isDismissed, setDismissed] = useState(() => readStored(pushDismissedKey) !== null);
  if (!isOffered || isDismissed) return null;
  return (
    <Notice>
      <div className={styles.offer}>
        <p>Get a notification on this device when a customer writes, asks for a quote or accepts yours.</p>
        <div className={styles.actions}>
          <SubscribeButton label="Turn on notifications" />
          <Button
            kind="quiet"
            size="sm"
            onClick={() => {
              writeStored(pushDismissedKey, 'true');
              setDismissed(true);
            }}
          >
            Not now
          </Button>
        </div>
      </div>
    </Notice>
  );
}
