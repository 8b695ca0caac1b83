import styles from './creating.module.css';

/** Step 4.5. `share` of the files that is sent, from 0 to 1. */
export function Creating({ share, files }: { share: number; files: number }) {
  const percent = Math.round(share * 100);
  const sending = files > 0 && percent < 100;
  return (
    <div className={styles.creating}>
      <span className={styles.spinner} aria-hidden="true" />
      <p role="status">
        {sending ? 'Uploading your photos. Please keep this page open.' : 'Almost there: we are putting your listing into the search.'}
      </p>
      <div className={styles.progress}>
        <div className={styles.bar} role="progressbar" aria-label="Upload" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
          <span style={{ width: `${percent}%` }} />
        </div>
        <span className={styles.percent} aria-hidden="true">
          {percent}%
        </span>
      </div>
    </div>
  );
}
