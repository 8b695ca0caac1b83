import { momentText, ownTimeZone } from '@handwise/contract/dates';
import { Button } from '../../../ui/forms/button.tsx';
import { useFirstRows } from '../first-rows.tsx';
import { noticeText } from './notice-list.ts';
import styles from './news-list.module.css';
import { clearNews } from './referral-news.ts';
import { useReferralNews } from './use-see-news.ts';

/** What came since one last looked. It stays until the page is left or it is cleared. */
export function NewsList() {
  const { recent } = useReferralNews();
  const { shown, more } = useFirstRows(recent, 'news', 4);
  if (recent.length === 0) return null;
  return (
    <section className={`card ${styles.news}`} aria-labelledby="referral-news">
      <div className={styles.head}>
        <h2 id="referral-news">New since your last visit</h2>
        <Button kind="quiet" size="sm" onClick={clearNews}>
          Clear these
        </Button>
      </div>
      <ul className={styles.list}>
        {shown.map((notice) => (
          <li key={notice.id}>
            <span>{noticeText(notice)}</span>
            <span className={styles.when}>{momentText(notice.timestamp, ownTimeZone())}</span>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}
