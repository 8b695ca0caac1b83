import { paths } from '@handwise/contract/paths';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useMailedLink } from '../../lib/session/use-mailed-link.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/end-invitations';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Never invite me again',
    description: 'One tap, and we never invite you again.',
    path: paths.endInvitations,
    noIndex: true,
  });

const send = (address: 'POST /invitations/refuse', token: string) => call(address, { query: { token } });

export default function EndInvitationsPage() {
  const { answer, isBusy, hasFailed, isRejected, press } = useMailedLink(send);
  const intro = 'One press, and we delete what we prepared for you and never invite you again. This cannot be undone.';
  return (
    <FormCard title={answer ? 'We will never invite you again' : 'Never be invited again?'} {...(!answer && !isRejected && { intro })}>
      <div role="status">
        {answer && <Notice kind="success">We have deleted what we prepared. You can still list your business whenever you like.</Notice>}
        {isRejected && <Notice>This link is not complete. Open it again from the email.</Notice>}
        {hasFailed && <Notice>That did not work just now. The link still works: please try again.</Notice>}
      </div>
      {!answer && !isRejected && (
        <Button wide busy={isBusy} onClick={() => void press('POST /invitations/refuse')}>
          Never invite me again
        </Button>
      )}
    </FormCard>
  );
}
