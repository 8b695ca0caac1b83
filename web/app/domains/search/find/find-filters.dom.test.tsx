import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../../lib/testing/document.tsx';
import { FindFilters } from './find-filters.tsx';
import { createUnansweredData } from './unanswered-data.ts';

const data = { ...createUnansweredData({ q: 'plumber' }), total: 12, isExact: true };
const found = (total: number) => ({ body: { totalListings: total, totalIsExact: true, facets: null } });
const sheet = () => document.getElementById('find-filters') as HTMLElement;

/** Opens the sheet, because the document has no popovers. */
async function openSheet() {
  await screen.findByRole('button', { name: 'Filters' });
  let isOpen = true;
  const { matches } = sheet();
  Object.assign(sheet(), {
    matches: (selector: string) => (selector === ':popover-open' ? isOpen : matches.call(sheet(), selector)),
    hidePopover: () => (isOpen = false),
  });
  return () => isOpen;
}
const show = (shown = data) => renderPart(<FindFilters data={shown} />, { path: '/search?q=plumber', root: { market: 'NZ' } });
const flag = async () => within(sheet()).findAllByRole<HTMLInputElement>('checkbox');
const button = () => within(sheet()).getByRole('button', { name: /^Show / }).textContent;

test('a choice in the sheet is counted, and followed by its button only', async () => {
  const calls = answerCalls({ 'GET /search': [found(3)] });
  const { user, router } = show();
  const isOpen = await openSheet();
  const [first] = await flag();
  expect(button()).toBe('Show 12 listings');
  await user.click(first as HTMLElement);
  await expect.poll(button).toBe('Show 3 listings');
  expect(router.state.location.search).toBe('?q=plumber');
  expect(calls.map(({ path }) => path)).toEqual([`/search?q=plumber&${first?.name}=1&limit=1`]);
  await user.click(within(sheet()).getByRole('button', { name: /^Show / }));
  await expect.poll(() => router.state.location.search).toBe(`?q=plumber&${first?.name}=1`);
  expect(isOpen()).toBe(false);
});

test('a choice that could not be counted shows no number, least of all the one before', async () => {
  answerCalls({ 'GET /search': [found(3), null] });
  const { user } = show();
  await openSheet();
  const [first, second] = await flag();
  await user.click(first as HTMLElement);
  await expect.poll(button).toBe('Show 3 listings');
  await user.click(second as HTMLElement);
  await expect.poll(button).toBe('Show listings');
});

test('the count of an earlier choice that comes late is not that of the last one', async () => {
  const { answer, give } = createLateAnswer(found(3));
  const calls = answerCalls({ 'GET /search': [answer, found(1)] });
  const { user } = show();
  await openSheet();
  const [first, second] = await flag();
  await user.click(first as HTMLElement);
  await expect.poll(() => calls.length).toBe(1);
  await user.click(second as HTMLElement);
  await expect.poll(button).toBe('Show 1 listing');
  give();
  await answer;
  await user.tab();
  expect(button()).toBe('Show 1 listing');
});

test('what was counted for one search is not said of the next', async () => {
  answerCalls({ 'GET /search': [found(3)] });
  const next = { ...createUnansweredData({ q: 'roofer' }), total: 40, isExact: true };
  function Both() {
    const [shown, setShown] = useState(data);
    return (
      <>
        <FindFilters data={shown} />
        <button onClick={() => setShown(shown === data ? next : data)}>The other</button>
      </>
    );
  }
  const { user } = renderPart(<Both />, { path: '/search?q=plumber', root: { market: 'NZ' } });
  await openSheet();
  const [first] = await flag();
  await user.click(first as HTMLElement);
  await expect.poll(button).toBe('Show 3 listings');
  await user.click(screen.getByRole('button', { name: 'The other' }));
  expect(button()).toBe('Show 40 listings');
  await user.click(screen.getByRole('button', { name: 'The other' }));
  expect(button()).toBe('Show 12 listings');
  expect((await flag())[0]?.checked).toBe(false);
});

test('outside the sheet a choice is followed at once', async () => {
  const calls = answerCalls({});
  const { user, router } = show();
  await user.selectOptions(await screen.findByLabelText('Order'), 'rating');
  await expect.poll(() => router.state.location.search).toBe('?q=plumber&sort=rating');
  expect(calls).toEqual([]);
});
