import { paths } from '@handwise/contract/paths';
import { slug } from '@handwise/contract/text';
import { IconCalendar, IconMapPin, IconRoute } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { CategoryIcon } from '../../ui/pictures/category-icon.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import { OpenNow } from '../facts/open-now.tsx';
import { Gallery } from './gallery.tsx';
import styles from './listing-detail.module.css';
import type { ListingView } from './listing-view.ts';
import { PlacementLabel, PlacementNote } from './placement-label.tsx';

const icon = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

type ListingDetailProps = {
  listing: ListingView;
  /** The content below the description. */
  facts: ReactNode;
  /** "Message the seller", as this reader sees it. */
  contact: ReactNode;
  /** How fast its seller answers. */
  replyTime?: ReactNode;
  /** Saving, beside sharing. */
  save?: ReactNode;
  share: ReactNode;
  /** Similar listings, if there are any. */
  related: ReactNode;
};

/** A listing in full, readable without script. */
export const ListingDetail = ({ listing, facts, contact, replyTime, save, share, related }: ListingDetailProps) => (
  <>
    {listing.status !== 'active' && (
      <div className={styles.notice}>
        <Notice>
          {listing.status === 'hidden' ? (
            <>
              Only you can see this page: our moderators have hidden your listing.{' '}
              <Link to={paths.decisions}>See why, and how to object</Link>.
            </>
          ) : (
            <>
              Only you can see this page: your listing is {listing.status}.{' '}
              <Link to={paths.reactivateListing(listing.id)}>Reactivate it</Link> to show it to everybody.
            </>
          )}
        </Notice>
      </div>
    )}
    <article className={styles.layout}>
      <div className={styles.main}>
        <Head listing={listing} replyTime={replyTime} save={save} share={share} />
        <Gallery
          pictures={[...listing.pictures, ...listing.customerPictures]}
          own={listing.pictures.length}
          category={listing.category}
          title={listing.title}
        />
        <section className={styles.section} aria-labelledby="description-heading">
          <h2 id="description-heading">Description</h2>
          <div className={styles.text}>
            {listing.description.length === 0 ? (
              <p>No description available</p>
            ) : (
              listing.description.map((line, at) => <p key={at}>{line}</p>)
            )}
          </div>
        </section>
        {facts}
      </div>
      <aside className={styles.sidebar} aria-label="Business">
        <div className={`card ${styles.panel}`}>
          <div className={styles.business}>
            <Avatar name={listing.business.name} src={listing.business.logo} color={listing.business.color} size={56} />
            <div className={styles.businessText}>
              <p className={styles.businessName}>{listing.business.name}</p>
              <a href="#reviews" className={styles.ratingLink}>
                <RatingLine average={listing.averageRating} reviews={listing.reviewCount} />
              </a>
            </div>
          </div>
          <p className={styles.place}>
            <IconMapPin {...icon} />
            {listing.location}
          </p>
          {replyTime}
          {contact}
          {save}
          {share}
          <p className={styles.note}>Messaging is free. You agree on the work with the business directly.</p>
        </div>
      </aside>
    </article>
    {related && (
      <section className={styles.related} aria-labelledby="related-heading">
        <h2 id="related-heading">
          More {listing.category.name} in {listing.region.name}
        </h2>
        {related}
      </section>
    )}
    <div className={styles.bottom} data-bottom-bar>
      {contact}
    </div>
    <PlacementNote />
  </>
);

type HeadProps = Pick<ListingDetailProps, 'listing' | 'replyTime' | 'save' | 'share'>;

const Head = ({ listing, replyTime, save, share }: HeadProps) => (
  <header className={styles.head}>
    <div className={styles.chips}>
      <Link to={paths.servicesIn(listing.category.slug)} className={styles.chip}>
        <CategoryIcon slug={listing.category.slug} size={28} />
        {listing.category.name}
      </Link>
      <PlacementLabel plan={listing.plan} />
    </div>
    <h1 className={styles.title}>{listing.title}</h1>
    <p className={styles.by}>
      <Avatar name={listing.business.name} src={listing.business.logo} color={listing.business.color} size={28} />
      {listing.business.name}
    </p>
    <ul className={styles.facts}>
      <li>
        <a href="#reviews" className={styles.ratingLink}>
          <RatingLine average={listing.averageRating} reviews={listing.reviewCount} />
        </a>
      </li>
      <li>
        <IconMapPin {...icon} />
        {listing.location}
      </li>
      {listing.serviceArea && (
        <li>
          <IconRoute {...icon} />
          {listing.serviceArea}
        </li>
      )}
      {listing.availability && (
        <li>
          <IconCalendar {...icon} />
          {listing.availability}
        </li>
      )}
      <li>
        <IconCalendar {...icon} />
        Listed {listing.listedOn}
      </li>
      {listing.openings && (
        <li className={styles.openings}>
          <OpenNow hours={listing.openings} timeZone={listing.timeZone} />
        </li>
      )}
    </ul>
    {replyTime && <div className={styles.slimOnly}>{replyTime}</div>}
    <div className={styles.slimShare}>
      {save}
      {share}
    </div>
  </header>
);

/** The title with its place, unless the seller has included it. */
export function addPlaceToTitle({ title, district }: { title: string; district: string }): string {
  const words = (text: string) => ` ${slug(text).replaceAll('-', ' ')} `;
  return words(title).includes(words(district)) ? title : `${title} in ${district}`;
}
