import { paths } from '@handwise/contract/paths';
import { useLocation } from 'react-router';
import { useSeenTickets } from '../../domains/referrals/use-seen-tickets.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import type { Route } from './+types/coming-soon';

type Coming = { title: string; text: string; action: { to: string; label: string } };

const browse = { to: paths.browse, label: 'Browse services' };
const referral: Coming = {
  title: 'Referral Program',
  text: 'Your tickets and the monthly draw will be here. Your code is already yours to share.',
  action: { to: paths.registerSuccess, label: 'Show my code' },
};

// Each goes away when its page arrives.
const pages = new Map<string, Coming>([
  [paths.referral, referral],
  [paths.referralDashboard, referral],
]);

const fallback: Coming = { title: 'Not open yet', text: 'This page is not open yet.', action: browse };

const pageOf = (path: string) => pages.get(path.replace(/\/+$/, '')) ?? fallback;

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const { title, text } = pageOf(location.pathname);
  return pageMeta(matches, { title, description: text, path: location.pathname, noIndex: true });
};

/** Stands in for pages that arrive with later work: says what will be here. */
export default function ComingSoonPage() {
  const { pathname } = useLocation();
  const { title, text, action } = pageOf(pathname);
  useSeenTickets(pageOf(pathname) === referral);
  return (
    <EmptyState title={title} level={1} action={<ButtonLink to={action.to}>{action.label}</ButtonLink>}>
      {text}
    </EmptyState>
  );
}
