import { Notice } from '../../ui/feedback/notice.tsx';
import styles from './visit-notice.module.css';

/**
 * What signing in or up is for. Whether a listing waits is known to the browser only: `saved` is said in the place of `reason` then, in a room that holds
 * either, so that the form below stays where it is.
 */
export const VisitNotice = ({ reason, saved, isSaved }: { reason: string | null; saved: string | null; isSaved: boolean }) =>
  (reason !== null || saved !== null) && (
    <div className={styles.room}>
      {reason !== null && (
        <div inert={isSaved}>
          <Notice>{reason}</Notice>
        </div>
      )}
      {saved !== null && (
        <div inert={!isSaved}>
          <Notice kind="success">{saved}</Notice>
        </div>
      )}
    </div>
  );
