import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import { Picture } from '../../../ui/pictures/picture.tsx';
import type { OwnCardView } from './own-card-view.ts';
import styles from './own-listing-card.module.css';

type OwnListingCardProps = {
  card: OwnCardView;
  /** How it’s going, in a line. */
  figures?: ReactNode;
  onDeactivate: (card: OwnCardView) => void;
};

// One column or two, as they fit, below the width of a desk.
const sizes = '(min-width: 1264px) 380px, (min-width: 900px) 46vw, calc(100vw - 32px)';

/** A listing in its owner's list: where it stands, and what can be done with it. */
export function OwnListingCard({ card, figures, onDeactivate }: OwnListingCardProps) {
  const isActive = card.status === 'active';
  const about = <span className="visually-hidden">: {card.title}</span>;
  return (
    <article className={`card ${styles.card}`} data-status={card.status}>
      <div className={styles.media}>
        <Picture picture={card.cover} categorySlug={card.categorySlug} sizes={sizes} alt="" />
        <span className={styles.status} data-status={card.status}>
          {card.statusName}
        </span>
      </div>
      <div className={styles.body}>
        <h2 className={styles.title}>
          <Link to={paths.listing(card.id)}>{card.title}</Link>
        </h2>
        <p className={styles.detail}>
          Listing #{card.number} · {card.location}
        </p>
        <p className={styles.plan}>
          <strong>{card.planName} plan</strong>
          <span>{card.ends}</span>
        </p>
        {figures}
        <div className={styles.actions}>
          <ButtonLink to={paths.editListing(card.id)} kind="secondary" size="sm">
            Edit{about}
          </ButtonLink>
          {isActive ? (
            <>
              <ButtonLink to={paths.updatePlan(card.id)} kind="secondary" size="sm">
                Manage plan{about}
              </ButtonLink>
              <Button kind="quiet" size="sm" onClick={() => onDeactivate(card)}>
                Deactivate{about}
              </Button>
            </>
          ) : (
            <ButtonLink to={card.status === 'hidden' ? paths.decisions : paths.reactivateListing(card.id)} size="sm">
              {card.status === 'hidden' ? 'See why' : 'Reactivate'}
              {about}
            </ButtonLink>
          )}
        </div>
      </div>
    </article>
  );
}
