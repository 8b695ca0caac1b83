import { paths } from '@handwise/contract/paths';
import { TabLinks } from '../../ui/page/tabs.tsx';

const tabs = [
  { to: paths.ownListings, name: 'My Listings' },
  { to: paths.savedListings, name: 'Saved Listings' },
];

/** The two lists of a member, side by side. */
export const ListingTabs = () => <TabLinks label="Listings" tabs={tabs} />;
