import type { endMails } from '@handwise/contract/mail-preferences';
import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
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

type State = { at: 'ready' | 'busy' | 'refused' | 'failed' } | { at: 'done'; text: string; on: boolean };

/** A press and not the visit ends them: mail programs and virus scanners open links by themselves. */
export default function EndMailsPage() {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  const [state, setState] = useState<State>({ at: 'ready' });
  const token = search.get('token') ?? '';
  // The page is rendered without the token, which is nobody's but the reader's.
  const refused = state.at === 'refused' || (initialized && token === '');

  async function set(url: '/mails/end' | '/mails/resume') {
    setState({ at: 'busy' });
    try {
      const { text, on } = await call<typeof endMails>({ method: 'POST', url: url as '/mails/end' }, { query: { token } });
      setState({ at: 'done', text, on });
    } catch (error) {
      setState({ at: error instanceof ApiError && error.status === 400 ? 'refused' : 'failed' });
    }
  }

  const isOver = state.at === 'done' && !state.on;
  const intro = 'One press stops emails of this kind. Nothing is lost: what others write to you stays in your messages.';
  return (
    <FormCard
      title={isOver ? 'These emails have stopped' : state.at === 'done' ? 'You will get these emails again' : 'Stop these emails?'}
      {...(state.at !== 'done' && !refused && { intro })}
    >
      <div role="status">
        {state.at === 'done' && (
          <Notice kind="success">
            {state.on ? 'We email you again when this happens: ' : 'We no longer email you when this happens: '}
            {state.text}.
          </Notice>
        )}
        {refused && <Notice>This link is not complete. Open it again from the email.</Notice>}
        {state.at === 'failed' && <Notice>That did not work just now. The link still works: please try again.</Notice>}
      </div>
      {refused ? null : isOver ? (
        <Button wide onClick={() => void set('/mails/resume')}>
          Send them again
        </Button>
      ) : state.at === 'done' ? null : (
        <Button wide busy={state.at === 'busy'} onClick={() => void set('/mails/end')}>
          Stop these emails
        </Button>
      )}
    </FormCard>
  );
}
