import { defaultAnalyticsDays, formatMetrics } from '@handwise/contract/analytics/words';
import { paths } from '@handwise/contract/paths';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ownAnalytics } from './analytics-queries.ts';
import styles from './analytics-line.module.css';

/** A listing's analytics in one line, with a link. All lines of a page share one call. */
export function AnalyticsLine({ listing }: { listing: { id: string; title: string } }) {
  const { data } = useQuery(ownAnalytics);
  const metrics = data?.get(listing.id);
  return (
    <p className={styles.line}>
      <Link to={paths.listingAnalytics(listing.id)}>
        <IconChartBar size={18} stroke={1.75} aria-hidden />
        <span>
          {metrics ? formatMetrics(metrics) : 'How it’s going'}
          <span className={styles.period}> in {defaultAnalyticsDays} days</span>
          <span className="visually-hidden">: {listing.title}</span>
        </span>
      </Link>
    </p>
  );
}
