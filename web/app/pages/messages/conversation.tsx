import { paths } from '@handwise/contract/paths';
import { ReportButton } from '../../domains/admin/report-button.tsx';
import { Thread } from '../../domains/messages/inbox/thread.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/conversation';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Messages',
    description: 'A conversation with a business or a customer.',
    path: paths.conversation(params.id),
    noIndex: true,
  });

export default function ConversationPage({ params }: Route.ComponentProps) {
  return <Thread key={params.id} id={params.id} reportOf={(messageId) => <ReportButton kind="message" id={messageId} />} />;
}
