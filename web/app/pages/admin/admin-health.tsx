import { adminPaths } from '@handwise/contract/admin/paths';
import type { checkStates, Finding } from '@handwise/contract/site/health';
import { counted } from '@handwise/contract/numbers';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import styles from '../../domains/admin/desk/admin.module.css';
import { formatTime, Loaded } from '../../domains/admin/desk/list-parts.tsx';
import healthStyles from '../../domains/site/health.module.css';
import { checkInstallation, health } from '../../domains/site/health-queries.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import type { Route } from './+types/admin-health';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Health', description: 'Whether the installation works.', path: adminPaths.health, noIndex: true });

export default function AdminHealthPage() {
  const query = useQuery(health);
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (sendEmail: boolean) => checkInstallation(sendEmail),
    onSuccess: (data) => client.setQueryData(health.queryKey, data),
  });
  const isBusy = isPending || query.isFetching;
  return (
    <div className={styles.stack}>
      <h1>Health</h1>
      <p>
        Whether the parts of this installation work, as this server sees them. <code>npm run doctor</code> checks the same from a shell and
        sends a test email to the support address. Test objects are removed again.
      </p>
      <div className={styles.actions}>
        <Button busy={isBusy} onClick={() => mutate(false)}>
          {isBusy ? 'Checking…' : 'Check again'}
        </Button>
        <Button kind="secondary" disabled={isBusy} onClick={() => mutate(true)}>
          Check and send a test email
        </Button>
      </div>
      {error && <ErrorDisplay error={error} onRetry={() => mutate(false)} />}
      <Loaded query={query}>{({ findings, checkedAt }) => <Findings findings={findings} checkedAt={checkedAt} />}</Loaded>
    </div>
  );
}

const words = { fail: 'To mend', warn: 'To look at', ok: 'Fine' } as const satisfies Record<(typeof checkStates)[number], string>;
const order = ['fail', 'warn', 'ok'] as const;

/** What is to be mended first. */
const Findings = ({ findings, checkedAt }: { findings: readonly Finding[]; checkedAt: string }) => {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  return (
    <>
      <p role="status" className="muted">
        {counted(count('fail'), 'check')} to mend, {count('warn')} to look at, {count('ok')} fine. Checked {formatTime(checkedAt)}.
      </p>
      <ul className={healthStyles.findings}>
        {order.flatMap((state) =>
          findings
            .filter((one) => one.state === state)
            .map(({ name, says, todo }) => (
              <li key={name} className={healthStyles.finding} data-state={state}>
                <span className={healthStyles.state}>{words[state]}</span>
                <div>
                  <h2>{name}</h2>
                  <p>{says}</p>
                  {todo && <p className={healthStyles.todo}>{todo}</p>}
                </div>
              </li>
            )),
        )}
      </ul>
    </>
  );
};
