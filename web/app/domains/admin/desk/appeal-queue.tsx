import { type AdminAppeal, decideAppeal } from '@handwise/contract/admin-reports';
import { paths } from '@handwise/contract/paths';
import { decisionKinds } from '@handwise/contract/report-words';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import { askedPage } from '../../../ui/page/pagination.ts';
import { appeals, useAnswer } from './admin-queries.ts';
import styles from './case.module.css';
import { Choices, Preview } from './decision-form.tsx';
import { FilterLinks } from './filter-links.tsx';
import { Loaded } from './loaded.tsx';
import { Queue } from './queue.tsx';
import { timeText } from './time-text.ts';

/** Objections that wait, or were answered. */
export function AppealQueue() {
  const [search] = useSearchParams();
  const status = search.get('status') === 'answered' ? 'answered' : 'open';
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(appeals({ status, page: String(page) }));
  return (
    <>
      <FilterLinks
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
            empty={status === 'open' ? 'Nobody objects to anything at the moment.' : 'No objection has been answered yet.'}
            items={data.appeals.map((one) => ({
              id: one._id,
              title: one.decision.about.title,
              detail: decisionKinds[one.decision.decision].name,
              when: timeText(one.createdAt),
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
          Decided by {decision.by.name}, {timeText(decision.createdAt)}, about{' '}
          <Link to={paths.adminUser(decision.concerned._id)}>{decision.concerned.name}</Link>
          {decision.about.listingId && (
            <>
              {' · '}
              <Link to={paths.listing(decision.about.listingId)}>See the listing</Link>
            </>
          )}
        </p>
      </header>
      <section className={styles.section}>
        <h3>The reason that was given</h3>
        <p className={styles.words}>{decision.reason}</p>
      </section>
      <section className={styles.section}>
        <h3>The objection, {timeText(shown.createdAt)}</h3>
        <p className={styles.words}>{shown.words}</p>
      </section>
      {shown.upheld !== null ? (
        <section className={styles.section}>
          <h3>{shown.upheld ? 'The objection was right' : 'The decision stays'}</h3>
          <p className={styles.words}>{shown.answer}</p>
        </section>
      ) : shown.mayDecide ? (
        <AnswerForm shown={shown} onDone={onDone} />
      ) : (
        <Notice>You made this decision, or it is about you. Another administrator answers the objection.</Notice>
      )}
    </>
  );
}

function AnswerForm({ shown, onDone }: { shown: AdminAppeal; onDone: () => void }) {
  const [uphold, setUphold] = useState('no');
  const [reason, setReason] = useState('');
  const answer = useAnswer();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'answer',
    schema: decideAppeal.body.pick({ reason: true }),
    start: { reason: '' },
    send: async (values) => {
      await answer.mutateAsync({ params: { id: shown._id }, body: { uphold: uphold === 'yes', reason: values.reason } });
      onDone();
    },
    onChange: (values) => setReason(values.reason),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <Choices
        legend="Is the objection right?"
        options={[
          { value: 'no', name: 'The decision stays' },
          { value: 'yes', name: 'Right: undo the decision' },
        ]}
        value={uphold}
        onChange={setUphold}
      />
      <TextArea label="Reason" rows={4} hint="The person concerned reads this, word for word." {...field('reason')} />
      <Preview
        by="The person concerned"
        told={uphold === 'yes' ? 'You were right: we have taken the decision back.' : 'We have looked at it again. The decision stays.'}
        title={shown.decision.about.title}
        reason={reason}
      />
      <div>
        <Button type="submit" busy={busy}>
          {busy ? 'Sending…' : 'Answer'}
        </Button>
      </div>
    </form>
  );
}
