import { Notice } from '../../../../ui/feedback/notice.tsx';
import styles from './quote-request-first.module.css';
import { leadsToSending } from './quote-request-draft.ts';

/** Explains to visitors why they sign in, and that nothing typed is lost. */
export const QuoteRequestFirst = ({ target }: { target: string }) =>
  leadsToSending(target) && (
    <div className={styles.saved}>
      <Notice>
        Your quote request is kept. It needs a free account, so that the businesses can answer you. We’ll send it once you’re in.
      </Notice>
    </div>
  );
