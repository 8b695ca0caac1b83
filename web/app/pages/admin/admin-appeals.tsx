import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-appeals';
import { type AdminAppeal, decideAppealCall } from '@handwise/contract/admin/reports';
import { decisionKinds } from '@handwise/contract/admin/report-words';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Notice } from '../../ui/feedback/notice.tsx';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import { appeals, useAppealDecision } from '../../domains/admin/desk/admin-queries.ts';
import styles from '../../domains/admin/desk/case.module.css';
import { QueryFilterLinks, Loaded, formatTime } from '../../domains/admin/desk/list-parts.tsx';
import { Queue } from '../../domains/admin/desk/queue.tsx';
import { ReasonedChoice } from '../../domains/admin/desk/decision-form.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Objections', description: 'Objections to decisions.', path: adminPaths.appeals, noIndex: true });

export default function AdminAppealsPage() {
  return (
    <>
      <h1>Objections</h1>
      <AppealQueue />
    </>
  );
}

/** Open or answered appeals. */
function AppealQueue() {
  const [search] = useSearchParams();
  const status = search.get('status') === 'answered' ? 'answered' : 'open';
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(appeals({ status, page: String(page) }));
  return (
    <>
      <QueryFilterLinks
        label="Objections"
        name="status"
        options={[
          { value: '', name: 'Open' },
          { value: 'answered', name: 'Answered' },
        ]}
      />
      <Loaded query={query}>
        {(data) => (
          <Queue
            label="Cases"
            page={page}
            totalPages={data.totalPages}
            empty={status === 'open' ? 'There are no open objections.' : 'No objections have been answered yet.'}
            items={data.appeals.map((one) => ({
              id: one._id,
              title: one.decision.about.title,
              detail: decisionKinds[one.decision.decision].name,
              when: formatTime(one.createdAt),
            }))}
          >
            {(id, next) => {
              const shown = data.appeals.find((one) => one._id === id);
              return shown && <Appeal key={`${id} ${status}`} shown={shown} onDone={next} />;
            }}
          </Queue>
        )}
      </Loaded>
    </>
  );
}

function Appeal({ shown, onDone }: { shown: AdminAppeal; onDone: () => void }) {
  const { decision } = shown;
  return (
    <>
      <header className={styles.head}>
        <p className="muted">{decisionKinds[decision.decision].name}</p>
        <h2>{decision.about.title}</h2>
        <p>
          Decided by {decision.by?.name ?? 'a register’s answer'}, {formatTime(decision.createdAt)}, about{' '}
          <Link to={adminPaths.user(decision.concerned._id)}>{decision.concerned.name}</Link>
          {decision.about.listingId && (
            <>
              {' · '}
              <Link to={paths.listing(decision.about.listingId)}>See the listing</Link>
            </>
          )}
        </p>
      </header>
      <section className={styles.section}>
        <h3>Reason</h3>
        <p className={styles.words}>{decision.reason}</p>
      </section>
      <section className={styles.section}>
        <h3>The objection, {formatTime(shown.createdAt)}</h3>
        <p className={styles.words}>{shown.words}</p>
      </section>
      {shown.upheld !== null ? (
        <section className={styles.section}>
          <h3>{shown.upheld ? 'Objection upheld' : 'Decision kept'}</h3>
          <p className={styles.words}>{shown.answer}</p>
        </section>
      ) : shown.mayDecide ? (
        <AnswerForm shown={shown} onDone={onDone} />
      ) : (
        <Notice>You made this decision, or it is about you, so another administrator has to answer the objection.</Notice>
      )}
    </>
  );
}

function AnswerForm({ shown, onDone }: { shown: AdminAppeal; onDone: () => void }) {
  const answer = useAppealDecision();
  return (
    <ReasonedChoice
      name="answer"
      schema={decideAppealCall.body.pick({ reason: true })}
      legend="Is the objection right?"
      answers={[
        {
          value: 'no',
          name: 'The decision was right: keep it',
          notice: 'We have looked at it again. The decision stays.',
          button: 'Answer',
          kind: 'primary',
        },
        {
          value: 'yes',
          name: 'The objection is right: reverse the decision',
          notice: 'You were right: we have reversed the decision.',
          button: 'Answer',
          kind: 'primary',
        },
      ]}
      readers="The person concerned"
      hint="The person concerned will read this, word for word."
      title={shown.decision.about.title}
      send={async (chosen, reason) => {
        await answer.mutateAsync({ params: { id: shown._id }, body: { uphold: chosen === 'yes', reason } });
        onDone();
      }}
    />
  );
}
