import { expect, test } from 'vitest';
import { toLedgerView } from './review-ledger-view.ts';

test("lists each month's received, published and removed reviews with reasons, and their sums", () => {
  const months = [
    { month: '2026-11', received: 1_204, published: 1_200, removed: { offensive: 3, withdrawn: 1 } },
    { month: '2026-09', received: 2, published: 1, removed: { offensive: 1 } },
  ];
  expect(toLedgerView(months)).toEqual({
    months: [
      {
        month: '2026-11',
        name: 'November 2026',
        received: '1,204',
        published: '1,200',
        removed: '4',
        reasons: ['3 abusive or offensive', '1 withdrawn by the author'],
      },
      { month: '2026-09', name: 'September 2026', received: '2', published: '1', removed: '1', reasons: ['1 abusive or offensive'] },
    ],
    all: {
      name: 'All months',
      received: '1,206',
      published: '1,201',
      removed: '5',
      reasons: ['4 abusive or offensive', '1 withdrawn by the author'],
    },
  });
});

test('has no months and empty sums without reviews', () => {
  expect(toLedgerView([])).toEqual({
    months: [],
    all: { name: 'All months', received: '0', published: '0', removed: '0', reasons: [] },
  });
});
