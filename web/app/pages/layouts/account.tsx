import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { ownDecisions } from '../../domains/admin/decision-queries.ts';
import { TabLinks } from '../../ui/page/tabs.tsx';
import styles from './account.module.css';

const tabs = [
  { to: paths.account, name: 'Account settings' },
  { to: paths.security, name: 'Security' },
  { to: paths.alerts, name: 'Alerts' },
  { to: paths.cards, name: 'Payment' },
  { to: paths.receipts, name: 'Tax invoices' },
];

/** The account pages, under one heading. Decisions have a tab if there are any, or if that is not known. */
export default function AccountLayout() {
  const { data: decisions, isError } = useQuery(ownDecisions);
  const mayHaveSome = decisions ? decisions.length > 0 : isError;
  const shown = mayHaveSome ? [...tabs, { to: paths.decisions, name: 'Decisions' }] : tabs;
  return (
    <div className={styles.page}>
      <h1>Account</h1>
      <TabLinks label="Account" tabs={shown} />
      <Outlet />
    </div>
  );
}
