import type { ListingFigures } from '@handwise/contract/figures/calls';
import { ChartTable } from '../../ui/charts/chart.tsx';
import { figureKinds, longDay } from './figures-view.ts';

/** The chart's numbers, all four of them for each day, the newest first. */
export const FiguresTable = ({ figures: { days } }: { figures: ListingFigures }) => (
  <ChartTable
    summary="The numbers as a table"
    head={['Day', ...figureKinds.map(({ name }) => name)]}
    rows={days.toReversed().map((day) => [longDay(day.day), ...figureKinds.map(({ kind }) => day[kind])])}
  />
);
