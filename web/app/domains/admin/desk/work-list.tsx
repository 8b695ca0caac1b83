import { adminPaths } from '@handwise/contract/admin/paths';
import type { WorkTask } from '@handwise/contract/admin/work';
import { type WorkSource, workSources } from '@handwise/contract/admin/work-sources';
import { count, counted } from '@handwise/contract/numbers';
import type { Finding } from '@handwise/contract/site/health';
import { Link } from 'react-router';
import styles from './work-list.module.css';
import deskStyles from './admin.module.css';
import { formatDue, formatUnread, formatWaiting, isOverdue } from './work-words.ts';

type WorkListProps = {
  work: { tasks: readonly WorkTask[]; left: readonly { source: WorkSource; number: number }[]; unread: readonly WorkSource[] };
  /** Undefined while the installation is being checked; null if it could not be. */
  findings: readonly Finding[] | null | undefined;
  now: number;
};

/** What needs an administrator now. It only says that nothing does when every source was read and the installation is fine. */
export function WorkList({ work: { tasks, left, unread }, findings, now }: WorkListProps) {
  const overdue = tasks.filter(({ dueAt }) => isOverdue(dueAt, now)).length;
  const total = tasks.length + left.reduce((sum, { number }) => sum + number, 0);
  return (
    <section className={deskStyles.section} aria-labelledby="work">
      <h2 id="work">What needs you today</h2>
      {unread.length > 0 && <p role="alert">{formatUnread(unread)}</p>}
      <p className="muted">
        {total > 0
          ? `${counted(total, 'thing')} to do${overdue > 0 ? `, ${count(overdue)} overdue` : ''}.`
          : unread.length > 0
            ? 'Nothing in the queues that could be read.'
            : isFine(findings)
              ? 'Nothing is waiting for you: all queues are empty.'
              : 'All queues are empty.'}
      </p>
      <ol className={styles.tasks}>
        <Installation findings={findings} />
        {tasks.map((task, index) => (
          <Task key={index} task={task} now={now} />
        ))}
      </ol>
      {left.map(({ source, number }) => (
        <p key={source} className="muted">
          And {count(number)} more: {workSources[source]}.
        </p>
      ))}
    </section>
  );
}

const isFine = (findings: WorkListProps['findings']) => findings?.every(({ state }) => state !== 'fail' && state !== 'warn') ?? false;

/** Always one row, so that nothing below moves when the check ends. */
function Installation({ findings }: Pick<WorkListProps, 'findings'>) {
  const countOf = (state: Finding['state']) => findings?.filter((one) => one.state === state).length ?? 0;
  const isBad = findings === null || countOf('fail') > 0;
  return (
    <li>
      <Link to={adminPaths.health} className={styles.task}>
        <span className={styles.title}>Health of the installation</span>
        <span className={styles.times} role="status">
          <span className={isBad ? styles.overdue : undefined}>
            {findings === undefined
              ? 'Being checked…'
              : findings === null
                ? 'Could not be checked'
                : isFine(findings)
                  ? 'Fine'
                  : `${count(countOf('fail'))} to mend, ${count(countOf('warn'))} to look at`}
          </span>
        </span>
      </Link>
    </li>
  );
}

function Task({ task: { title, path, since, dueAt }, now }: { task: WorkTask; now: number }) {
  const due = formatDue(dueAt, now);
  return (
    <li>
      <Link to={path} className={styles.task}>
        <span className={styles.title}>{title}</span>
        <span className={styles.times}>
          <span>{formatWaiting(since, now)}</span>
          {due && <span className={isOverdue(dueAt, now) ? styles.overdue : undefined}>{due}</span>}
        </span>
      </Link>
    </li>
  );
}
