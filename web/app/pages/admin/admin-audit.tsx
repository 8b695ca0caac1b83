import { adminPaths } from '@handwise/contract/admin/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-audit';
import { isId } from '@handwise/contract/ids';
import type { AuditEntry } from '@handwise/contract/admin/calls';
import { count } from '@handwise/contract/numbers';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { auditLog } from '../../domains/admin/desk/admin-queries.ts';
import { findChosenOption, QueryFilterLinks, ResultList, Loaded, formatTime } from '../../domains/admin/desk/list-parts.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Audit log',
    description: 'Every change of rights, money and moderation.',
    path: adminPaths.audit,
    noIndex: true,
  });

export default function AdminAuditPage() {
  return (
    <>
      <h1>Audit log</h1>
      <AuditLog />
    </>
  );
}

const tables = [
  { value: '', name: 'All' },
  { value: 'decisions', name: 'Decisions' },
  { value: 'users', name: 'Accounts' },
  { value: 'listings', name: 'Listings' },
  { value: 'reviews', name: 'Reviews' },
  { value: 'payments', name: 'Payments' },
  { value: 'refunds', name: 'Refunds' },
  { value: 'disputes', name: 'Disputes' },
  { value: 'fraud_warnings', name: 'Fraud warnings' },
  { value: 'subscriptions', name: 'Plans of members' },
  { value: 'plans', name: 'Prices' },
  { value: 'site_settings', name: 'Settings' },
  { value: 'looks', name: 'Viewing as a user' },
] as const;

/** Changes of rights, money and moderation, newest first. */
function AuditLog() {
  const [search] = useSearchParams();
  const table = findChosenOption(tables, search.get('table'));
  const requested = search.get('subject');
  const subject = requested !== null && isId(requested) ? requested : undefined;
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(auditLog({ ...(table && { table }), ...(subject && { subject }), page: String(page) }));
  return (
    <div className={styles.stack}>
      <QueryFilterLinks label="What was changed" name="table" options={tables} />
      {subject && (
        <p>
          Changes to one record only. <Link to="?">Show the whole log</Link>
        </p>
      )}
      <Loaded query={query}>
        {(data) => (
          <>
            <p>
              The chain ends with entry {count(data.head.number)}: <span className={styles.hash}>{data.head.hash}</span>
            </p>
            <ResultList one="entry" many="entries" page={page} totalPages={data.totalPages} total={data.total}>
              <table className={styles.table}>
                <thead>
                  <tr>
                    <th scope="col" data-number>
                      Entry
                    </th>
                    <th scope="col">When</th>
                    <th scope="col">Who</th>
                    <th scope="col">What</th>
                    <th scope="col">Before</th>
                    <th scope="col">After</th>
                  </tr>
                </thead>
                <tbody>
                  {data.entries.map((entry) => (
                    <tr key={entry.number}>
                      <td data-number>{entry.number}</td>
                      <td data-time>{formatTime(entry.writtenAt)}</td>
                      <td>{getWho(entry)}</td>
                      <td>
                        <Link to={`?subject=${entry.subjectId}`}>{entry.what}</Link>
                      </td>
                      <td>
                        <Values of={entry.before} other={entry.after} />
                      </td>
                      <td>
                        <Values of={entry.after} other={entry.before} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ResultList>
          </>
        )}
      </Loaded>
    </div>
  );
}

const getWho = ({ actor, program, databaseRole }: AuditEntry) =>
  actor ? actor.name : program === 'handwise' ? 'The server' : `By hand in the database (${program || databaseRole})`;

// Empty values of a new row are left out.
const Values = ({ of, other }: { of: AuditEntry['before']; other: AuditEntry['before'] }) =>
  of &&
  Object.entries(of)
    .filter(([, value]) => value !== null || other !== null)
    .map(([name, value]) => (
      <span key={name} className={styles.change}>
        {name}: {value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)}
      </span>
    ));
