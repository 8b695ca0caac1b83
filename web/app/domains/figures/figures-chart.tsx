import type { ListingFigures } from '@handwise/contract/figures/calls';
import { counted } from '@handwise/contract/numbers';
import { type PointerEvent, useState } from 'react';
import { scaleTop, Chart } from '../../ui/charts/chart.tsx';
import styles from './figures-chart.module.css';
import { chartSummary, type figureKinds, longDay, shortDay } from './figures-view.ts';

type FiguresChartProps = { figures: ListingFigures; shown: (typeof figureKinds)[number] };

/** A column for each day. Whoever points at one reads its number; whoever does not see it has the summary, and the table. */
export function FiguresChart({ figures, shown }: FiguresChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { days } = figures;
  const top = scaleTop(Math.max(...days.map((day) => day[shown.kind])));
  const day = pointed === null ? undefined : days[pointed];
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length))));
  };
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        {day ? (
          <>
            <strong>{counted(day[shown.kind], shown.one)}</strong> on {longDay(day.day)}
          </>
        ) : (
          <>
            <strong>{shown.name}</strong> by day
          </>
        )}
      </figcaption>
      <Chart
        label={chartSummary(figures, shown)}
        top={top}
        height={220}
        plotClassName={styles.plot}
        onPoint={point}
        onLeave={() => setPointed(null)}
        under={
          <div className={styles.days}>
            <span>{shortDay(days[0]?.day ?? '')}</span>
            <span>{shortDay(days[Math.floor(days.length / 2)]?.day ?? '')}</span>
            <span>Today</span>
          </div>
        }
      >
        {days.map((one, at) => (
          <span key={one.day} className={styles.column} data-pointed={at === pointed || undefined}>
            <span style={{ height: `${(one[shown.kind] / top) * 100}%` }} />
          </span>
        ))}
      </Chart>
    </figure>
  );
}
