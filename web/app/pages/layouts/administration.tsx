import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { Outlet } from 'react-router';
import { RequireAdmin } from '../../domains/accounts/guards.tsx';
import { Container } from '../../ui/page/page.tsx';
import { TabLinks } from '../../ui/page/tabs.tsx';
import styles from './account.module.css';

const tabs = [
  { to: paths.admin, name: 'Overview' },
  { to: adminPaths.reports, name: 'Reports' },
  { to: adminPaths.appeals, name: 'Objections' },
  { to: adminPaths.referrals, name: 'Referrals' },
  { to: adminPaths.import, name: 'Import' },
  { to: adminPaths.funnel, name: 'Funnel' },
  { to: adminPaths.users, name: 'Accounts' },
  { to: adminPaths.listings, name: 'Listings' },
  { to: adminPaths.reviews, name: 'Reviews' },
  { to: adminPaths.licences, name: 'Licences' },
  { to: adminPaths.payments, name: 'Payments' },
  { to: adminPaths.settings, name: 'Settings' },
  { to: adminPaths.health, name: 'Health' },
  { to: adminPaths.audit, name: 'Audit log' },
  { to: adminPaths.drawManagement, name: 'Draw' },
];

/** Pages for administrators. */
export default function AdministrationLayout() {
  return (
    <RequireAdmin>
      <Container>
        <div className={styles.page}>
          <TabLinks label="Administration" tabs={tabs} />
          <Outlet />
        </div>
      </Container>
    </RequireAdmin>
  );
}
