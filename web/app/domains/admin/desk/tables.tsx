import { adminPaths } from '@handwise/contract/admin/paths';
import type { FoundListing, FoundPayment } from '@handwise/contract/admin/search';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { Button } from '../../../ui/forms/button.tsx';
import styles from './admin.module.css';
import { formatTime, TableHead } from './list-parts.tsx';
import { money } from '@handwise/contract/money';
import { paymentStates, purposes, refundStates } from '../money/money-words.ts';

const names: Record<FoundListing['status'], string> = { active: 'Active', inactive: 'Inactive', expired: 'Expired', hidden: 'Hidden' };

type ListingTableProps = { listings: readonly FoundListing[]; onDecide: (listing: FoundListing) => void };

export const ListingTable = ({ listings, onDecide }: ListingTableProps) => (
  <table className={styles.table}>
    <TableHead columns={[{ number: 'Number' }, 'Listing', 'Seller', 'State', 'Since', { hidden: 'Decide' }]} />
    <tbody>
      {listings.map((listing) => (
        <tr key={listing._id}>
          <td data-number>{listing.listingNumber}</td>
          <th scope="row">
            <Link to={paths.listing(listing._id)}>{listing.serviceTitle}</Link>
            <br />
            <span className="muted">{listing.businessTitle}</span>
          </th>
          <td>
            <Link to={adminPaths.user(listing.seller._id)}>{listing.seller.name}</Link>
          </td>
          <td>
            <span className={styles.state} data-bad={listing.status === 'hidden' || undefined}>
              {names[listing.status]}
            </span>
          </td>
          <td data-time>{formatTime(listing.createdAt)}</td>
          <td>
            <Button kind="secondary" size="sm" onClick={() => onDecide(listing)}>
              Decide<span className="visually-hidden"> about {listing.serviceTitle}</span>
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const PaymentTable = ({ payments }: { payments: readonly FoundPayment[] }) => (
  <table className={styles.table}>
    <TableHead columns={['Payer', 'For', { number: 'Amount' }, 'State', 'Invoice', 'Started', 'Payment intent']} />
    <tbody>
      {payments.map((payment) => (
        <tr key={payment._id}>
          <th scope="row">
            <Link to={adminPaths.user(payment.payer._id)}>{payment.payer.name}</Link>
          </th>
          <td>
            <Link to={adminPaths.payment(payment._id)}>
              {purposes[payment.purpose]}
              <span className="visually-hidden"> of {formatTime(payment.createdAt)}</span>
            </Link>
          </td>
          <td data-number>{money(payment.amountMinor, payment.currency)}</td>
          <td>
            <span className={styles.state} data-bad={payment.owedMinor > 0 || undefined}>
              {payment.refund ? refundStates[payment.refund.status] : paymentStates[payment.status]}
            </span>
            {payment.isDisputed && (
              <>
                {' '}
                <span className={styles.state} data-bad>
                  Disputed
                </span>
              </>
            )}
            {payment.refund && (
              <span className={styles.change}>
                {money(payment.refund.amountMinor, payment.currency)}: {payment.refund.reason}
              </span>
            )}
          </td>
          <td>{payment.receiptNumber ?? '–'}</td>
          <td data-time>{formatTime(payment.createdAt)}</td>
          <td className={styles.hash}>{payment.intentId ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
