import { paths } from '@handwise/contract/paths';
import { AccountSettings } from '../../domains/accounts/account-settings.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/account-settings';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Account settings',
    description: 'Your name, your picture, your password and your data.',
    path: paths.account,
    noIndex: true,
  });

export default AccountSettings;
