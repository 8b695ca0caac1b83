import { count, counted } from '@handwise/contract/numbers';

type Entry = { tickets: number };

/** The most squares that are distinguishable on a phone. */
const mostCells = 2400;
const columns = 40;
// The gap between squares.
const gap = 0.12;

/** All tickets as squares, in order from the top left. */
export type Wall = {
  columns: number;
  rows: number;
  /** The number of tickets in a square. */
  perCell: number;
  /** Outlines of all squares in two tones, which alternate by entry if a square is one ticket. */
  tones: [string, string];
};

export type Cell = { x: number; y: number };

export const getCell = ({ columns, perCell }: Pick<Wall, 'columns' | 'perCell'>, ticketIndex: number): Cell => {
  const cell = Math.floor(ticketIndex / perCell);
  return { x: cell % columns, y: Math.floor(cell / columns) };
};

export const cellOutline = ({ x, y }: Cell) => `M${x + gap / 2} ${y + gap / 2}h${1 - gap}v${1 - gap}h-${1 - gap}z`;

export function createWall(entries: readonly Entry[]): Wall {
  const total = entries.reduce((sum, { tickets }) => sum + tickets, 0);
  const perCell = Math.max(1, Math.ceil(total / mostCells));
  const cells = Math.ceil(total / perCell);
  const wall: Wall = { columns, rows: Math.ceil(cells / columns), perCell, tones: ['', ''] };
  if (perCell > 1) {
    for (let cell = 0; cell < cells; cell += 1) wall.tones[0] += cellOutline(getCell(wall, cell * perCell));
    return wall;
  }
  let ticket = 0;
  for (const [place, { tickets }] of entries.entries())
    for (const end = ticket + tickets; ticket < end; ticket += 1) wall.tones[place % 2 === 0 ? 0 : 1] += cellOutline(getCell(wall, ticket));
  return wall;
}

// Upper bounds of the groups in which entries are counted by their tickets.
const steps = [1, 2, 5, 10, 20, 50];

export type Share = { tickets: string; entries: number; total: number };

/** Entries by their number of tickets, smallest first. */
export function computeShares(entries: readonly Entry[]): Share[] {
  const shares = [...steps, Number.POSITIVE_INFINITY].map((most, place) => {
    const least = (steps[place - 1] ?? 0) + 1;
    const tickets =
      most === Number.POSITIVE_INFINITY
        ? `more than ${count(least - 1)} tickets`
        : least === most
          ? counted(most, 'ticket')
          : `${least} to ${most} tickets`;
    return { most, tickets, entries: 0, total: 0 };
  });
  for (const { tickets } of entries) {
    const share = shares.find(({ most }) => tickets <= most);
    if (!share) continue;
    share.entries += 1;
    share.total += tickets;
  }
  return shares.filter((share) => share.entries > 0).map(({ tickets, entries, total }) => ({ tickets, entries, total }));
}
