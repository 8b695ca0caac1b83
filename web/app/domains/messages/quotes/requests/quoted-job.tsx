import type { Conversation } from '@handwise/contract/messages/calls';
import type { QuotedJob as Request } from '@handwise/contract/messages/quotes';
import { paths } from '@handwise/contract/paths';
import { IconClipboardText } from '@tabler/icons-react';
import { Link } from 'react-router';
import { JobFacts } from './job-facts.tsx';
import styles from './quoted-job.module.css';

/** Above what was said: that a quote is asked for, and for what. */
export function QuotedJob({ request, role }: { request: Request; role: Conversation['role'] }) {
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
