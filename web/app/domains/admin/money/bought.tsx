import type { PaymentBooks } from '@handwise/contract/admin/payments';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from '../desk/admin.module.css';
import { timeText } from '../desk/time-text.ts';
import { isGift } from './money-words.ts';

const listingStates = { active: 'active', inactive: 'inactive', expired: 'expired', hidden: 'hidden' } as const;

/** The plan that a payment bought, how it stands, and its listings. */
export function Bought({ books }: { books: PaymentBooks }) {
  const { bought, status } = books;
  if (!bought) {
    const why =
      status !== 'succeeded'
        ? 'Nothing: it was not paid.'
        : isGift(books)
          ? 'Its owner kept the plan, as a gift.'
          : 'Nothing: it goes back.';
    return <p className="muted">{why}</p>;
  }
  return (
    <>
      <p>
        <strong>{bought.planName} plan</strong>, {timeText(bought.startsAt)} to {timeText(bought.endsAt)}. {standing(bought)}
      </p>
      {bought.listings.length === 0 ? (
        <p className="muted">No listing is published under it.</p>
      ) : (
        <ul className={styles.lines}>
          {bought.listings.map((listing) => (
            <li key={listing._id}>
              <Link to={paths.listing(listing._id)}>{listing.serviceTitle}</Link>, #{listing.listingNumber}, {listingStates[listing.status]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function standing({ isReturned, isReplaced, isDisputed, isRunning }: NonNullable<PaymentBooks['bought']>): string {
  if (isReturned) return 'It ended because nothing of its payment pays for it any more.';
  if (isReplaced) return 'Another plan has replaced it.';
  if (isDisputed && isRunning)
    return 'It is paused while the bank decides: what is live stays live, but nothing new can be published under it.';
  return isRunning ? 'It is running.' : 'It is over.';
}
