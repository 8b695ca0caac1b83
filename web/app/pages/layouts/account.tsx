import { paths } from '@handwise/contract/paths';
import { Outlet } from 'react-router';
import { TabLinks } from '../../ui/page/tab-links.tsx';
import styles from './account.module.css';

const tabs = [
  { to: paths.account, name: 'Account settings' },
  { to: paths.security, name: 'Security' },
  { to: paths.cards, name: 'Payment' },
];

/** The pages of one's account, under one heading. */
export default function AccountLayout() {
  return (
    <div className={styles.page}>
      <h1>Account</h1>
      <TabLinks label="Account" tabs={tabs} />
      <Outlet />
    </div>
  );
}
