import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** Beside the list while none of it is open. */
export const NoConversation = () => <EmptyState title="Choose a conversation">Its messages will be shown here.</EmptyState>;
