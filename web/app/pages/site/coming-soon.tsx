import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { RequireAdmin, RequireMember } from '../../lib/guard.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/coming-soon';

type Access = 'public' | 'member' | 'admin';
type Coming = { start: string; title: string; text: string; access?: Access; action: { to: string; label: string } };

const browse = { to: '/home', label: 'Browse services' };
const start = { to: '/pros', label: 'See the plans' };

// The first whose `start` fits the path. Each goes away when its page arrives.
const pages: readonly Coming[] = [
  {
    start: '/addList',
    title: 'Add a new listing',
    text: 'Publishing a listing is not open yet. You can see today what each plan includes and costs.',
    access: 'public',
    action: start,
  },
  { start: '/account', title: 'Account settings', text: 'Changing your name and password will be here.', action: browse },
  { start: '/mylistings/saved', title: 'Saved Listings', text: 'The listings that you save will be here.', action: browse },
  {
    start: '/referral/claim-prize',
    title: 'Claim your prize',
    text: 'Claiming is not open yet. A prize that you have won stays yours.',
    action: browse,
  },
  {
    start: '/referral',
    title: 'Referral Program',
    text: 'Your tickets and the monthly draw will be here. Your code is already yours to share.',
    action: { to: '/auth/register-success', label: 'Show my code' },
  },
  { start: '/payment-success', title: 'Payments', text: 'Paying is not open yet, and nothing was charged.', action: browse },
  { start: '/admin', title: 'Draw management', text: 'The draw of each month will be run here.', access: 'admin', action: browse },
];

const fallback: Coming = { start: '/', title: 'Not open yet', text: 'This page is not open yet.', action: browse };

const pageOf = (path: string) => pages.find((one) => path.startsWith(one.start)) ?? fallback;

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const { title, text } = pageOf(location.pathname);
  return pageMeta(matches, { title, description: text, path: location.pathname, noIndex: true });
};

const guards: Record<Access, (props: { children: ReactNode }) => ReactNode> = {
  public: ({ children }) => children,
  member: RequireMember,
  admin: RequireAdmin,
};

/** Stands in for pages that arrive with later work: says what will be here, with the access that it will have. */
export default function ComingSoonPage() {
  const { pathname } = useLocation();
  const { title, text, access = 'member', action } = pageOf(pathname);
  const Guard = guards[access];
  return (
    <Guard>
      <Container>
        <EmptyState title={title} level={1} action={<ButtonLink to={action.to}>{action.label}</ButtonLink>}>
          {text}
        </EmptyState>
      </Container>
    </Guard>
  );
}
