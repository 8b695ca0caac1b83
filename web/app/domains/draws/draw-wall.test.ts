import { expect, test } from 'vitest';
import { getCell, computeShares, createWall } from './draw-wall.ts';

const squares = (outlines: string) =>
  outlines
    .split('M')
    .slice(1)
    .map((one) =>
      one
        .split(' ', 2)
        .map((number) => Math.floor(Number.parseFloat(number)))
        .join(),
    );

test('draws a square per ticket in rows of forty, with a new tone for each entry', () => {
  const wall = createWall([{ tickets: 2 }, { tickets: 1 }, { tickets: 39 }]);
  expect([wall.perCell, wall.columns, wall.rows]).toEqual([1, 40, 2]);
  expect(squares(wall.tones[1])).toEqual(['2,0']);
  expect(squares(wall.tones[0]).slice(0, 3)).toEqual(['0,0', '1,0', '3,0']);
  expect(squares(wall.tones[0])).toHaveLength(41);
  expect(squares(wall.tones[0]).at(-1)).toBe('1,1');
});

test('combines several tickets in a square if there are too many', () => {
  const wall = createWall([{ tickets: 2_000 }, { tickets: 2_801 }]);
  expect([wall.perCell, wall.rows]).toEqual([3, 41]);
  expect(squares(wall.tones[0])).toHaveLength(1601);
  expect(wall.tones[1]).toBe('');
  expect(getCell(wall, 4_800)).toEqual({ x: 0, y: 40 });
  expect(createWall([{ tickets: 2_400 }]).perCell).toBe(1);
  expect(createWall([{ tickets: 2_401 }]).perCell).toBe(2);
});

test("marks the winning ticket's square", () => {
  expect(getCell({ columns: 30, perCell: 1 }, 0)).toEqual({ x: 0, y: 0 });
  expect(getCell({ columns: 30, perCell: 1 }, 30)).toEqual({ x: 0, y: 1 });
  expect(getCell({ columns: 30, perCell: 4 }, 7)).toEqual({ x: 1, y: 0 });
});

test('counts entries by their number of tickets, without empty groups', () => {
  expect(computeShares([1, 1, 2, 4, 5, 11, 51, 60].map((tickets) => ({ tickets })))).toEqual([
    { tickets: '1 ticket', entries: 2, total: 2 },
    { tickets: '2 tickets', entries: 1, total: 2 },
    { tickets: '3 to 5 tickets', entries: 2, total: 9 },
    { tickets: '11 to 20 tickets', entries: 1, total: 11 },
    { tickets: 'more than 50 tickets', entries: 2, total: 111 },
  ]);
  expect(computeShares([])).toEqual([]);
});
