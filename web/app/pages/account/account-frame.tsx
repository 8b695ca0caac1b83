import type { ReactNode } from 'react';
import { RequireMember } from '../../lib/guard.tsx';
import { Queries } from '../../lib/queries.tsx';
import { Container } from '../../ui/page/page.tsx';
import { TabLinks } from '../../ui/page/tab-links.tsx';
import styles from './account-frame.module.css';

const tabs = [
  { to: '/account', name: 'Account settings' },
  { to: '/account/payment', name: 'Payment' },
];

/** What the pages of the account have in common: for members, under one heading. */
export const AccountFrame = ({ children }: { children: ReactNode }) => (
  <RequireMember>
    <Queries>
      <Container>
        <div className={styles.page}>
          <h1>Account</h1>
          <TabLinks label="Account" tabs={tabs} />
          {children}
        </div>
      </Container>
    </Queries>
  </RequireMember>
);
