import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { LoginForm } from '../../domains/accounts/login-form.tsx';
import { hasListingDraft } from '../../lib/browser-storage.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { safeRedirect } from '../../lib/redirect.ts';
import { useSession } from '../../lib/session.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import type { Route } from './+types/login';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Sign in',
    description: 'Sign in to Handwise to search, save and message home and trade pros.',
    path: '/auth/login',
  });

/** Where to go once signed in: the page that asked for it, the wizard with its draft, or home. */
function useTarget() {
  const [search] = useSearchParams();
  const { state } = useLocation() as { state: { returnTo?: unknown } | null };
  const asked = search.get('redirect') ?? (typeof state?.returnTo === 'string' ? state.returnTo : null);
  return safeRedirect(asked);
}

export default function LoginPage() {
  const { user, initialized } = useSession();
  const target = useTarget();
  if (user) return <Navigate to={target} replace />;
  const continuesListing = initialized && target.startsWith('/addList') && hasListingDraft();
  return (
    <FormCard
      title="Sign in"
      intro={
        <p>
          New to Handwise?{' '}
          <Link to={target === '/home' ? '/auth/register' : `/auth/register?redirect=${encodeURIComponent(target)}`}>Register now</Link>
        </p>
      }
    >
      {continuesListing && (
        <Notice kind="success">Your listing is saved. After signing in you will be redirected back to complete it.</Notice>
      )}
      <LoginForm />
    </FormCard>
  );
}
