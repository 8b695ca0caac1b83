import { MyListings } from '../../domains/selling/own/my-listings.tsx';
import { SubscriptionStrip } from '../../domains/plans/subscription-strip.tsx';
import { RequireMember } from '../../lib/guard.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { Queries } from '../../lib/queries.tsx';
import { useSession } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { Container } from '../../ui/page/page.tsx';
import { TabLinks } from '../../ui/page/tab-links.tsx';
import styles from './my-listings.module.css';
import type { Route } from './+types/my-listings';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'My Listings',
    description: 'The listings that you publish: edit them, change their plan, switch them off and on.',
    path: '/mylistings/mylistings',
    noIndex: true,
  });

const tabs = [
  { to: '/mylistings/mylistings', name: 'My Listings' },
  { to: '/mylistings/saved', name: 'Saved Listings' },
];

export default function MyListingsPage() {
  const { user } = useSession();
  return (
    <RequireMember>
      <Queries>
        <Container>
          <div className={styles.page}>
            <div className={styles.head}>
              <h1>My Listings</h1>
              <ButtonLink to="/addList">Add a new listing</ButtonLink>
            </div>
            <TabLinks label="Listings" tabs={tabs} />
            <SubscriptionStrip userId={user?._id} />
            <MyListings />
          </div>
        </Container>
      </Queries>
    </RequireMember>
  );
}
