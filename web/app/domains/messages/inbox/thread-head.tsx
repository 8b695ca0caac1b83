import type { Conversation } from '@handwise/contract/messages/calls';
import { paths } from '@handwise/contract/paths';
import { IconArrowLeft, IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Avatar } from '../../../ui/pictures/avatar.tsx';
import { QuoteMark } from '../quotes/requests/quote-mark.tsx';
import styles from './thread-head.module.css';

type ThreadHeadProps = { conversation: Conversation; onStop: () => Promise<void>; onAllow: () => Promise<void> };

/** With whom and about which listing: stays in sight above what was said. */
export function ThreadHead({ conversation, onStop, onAllow }: ThreadHeadProps) {
  const { with: other, listing, blocked, quoteRequest } = conversation;
  const [asking, setAsking] = useState(false);
  return (
    <header className={styles.head}>
      <Link to={paths.messages} className={styles.back} aria-label="All messages">
        <IconArrowLeft size={24} stroke={1.75} aria-hidden="true" />
      </Link>
      <Avatar name={other.name} src={other.avatar} size={40} />
      <div className={styles.text}>
        <h2 className={styles.name}>{other.name}</h2>
        <p className={styles.about}>
          <Link to={paths.listing(listing._id)} className={styles.listing}>
            {listing.serviceTitle}
          </Link>
          {quoteRequest && (
            <span className={styles.quote}>
              <QuoteMark standing={quoteRequest} />
            </span>
          )}
          {listing.status !== 'active' && <span className={styles.ended}>Not available right now</span>}
        </p>
      </div>
      {blocked !== 'by_them' && (
        <>
          <button type="button" className={styles.menuButton} popoverTarget="conversation-menu" aria-label="More about this conversation">
            <IconDots size={24} stroke={1.75} aria-hidden="true" />
          </button>
          <div id="conversation-menu" popover="auto" className={`floating ${styles.menu}`}>
            <button
              type="button"
              popoverTarget="conversation-menu"
              popoverTargetAction="hide"
              onClick={() => (blocked === 'by_me' ? void onAllow() : setAsking(true))}
            >
              {blocked === 'by_me' ? 'Allow messages again' : `Stop messages from ${other.name}`}
            </button>
          </div>
        </>
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Stop messages from ${other.name}?`}
        actions={
          <>
            <Button kind="secondary" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                void onStop();
              }}
            >
              Stop messages
            </Button>
          </>
        }
      >
        <p>Nothing they write will reach you any more, in any conversation, and they are told so. You can allow it again at any time.</p>
      </Dialog>
    </header>
  );
}
