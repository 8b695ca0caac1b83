import type { endAlert } from '@handwise/contract/search-alerts';
import { paths } from '@handwise/contract/paths';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useMailedLink } from '../../lib/session/use-mailed-link.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/end-alert';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Pause this alert',
    description: 'One tap, and this alert sends no more emails.',
    path: paths.endAlert,
    noIndex: true,
  });

const ask = (url: '/alerts/end' | '/alerts/resume', token: string) =>
  call<typeof endAlert>({ method: 'POST', url: url as '/alerts/end' }, { query: { token } });

export default function EndAlertPage() {
  const { answer, isBusy, hasFailed, isRefused, press } = useMailedLink(ask);
  const isOver = answer?.isPaused === true;
  const intro = 'One press, and it sends nothing more until you resume it.';
  return (
    <FormCard
      title={isOver ? 'This alert is paused' : answer ? 'This alert is on again' : 'Pause this alert?'}
      {...(!answer && !isRefused && { intro })}
    >
      <div role="status">
        {answer && (
          <Notice kind="success">
            {answer.isPaused ? 'We’ll no longer email you about what’s new for: ' : 'We’ll email you again about what’s new for: '}
            {answer.name}
          </Notice>
        )}
        {isRefused && <Notice>This link no longer works: the alert may have been deleted.</Notice>}
        {hasFailed && <Notice>That did not work just now. The link still works: please try again.</Notice>}
      </div>
      {isRefused ? null : isOver ? (
        <Button wide onClick={() => void press('/alerts/resume')}>
          Resume it
        </Button>
      ) : answer ? null : (
        <Button wide busy={isBusy} onClick={() => void press('/alerts/end')}>
          Pause this alert
        </Button>
      )}
      <ButtonLink to={paths.alerts} kind="quiet" wide>
        See your alerts
      </ButtonLink>
    </FormCard>
  );
}
