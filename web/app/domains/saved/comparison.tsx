import { locationLine, slug } from '@handwise/contract/text';
import type { Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { evidenceView } from '../evidence/evidence-view.ts';
import { Picture } from '../../ui/pictures/picture.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import styles from './comparison.module.css';

type ComparisonProps = {
  listings: readonly Listing[];
  /** How fast its seller answers, in words. */
  replyTimeOf: (listingId: string) => ReactNode;
  onRemove: (listingId: string) => void;
};

const verifiedText = (listing: Listing) =>
  evidenceView(listing)
    .verified.map(({ date, register, name }) => `${date}: “${name}” in the ${register}`)
    .join(', ') || 'Not verified';

function Hours({ listing }: { listing: Listing }) {
  const { hours, emergency } = evidenceView(listing);
  const lines = [...hours.map(({ days, times }) => `${days}, ${times}`), ...(emergency ? ['Emergency call-outs'] : [])];
  return lines.length === 0 ? (
    'No hours listed'
  ) : (
    <ul className={styles.services}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Saved listings side by side. On a phone the columns scroll, and what the rows are stays in sight. */
export function Comparison({ listings, replyTimeOf, onRemove }: ComparisonProps) {
  const rows: { name: string; of: (listing: Listing) => ReactNode }[] = [
    { name: 'Rating', of: (one) => <RatingLine average={one.averageRating} reviews={one.reviewCount} /> },
    { name: 'Reply time', of: (one) => replyTimeOf(one._id) },
    { name: 'Price guide', of: (one) => evidenceView(one).price ?? 'No price guide' },
    { name: 'In the trade', of: (one) => (one.inTradeSince === null ? 'No year listed' : `Since ${one.inTradeSince}`) },
    { name: 'Verified', of: (one) => verifiedText(one) },
    { name: 'Hours', of: (one) => <Hours listing={one} /> },
    { name: 'Insurance', of: (one) => (one.insured ? 'Says it is insured' : 'No insurance listed') },
    { name: 'Licence', of: (one) => (one.licence ? `${one.licence.number}, ${one.licence.registerName}` : 'No licence listed') },
    { name: 'Place', of: (one) => locationLine(one.location) },
    { name: 'Trade', of: (one) => one.serviceSubCategory ?? one.serviceCategory },
    {
      name: 'Services',
      of: (one) =>
        one.services.length > 0 ? (
          <ul className={styles.services}>
            {one.services.map((service) => (
              <li key={service}>{service}</li>
            ))}
          </ul>
        ) : (
          'No services listed'
        ),
    },
  ];
  return (
    <section className={styles.scroll} aria-label="Comparison">
      <table className={styles.table}>
        <thead>
          <tr>
            <td>
              <span className="visually-hidden">What is compared</span>
            </td>
            {listings.map((one) => (
              <th key={one._id} scope="col">
                <Picture picture={one.pictures[0]} categorySlug={slug(one.serviceCategory)} sizes="280px" alt="" />
                <Link to={paths.listing(one._id)} className={styles.title}>
                  {one.serviceTitle}
                </Link>
                <span className={styles.business}>{one.businessTitle}</span>
                <button type="button" className={styles.remove} onClick={() => onRemove(one._id)}>
                  <IconX size={18} stroke={1.75} aria-hidden="true" />
                  <span className="visually-hidden">Take {one.serviceTitle} out of the comparison</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {listings.map((one) => (
                <td key={one._id}>{of(one)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
