import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** Beside the list while none of it is open. */
export const NoConversation = () => <EmptyState title="Choose a conversation">What was said in it is shown here.</EmptyState>;
