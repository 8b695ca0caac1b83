import type { ReportKind } from '@handwise/contract/admin/report-words';
import { IconFlag } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { LoadingView } from '../../lib/loading-view.tsx';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import styles from './report-button.module.css';

const ReportForm = lazy(async () => ({ default: (await import('./report-form.tsx')).ReportForm }));

const names: Record<ReportKind, string> = {
  listing: 'this listing',
  review: 'this review',
  message: 'this message',
  user: 'this person',
};

/** Reports content to the moderators. Visitors sign in first and return. The form loads when opened. */
export function ReportButton({ kind, id, about }: { kind: ReportKind; id: string; about?: string }) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState(false);
  const label = (
    <>
      <IconFlag size={16} stroke={1.75} aria-hidden="true" />
      Report {names[kind]}
      {about && <span className="visually-hidden"> {about}</span>}
    </>
  );
  if (!user) {
    return (
      <Link className={styles.report} to={getLoginPath(pathname + search)}>
        {label}
      </Link>
    );
  }
  return (
    <>
      <button type="button" className={styles.report} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Report ${names[kind]}`}>
        <Suspense fallback={<LoadingView />}>
          <ReportForm kind={kind} id={id} onClose={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
