import { useEffect, useSyncExternalStore } from 'react';
import { newsCount, noNews, onNewsChange, referralNews, seeAllNews } from './referral-news.ts';

export const useReferralNews = () => useSyncExternalStore(onNewsChange, referralNews, noNews);

/** On pages that show one's referrals: what is new has been seen, once the page is there and in front. */
export function useSeeNews(ready: boolean) {
  const waits = newsCount(useReferralNews()) > 0 && ready;
  useEffect(() => {
    if (!waits) return;
    const see = () => {
      if (!document.hidden) seeAllNews();
    };
    see();
    document.addEventListener('visibilitychange', see);
    return () => document.removeEventListener('visibilitychange', see);
  }, [waits]);
}
