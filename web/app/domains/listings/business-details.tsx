import { IconHash, IconMapPin, IconWorld } from '@tabler/icons-react';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import styles from './listing-detail.module.css';
import type { ListingView } from './listing-view.ts';

const icon = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** Who offers it, where, and what they say of themselves. */
export const BusinessDetails = ({ listing }: { listing: ListingView }) => (
  <section className={`card ${styles.details}`} aria-labelledby="business-heading">
    <h2 id="business-heading">Business Details</h2>
    <div className={styles.business}>
      <Avatar name={listing.business.name} src={listing.business.logo} color={listing.business.color} size={72} />
      <div className={styles.businessText}>
        <h3 className={styles.businessName}>{listing.business.name}</h3>
        <RatingLine average={listing.averageRating} reviews={listing.reviewCount} />
      </div>
    </div>
    <ul className={styles.facts}>
      <li>
        <IconHash {...icon} />
        Listing #{listing.number}
      </li>
      <li>
        <IconMapPin {...icon} />
        {listing.location}
      </li>
      {listing.business.website && (
        <li>
          <IconWorld {...icon} />
          <a href={listing.business.website.href} rel="nofollow noopener" target="_blank">
            {listing.business.website.label}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </li>
      )}
    </ul>
    {listing.services.length > 0 && (
      <div>
        <h3 className={styles.small}>Services offered</h3>
        <ul className={styles.services}>
          {listing.services.map((service, at) => (
            <li key={at}>{service}</li>
          ))}
        </ul>
      </div>
    )}
    {listing.business.about.length > 0 && (
      <div>
        <h3 className={styles.small}>About</h3>
        <div className={styles.text}>
          {listing.business.about.map((line, at) => (
            <p key={at}>{line}</p>
          ))}
        </div>
      </div>
    )}
  </section>
);
