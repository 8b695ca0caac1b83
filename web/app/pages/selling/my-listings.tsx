import { paths } from '@handwise/contract/paths';
import { AnalyticsLine } from '../../domains/analytics/analytics-line.tsx';
import { MyListings } from '../../domains/selling/own/my-listings.tsx';
import { SubscriptionStrip, useStripLoads } from '../../domains/plans/subscription-strip.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { ListingTabs } from '../layouts/listing-tabs.tsx';
import styles from './my-listings.module.css';
import type { Route } from './+types/my-listings';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'My Listings',
    description: 'The listings you publish: edit them, change their plan, switch them off and on.',
    path: paths.ownListings,
    noIndex: true,
  });

export default function MyListingsPage() {
  const { user } = useSession();
  const stripLoads = useStripLoads(user?._id);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>My Listings</h1>
        <ButtonLink to={paths.addListing}>Add a new listing</ButtonLink>
      </div>
      <ListingTabs />
      <SubscriptionStrip userId={user?._id} />
      <div className={styles.list} data-waits={stripLoads || undefined}>
        <MyListings analyticsOf={(card) => <AnalyticsLine listing={card} />} />
      </div>
    </div>
  );
}
