import { paths } from '@handwise/contract/paths';
import { Outlet } from 'react-router';
import { RequireAdmin } from '../../domains/accounts/guards.tsx';
import { Container } from '../../ui/page/page.tsx';
import { TabLinks } from '../../ui/page/tabs.tsx';
import styles from './account.module.css';

const tabs = [
  { to: paths.admin, name: 'Overview' },
  { to: paths.adminReports, name: 'Reports' },
  { to: paths.adminAppeals, name: 'Objections' },
  { to: paths.adminReferrals, name: 'Referrals' },
  { to: paths.adminImport, name: 'Import' },
  { to: paths.adminFunnel, name: 'Funnel' },
  { to: paths.adminUsers, name: 'Accounts' },
  { to: paths.adminListings, name: 'Listings' },
  { to: paths.adminReviews, name: 'Reviews' },
  { to: paths.adminPayments, name: 'Payments' },
  { to: paths.adminSettings, name: 'Settings' },
  { to: paths.adminAudit, name: 'Audit log' },
  { to: paths.drawManagement, name: 'Draw' },
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
