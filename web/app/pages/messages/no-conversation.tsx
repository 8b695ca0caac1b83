import { paths } from '@handwise/contract/paths';
import { NoConversation } from '../../domains/messages/inbox/no-conversation.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/no-conversation';

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
