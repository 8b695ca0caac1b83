import { paths } from '@handwise/contract/paths';
import { AuditLog } from '../../domains/admin/desk/audit-log.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-audit';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Audit log',
    description: 'Every change of rights, money and moderation.',
    path: paths.adminAudit,
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
