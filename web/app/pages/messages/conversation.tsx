import type { Conversation, Message } from '@handwise/contract/messages/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ReportButton } from '../../domains/admin/report-button.tsx';
import { composerId } from '../../domains/messages/inbox/composer.tsx';
import { Thread } from '../../domains/messages/inbox/thread.tsx';
import { threadQuery } from '../../domains/messages/messages-queries.ts';
import { QuoteCard, WriteQuoteLink } from '../../domains/quotes/quote-card.tsx';
import { quotesQuery } from '../../domains/quotes/quote-queries.ts';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/conversation';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Messages',
    description: 'A conversation with a business or a customer.',
    path: paths.conversation(params.id),
    noIndex: true,
  });

const focusComposer = () => document.getElementById(composerId)?.focus();
const OthersPanel = lazy(async () => ({ default: (await import('../../domains/unanswered/others-panel.tsx')).OthersPanel }));
const showActions = ({ _id, role, with: other }: Conversation) => (
  <>
    <Suspense fallback={null}>
      <OthersPanel id={_id} role={role} name={other.name} />
    </Suspense>
    {role === 'seller' && <WriteQuoteLink conversationId={_id} />}
  </>
);

export default function ConversationPage({ params }: Route.ComponentProps) {
  const { data, isError, refetch } = useQuery(quotesQuery(params.id));
  const thread = useQuery(threadQuery(params.id));
  const canAnswer = thread.data?.conversation.blocked === null;
  function showCard({ number }: Message) {
    const quote = data?.quotes.find((one) => one.messageNumber === number);
    return quote && <QuoteCard quote={quote} onAsk={focusComposer} canAnswer={canAnswer} />;
  }
  return (
    <>
      {!data && isError && thread.data && (
        <LoadProblem text="The quotes in this conversation could not be loaded." onRetry={() => void refetch()} />
      )}
      <Thread
        key={params.id}
        id={params.id}
        reportOf={(messageId) => <ReportButton kind="message" id={messageId} />}
        cardOf={showCard}
        actionsOf={showActions}
      />
    </>
  );
}
