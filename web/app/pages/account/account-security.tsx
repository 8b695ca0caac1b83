import { paths } from '@handwise/contract/paths';
import { Security } from '../../domains/sign-in/security.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/account-security';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Security',
    description: 'Where you are signed in, and how.',
    path: paths.security,
    noIndex: true,
  });

export default function AccountSecurityPage() {
  return <Security />;
}
