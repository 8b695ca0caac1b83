import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ResendConfirmation } from '../../domains/accounts/resend-confirmation.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { refreshUser } from '../../lib/session/refresh-user.ts';
import { useSession } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/verify-email';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Confirm your email address',
    description: 'One tap, and your address is confirmed.',
    path: paths.verifyEmail,
    noIndex: true,
  });

type State = 'ready' | 'busy' | 'done' | 'refused' | 'failed';

/** Confirms on a press instead of the visit, because mail programs and virus scanners open links. */
export default function VerifyEmailPage() {
  const [search] = useSearchParams();
  const { user, initialized } = useSession();
  const [state, setState] = useState<State>('ready');
  const token = search.get('token') ?? '';
  const linked = search.get('conversation');
  const [conversation, setConversation] = useState(linked !== null && /^[\da-f-]{36}$/.test(linked) ? linked : undefined);
  // The page is rendered without the token, which belongs to the reader.
  const isRejected = state === 'refused' || (initialized && token === '');

  async function confirm() {
    setState('busy');
    try {
      await call('POST /auth/verify-email', { body: { token } });
      setState('done');
      await refreshUser();
      if (conversation === undefined && readUser()) setConversation(await findNewestConversation());
    } catch (error) {
      const isLinkRejected = error instanceof ApiError && (error.status === 400 || error.code === 'email_taken');
      setState(isLinkRejected ? 'refused' : 'failed');
    }
  }

  return (
    <FormCard title={state === 'done' ? 'Your address is confirmed' : 'Confirm your email address'}>
      <div role="status">
        {state === 'done' && (
          <Notice kind="success">
            Thank you. Replies to your messages reach you by email now, you can write reviews, and your draw tickets count.
          </Notice>
        )}
        {isRejected && <Notice>This link has already been used or has expired. If your address is confirmed, you’re all set.</Notice>}
        {state === 'failed' && <Notice>Your address could not be confirmed just now. The link still works: please try again.</Notice>}
      </div>
      {state === 'done' ? (
        conversation === undefined ? (
          <ButtonLink to={paths.browse} wide>
            Browse Pros near you
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.conversation(conversation)} wide>
            Back to your conversation
          </ButtonLink>
        )
      ) : isRejected ? (
        user ? (
          <ResendConfirmation conversationId={conversation} />
        ) : (
          <ButtonLink to={getLoginPath(paths.verifyEmail)} wide>
            Sign in to get a new link
          </ButtonLink>
        )
      ) : (
        <Button wide busy={state === 'busy'} onClick={() => void confirm()}>
          Confirm my address
        </Button>
      )}
    </FormCard>
  );
}

/** The newest conversation, whose message waited for the confirmation; undefined without one. */
const findNewestConversation = () =>
  call('GET /messages', { query: { limit: 1 } }).then(
    ({ conversations }) => conversations[0]?._id,
    () => undefined,
  );
