import type { Conversation } from '@handwise/contract/messages/calls';
import type { QuoteRequestJob } from '@handwise/contract/messages/quote-requests';
import { paths } from '@handwise/contract/paths';
import { IconClipboardText } from '@tabler/icons-react';
import { Link } from 'react-router';
import styles from './quote-request-job.module.css';
import { formatTrade, formatWanted } from '@handwise/contract/messages/job-words';

/** Above the messages: the quote request and its job. */
export function JobOfConversation({ request, role }: { request: QuoteRequestJob; role: Conversation['role'] }) {
  return (
    <section className={styles.quoted} aria-label="Quote request">
      <IconClipboardText size={24} stroke={1.75} aria-hidden="true" />
      <div className={styles.text}>
        <p className={styles.title}>
          {request.closedAt === null ? 'Quote request' : 'Quote request, closed'}
          {role === 'buyer' && (
            <>
              {' · '}
              <Link to={paths.quoteRequests}>Who else you asked</Link>
            </>
          )}
        </p>
        <JobFacts {...request} />
        {request.closedAt !== null && (
          <p className={styles.closed}>{role === 'buyer' ? 'You need' : 'The customer needs'} no more quotes for this job.</p>
        )}
      </div>
    </section>
  );
}

/** Kind of job, place and time, in one line if there is room. */
export const JobFacts = ({
  category,
  subCategory,
  place,
  when,
  date,
}: Pick<QuoteRequestJob, 'category' | 'subCategory' | 'place' | 'when' | 'date'>) => (
  <dl className={styles.facts}>
    {(
      [
        ['Job', formatTrade(category, subCategory)],
        ['Where', place],
        ['When', formatWanted(when, date)],
      ] as const
    ).map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Marks a conversation with a quote request. */
export const QuoteRequestMark = ({ standing }: { standing: NonNullable<Conversation['quoteRequest']> }) => (
  <span className={styles.mark} data-closed={standing === 'closed' || undefined}>
    {standing === 'open' ? 'Quote request' : 'Request closed'}
  </span>
);
