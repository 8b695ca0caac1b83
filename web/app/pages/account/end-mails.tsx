import { paths } from '@handwise/contract/paths';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useMailedLink } from '../../lib/session/use-mailed-link.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/end-mails';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Stop these emails',
    description: 'One tap, and emails of this kind stop.',
    path: paths.endMails,
    noIndex: true,
  });

const send = (address: 'POST /mails/end' | 'POST /mails/resume', token: string) => call(address, { query: { token } });

export default function EndMailsPage() {
  const { answer, isBusy, hasFailed, isRejected, press } = useMailedLink(send);
  const isOver = answer?.on === false;
  const intro = 'One press stops emails of this kind. Nothing is lost: what others write to you stays in your messages.';
  return (
    <FormCard
      title={isOver ? 'These emails have stopped' : answer ? 'You will get these emails again' : 'Stop these emails?'}
      {...(!answer && !isRejected && { intro })}
    >
      <div role="status">
        {answer && !hasFailed && (
          <Notice kind="success">
            {answer.on ? 'We’ll email you these again: ' : 'We’ll no longer email you these: '}
            {answer.text}.
          </Notice>
        )}
        {isRejected && <Notice>This link is not complete. Open it again from the email.</Notice>}
        {hasFailed && <Notice>That did not work just now. The link still works: please try again.</Notice>}
      </div>
      {isRejected ? null : isOver ? (
        <Button wide busy={isBusy} onClick={() => void press('POST /mails/resume')}>
          Send them again
        </Button>
      ) : answer ? null : (
        <Button wide busy={isBusy} onClick={() => void press('POST /mails/end')}>
          Stop these emails
        </Button>
      )}
    </FormCard>
  );
}
