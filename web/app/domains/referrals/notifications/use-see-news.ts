import { useEffect, useSyncExternalStore } from 'react';
import { newsCount, noNews, onNewsChange, referralNews, seeAllNews } from './referral-news.ts';

export const useReferralNews = () => useSyncExternalStore(onNewsChange, referralNews, noNews);

/** Marks notifications as seen on pages that show the user's referrals, once the page is visible. */
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
