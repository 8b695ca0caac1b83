import type { OutputOf } from '@handwise/contract/calls';
import { formatDate, ownTimeZone } from '@handwise/contract/dates';
import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import { paths } from '@handwise/contract/paths';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { createDraft, listStoredDrafts, saveDraft } from '../../domains/selling/wizard/wizard-draft.ts';
import { ApiError, getServerReason } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getLoginPath, getRegisterPath, type RegisterState } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/invitation';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your invitation',
    description: `Check the listing that we prepared, and publish it. Your first ${subscriptionDays} days are free.`,
    path: paths.invitation,
    noIndex: true,
  });

type Invitation = OutputOf<'POST /invitations/show'>;

export default function InvitationPage() {
  const [attempt, setAttempt] = useState(0);
  return <LoadedInvitation key={attempt} onRetry={() => setAttempt(attempt + 1)} />;
}

function LoadedInvitation({ onRetry }: { onRetry: () => void }) {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  const token = search.get('token') ?? '';
  const [invitation, setInvitation] = useState<Invitation>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!initialized) return undefined;
    const stop = new AbortController();
    call('POST /invitations/show', { body: { token } }, stop.signal).then(
      setInvitation,
      (failure: unknown) => stop.signal.aborted || setError(failure),
    );
    return () => stop.abort();
  }, [initialized, token]);

  if (error instanceof ApiError && error.status === 400) {
    return (
      <FormCard title="This invitation is over">
        <Notice>The link has been used by another account, has expired, or is not complete. You can list your business without it.</Notice>
        <ButtonLink to={paths.addListing} wide>
          List your business
        </ButtonLink>
      </FormCard>
    );
  }
  if (error) return <ErrorDisplay error={error} onRetry={onRetry} />;
  return invitation ? <Accept invitation={invitation} token={token} /> : <LoadingView />;
}

function Accept({ invitation: { businessName, email, because, source, expiresAt }, token }: { invitation: Invitation; token: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [replaces] = useState(() => listStoredDrafts().length > 0);
  const back = `${paths.invitation}?token=${token}`;

  async function accept() {
    setBusy(true);
    setProblem(null);
    try {
      const { draft } = await call('POST /invitations/claim', { body: { token } });
      storeInvitedDraft(draft);
      await navigate(paths.addListing);
    } catch (error) {
      setProblem(getServerReason(error) ?? 'That did not work just now. Please try again.');
      setBusy(false);
    }
  }

  return (
    <FormCard
      title={`List ${businessName}`}
      intro={`We invited you because ${because}. We have prepared a listing: check it, change it and publish it. Your first ${subscriptionDays} days are free, once for each business.`}
    >
      {source && <p>We have your details from {source}.</p>}
      <p>Nothing is public until you publish it. Unless you do, we delete what we prepared on {formatDate(expiresAt, ownTimeZone())}.</p>
      {replaces && <Notice>You have an unfinished listing in this browser. It will be replaced.</Notice>}
      <div role="status">{problem && <Notice>{problem}</Notice>}</div>
      {user ? (
        <Button wide busy={isBusy} onClick={() => void accept()}>
          Check the listing
        </Button>
      ) : (
        <>
          <ButtonLink to={getRegisterPath(back)} state={{ email } satisfies RegisterState} wide>
            Create an account
          </ButtonLink>
          <ButtonLink to={getLoginPath(back)} kind="secondary" wide>
            Sign in
          </ButtonLink>
        </>
      )}
    </FormCard>
  );
}

/** Stores the draft of an invitation as the wizard's draft, in place of an unfinished one. */
function storeInvitedDraft(invited: InvitationDraft): void {
  const {
    businessName,
    email,
    phone,
    country,
    region,
    district,
    base = '',
    website,
    text,
    mainCategory,
    category,
    subCategory,
    businessNumber,
  } = invited;
  const draft = createDraft(country);
  saveDraft({
    ...draft,
    begun: true,
    business: {
      businessName,
      businessEmail: email,
      country,
      region,
      district,
      services: subCategory || category,
      aboutBusiness: text,
      website,
      businessPhone: phone,
    },
    listing: { ...draft.listing, mainCategory, category, subCategory, base },
    facts: { ...draft.facts, businessNumber },
  });
}
