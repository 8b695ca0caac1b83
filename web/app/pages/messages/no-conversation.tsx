import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/no-conversation';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Messages',
    description: 'Your conversations with businesses and customers.',
    path: paths.messages,
    noIndex: true,
  });

export default function NoConversationPage() {
  return <NoConversation />;
}

/** Shown beside the list while no conversation is open. */
const NoConversation = () => <EmptyState title="Choose a conversation">Its messages will be shown here.</EmptyState>;
