import { figuresLine } from '@handwise/contract/figures/words';
import { usualFigureDays } from '@handwise/contract/figures/calls';
import { paths } from '@handwise/contract/paths';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ownFigures } from './figure-queries.ts';
import styles from './figures-line.module.css';

/** A listing's analytics in one line, with a link. All lines of a page share one call. */
export function FiguresLine({ listing }: { listing: { id: string; title: string } }) {
  const { data } = useQuery(ownFigures);
  const figures = data?.get(listing.id);
  return (
    <p className={styles.line}>
      <Link to={paths.listingFigures(listing.id)}>
        <IconChartBar size={18} stroke={1.75} aria-hidden />
        <span>
          {figures ? figuresLine(figures) : 'How it’s going'}
          <span className={styles.period}> in {usualFigureDays} days</span>
          <span className="visually-hidden">: {listing.title}</span>
        </span>
      </Link>
    </p>
  );
}
