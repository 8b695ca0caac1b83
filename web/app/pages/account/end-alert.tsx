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

const send = (address: 'POST /alerts/end' | 'POST /alerts/resume', token: string) => call(address, { query: { token } });

/** The path that ends one alert has its id, its kind and the proof. */
const partsOfOne = 3;

export default function EndAlertPage() {
  const { answer, isBusy, hasFailed, isRejected, token, press } = useMailedLink(send);
  const isOver = answer?.isPaused === true;
  const areMany = answer ? answer.names.length > 1 : token.split('.').length > partsOfOne;
  const [these, are, them] = areMany ? ['these alerts', 'These alerts are', 'them'] : ['this alert', 'This alert is', 'it'];
  const intro = `One press, and ${areMany ? 'they send' : 'it sends'} nothing more until you resume ${them}.`;
  return (
    <FormCard title={isOver ? `${are} paused` : answer ? `${are} on again` : `Pause ${these}?`} {...(!answer && !isRejected && { intro })}>
      <div role="status">
        {answer && !hasFailed && (
          <Notice kind="success">
            {answer.isPaused ? 'We’ll no longer email you about what’s new for: ' : 'We’ll email you again about what’s new for: '}
            {answer.names.join(' · ')}
          </Notice>
        )}
        {isRejected && <Notice>This link no longer works: the alert may have been deleted.</Notice>}
        {hasFailed && <Notice>That did not work just now. The link still works: please try again.</Notice>}
      </div>
      {isRejected ? null : isOver ? (
        <Button wide busy={isBusy} onClick={() => void press('POST /alerts/resume')}>
          Resume {them}
        </Button>
      ) : answer ? null : (
        <Button wide busy={isBusy} onClick={() => void press('POST /alerts/end')}>
          Pause {these}
        </Button>
      )}
      <ButtonLink to={paths.alerts} kind="quiet" wide>
        See your alerts
      </ButtonLink>
    </FormCard>
  );
}
