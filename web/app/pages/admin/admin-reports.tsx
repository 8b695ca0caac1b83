import { adminPaths } from '@handwise/contract/admin/paths';
import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-reports';
import type { ReportCase } from '@handwise/contract/admin/reports';
import { counted } from '@handwise/contract/numbers';
import { decisionKinds, type Measure, type ReportKind, reportKinds, reportReasons } from '@handwise/contract/admin/report-words';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { download } from '../../lib/download.ts';
import { formatFileSize } from '../../lib/pictures/attachments.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { PictureLinks } from '../../ui/pictures/picture-links.tsx';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import { reports, useReportDecision } from '../../domains/admin/desk/admin-queries.ts';
import styles from '../../domains/admin/desk/case.module.css';
import { DecisionForm, UndoForm } from '../../domains/admin/desk/decision-form.tsx';
import { QueryFilterLinks, Loaded, formatTime } from '../../domains/admin/desk/list-parts.tsx';
import { Queue } from '../../domains/admin/desk/queue.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Reports',
    description: 'What people have reported, and what was decided.',
    path: adminPaths.reports,
    noIndex: true,
  });

export default function AdminReportsPage() {
  return (
    <>
      <h1>Reports</h1>
      <ReportQueue />
    </>
  );
}

const isKind = (text: string | null): text is ReportKind => text !== null && text in reportKinds;

/** Open or decided reports. Filter, page and case are in the URL. */
function ReportQueue() {
  const [search] = useSearchParams();
  const status = search.get('status') === 'decided' ? 'decided' : 'open';
  const requested = search.get('kind');
  const kind = isKind(requested) ? requested : undefined;
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(reports({ status, kind, page: String(page) }));
  const decision = useReportDecision();
  return (
    <>
      <QueryFilterLinks
        label="Reports"
        name="status"
        options={[
          { value: '', name: 'Open' },
          { value: 'decided', name: 'Decided' },
        ]}
      />
      <QueryFilterLinks
        label="Kind"
        name="kind"
        options={[{ value: '', name: 'All kinds' }, ...Object.entries(reportKinds).map(([value, name]) => ({ value, name }))]}
      />
      <Loaded query={query}>
        {(data) => (
          <Queue
            label="Cases"
            page={page}
            totalPages={data.totalPages}
            empty={status === 'open' ? 'Every report has been answered.' : 'No report has been decided yet.'}
            items={data.reports.map((one) => ({
              id: one._id,
              title: one.about.title,
              detail: `${reportKinds[one.about.kind]} · ${one.decision ? decisionKinds[one.decision.decision].name : counted(one.reports.length, 'report')}`,
              when: formatTime(one.createdAt),
            }))}
          >
            {(id, next) => {
              const shown = data.reports.find((one) => one._id === id);
              return (
                shown && (
                  <Case key={`${id} ${status}`} shown={shown}>
                    {!shown.decision &&
                      (shown.mayDecide ? (
                        <DecisionForm
                          kind={shown.about.kind}
                          title={shown.about.title}
                          send={async (body) => {
                            await decision.mutateAsync({ params: { id }, body });
                            next();
                          }}
                        />
                      ) : (
                        <Notice>This is about you, so another administrator has to decide it.</Notice>
                      ))}
                  </Case>
                )
              );
            }}
          </Queue>
        )}
      </Loaded>
    </>
  );
}

function Case({ shown, children }: { shown: ReportCase; children: React.ReactNode }) {
  const { about, concerned, decision } = shown;
  return (
    <>
      <header className={styles.head}>
        <p className="muted">{reportKinds[about.kind]}</p>
        <h2>{about.title}</h2>
        <p>
          Of <Link to={adminPaths.user(concerned._id)}>{concerned.name}</Link> (@{concerned.username}){concerned.suspended && ', suspended'}{' '}
          · {shown.earlier === 0 ? 'nothing against them so far' : `${counted(shown.earlier, 'measure')} against them so far`}
          {about.listingId && (
            <>
              {' · '}
              <Link to={paths.listing(about.listingId)}>See the listing</Link>
            </>
          )}
        </p>
      </header>
      {shown.words && (
        <section className={styles.section}>
          <h3>When it was reported, it said</h3>
          <p className={styles.words}>{shown.words}</p>
        </section>
      )}
      {(shown.pictures.length > 0 || shown.pdf) && <Files pictures={shown.pictures} pdf={shown.pdf} />}
      <section className={styles.section}>
        <h3>{counted(shown.reports.length, 'report')}</h3>
        <ul className={styles.quote}>
          {shown.reports.map((report) => (
            <li key={`${report.by?._id} ${report.createdAt}`}>
              <span>
                <strong>{reportReasons[report.reason]}</strong>
                {report.text && `: ${report.text}`}
              </span>
              <span className="muted">
                {report.by ? <Link to={adminPaths.user(report.by._id)}>{report.by.name}</Link> : `Found by ${site.name}`},{' '}
                {formatTime(report.createdAt)}
              </span>
            </li>
          ))}
        </ul>
      </section>
      {decision && (
        <section className={styles.section}>
          <h3>
            {decisionKinds[decision.decision].name}
            {decision.undone && ' (reversed)'}
          </h3>
          <p className="muted">
            {decision.by?.name ?? 'A register’s answer'}, {formatTime(decision.createdAt)}
          </p>
          <p className={styles.words}>{decision.reason}</p>
          {!decision.undone && <UndoForm id={decision._id} decision={decision.decision as Measure} title={about.title} />}
        </section>
      )}
      {children}
    </>
  );
}

/** What is attached to a message or review now. A PDF is saved, never opened here. */
function Files({ pictures, pdf }: Pick<ReportCase, 'pictures' | 'pdf'>) {
  const save = ({ url, name }: NonNullable<ReportCase['pdf']>) =>
    void download(url as `/api/${string}`, name).catch(() => toast('The PDF could not be downloaded. Please try again.', 'error'));
  return (
    <section className={styles.section}>
      <h3>Attached</h3>
      <PictureLinks pictures={pictures} />
      {pdf && (
        <p>
          <Button kind="secondary" size="sm" onClick={() => save(pdf)}>
            Download <bdi>{pdf.name}</bdi>, {formatFileSize(pdf.bytes)}
          </Button>
        </p>
      )}
    </section>
  );
}
