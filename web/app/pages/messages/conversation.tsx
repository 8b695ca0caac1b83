import type { Conversation, Message } from '@handwise/contract/messages/calls';
import type { Visit } from '@handwise/contract/visits/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ReportButton } from '../../domains/admin/report-button.tsx';
import { composerId } from '../../domains/messages/inbox/composer.tsx';
import { Thread } from '../../domains/messages/inbox/thread.tsx';
import { threadQuery } from '../../domains/messages/messages-queries.ts';
import { QuoteCard, WriteQuoteLink } from '../../domains/quotes/quote-card.tsx';
import { quotesQuery } from '../../domains/quotes/quote-queries.ts';
import type { VisitAsking } from '../../domains/visits/visit-dialog.tsx';
import { useLiveVisits, visitsQuery } from '../../domains/visits/visit-queries.ts';
import styles from '../../domains/visits/visits.module.css';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { Button } from '../../ui/forms/button.tsx';
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
const VisitCard = lazy(async () => ({ default: (await import('../../domains/visits/visit-card.tsx')).VisitCard }));
const VisitDialog = lazy(async () => ({ default: (await import('../../domains/visits/visit-dialog.tsx')).VisitDialog }));

export default function ConversationPage({ params }: Route.ComponentProps) {
  const { data, isError, refetch } = useQuery(quotesQuery(params.id));
  const thread = useQuery(threadQuery(params.id));
  const visits = useQuery(visitsQuery(params.id));
  const [question, setQuestion] = useState<{ asking: VisitAsking; conversationId: string; turn: number; open: boolean }>();
  const ask = (asking: VisitAsking) =>
    setQuestion((before) => ({ asking, conversationId: params.id, turn: (before?.turn ?? 0) + 1, open: true }));
  useLiveVisits();
  const canAnswer = thread.data?.conversation.blocked === null;
  function showCard({ number, text }: Message) {
    const quote = data?.quotes.find((one) => one.messageNumber === number);
    if (quote) return <QuoteCard quote={quote} onAsk={focusComposer} canAnswer={canAnswer} />;
    const visit = visits.data?.visits.find((one) => one.messageNumber === number);
    return (
      visit && (
        <Suspense fallback={<p>{text}</p>}>
          <VisitCard visit={visit} text={text} canAnswer={canAnswer} onAsk={ask} />
        </Suspense>
      )
    );
  }
  const isOpen = ({ state }: Visit) => state === 'proposed' || state === 'asked';
  // What is ahead stays in sight when its message is further up than what is loaded.
  const oldest = thread.data?.messages[0]?.number ?? 0;
  const hidden = visits.data?.visits.filter((one) => one.messageNumber < oldest && !one.isOver && (isOpen(one) || one.state === 'agreed'));
  const showActions = ({ _id, role, with: other }: Conversation) => (
    <>
      <Suspense fallback={null}>
        <OthersPanel id={_id} role={role} name={other.name} />
      </Suspense>
      {hidden && hidden.length > 0 && (
        <Suspense fallback={null}>
          <div className={styles.waiting}>
            {hidden.map((one) => (
              <VisitCard key={one._id} visit={one} text="" canAnswer={canAnswer} onAsk={ask} />
            ))}
          </div>
        </Suspense>
      )}
      {role === 'seller' && (
        <WriteQuoteLink conversationId={_id}>
          {visits.data && !visits.data.visits.some(isOpen) && (
            <Button size="sm" kind="secondary" onClick={() => ask({ what: 'propose' })}>
              Propose a visit
            </Button>
          )}
        </WriteQuoteLink>
      )}
    </>
  );
  return (
    <>
      {!data && isError && thread.data && (
        <LoadProblem text="The quotes in this conversation could not be loaded." onRetry={() => void refetch()} />
      )}
      {!visits.data && visits.isError && thread.data && (
        <LoadProblem text="The visits in this conversation could not be loaded." onRetry={() => void visits.refetch()} />
      )}
      <Thread
        key={params.id}
        id={params.id}
        reportOf={(messageId) => <ReportButton kind="message" id={messageId} />}
        cardOf={showCard}
        actionsOf={showActions}
      />
      {question?.conversationId === params.id && visits.data && (
        <Suspense fallback={null}>
          <VisitDialog
            key={question.turn}
            conversationId={params.id}
            timeZone={visits.data.timeZone}
            asking={question.asking}
            open={question.open}
            canAnswer={canAnswer}
            onClose={() => setQuestion((now) => (now?.turn === question.turn ? { ...now, open: false } : now))}
          />
        </Suspense>
      )}
    </>
  );
}
