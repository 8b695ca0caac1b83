import type { endAlert } from '@handwise/contract/search-alerts';
import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
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

type State = { at: 'ready' | 'busy' | 'refused' | 'failed' } | { at: 'done'; name: string; isPaused: boolean };

/** A press and not the visit pauses it: mail programs and virus scanners open links by themselves. */
export default function EndAlertPage() {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  const [state, setState] = useState<State>({ at: 'ready' });
  const token = search.get('token') ?? '';
  // The page is rendered without the token, which is nobody's but the reader's.
  const refused = state.at === 'refused' || (initialized && token === '');

  async function set(url: '/alerts/end' | '/alerts/resume') {
    setState({ at: 'busy' });
    try {
      const { name, isPaused } = await call<typeof endAlert>({ method: 'POST', url: url as '/alerts/end' }, { query: { token } });
      setState({ at: 'done', name, isPaused });
    } catch (error) {
      setState({ at: error instanceof ApiError && error.status === 400 ? 'refused' : 'failed' });
    }
  }

  const isOver = state.at === 'done' && state.isPaused;
  const intro = 'One press, and it sends nothing more until you resume it.';
  return (
    <FormCard
      title={isOver ? 'This alert is paused' : state.at === 'done' ? 'This alert is on again' : 'Pause this alert?'}
      {...(state.at !== 'done' && !refused && { intro })}
    >
      <div role="status">
        {state.at === 'done' && (
          <Notice kind="success">
            {state.isPaused ? 'We no longer email you what is new for: ' : 'We email you again what is new for: '}
            {state.name}
          </Notice>
        )}
        {refused && <Notice>This link no longer works: the alert may have been deleted.</Notice>}
        {state.at === 'failed' && <Notice>That did not work just now. The link still works: please try again.</Notice>}
      </div>
      {refused ? null : isOver ? (
        <Button wide onClick={() => void set('/alerts/resume')}>
          Resume it
        </Button>
      ) : state.at === 'done' ? null : (
        <Button wide busy={state.at === 'busy'} onClick={() => void set('/alerts/end')}>
          Pause this alert
        </Button>
      )}
      <ButtonLink to={paths.alerts} kind="quiet" wide>
        See your alerts
      </ButtonLink>
    </FormCard>
  );
}
