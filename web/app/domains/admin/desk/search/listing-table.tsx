import type { FoundListing } from '@handwise/contract/admin/search';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { Button } from '../../../../ui/forms/button.tsx';
import styles from '../admin.module.css';
import { timeText } from '../time-text.ts';
import { TableHead } from './table-head.tsx';

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
            <Link to={paths.adminUser(listing.seller._id)}>{listing.seller.name}</Link>
          </td>
          <td>
            <span className={styles.state} data-bad={listing.status === 'hidden' || undefined}>
              {names[listing.status]}
            </span>
          </td>
          <td data-time>{timeText(listing.createdAt)}</td>
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
