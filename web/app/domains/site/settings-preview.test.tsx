import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NewlyUnmet } from './settings-preview.tsx';

const before = { prize: '1000', permitNsw: '', permitSa: '', permitAct: '', permitNt: '' };
const render = (values: Partial<typeof before>, error?: string) =>
  renderToStaticMarkup(
    <NewlyUnmet values={{ ...before, ...values }} before={before} isAccepted={false} error={error} onChange={() => {}} />,
  );

test('shows what a prize would not meet, and asks for a yes', () => {
  const html = render({ prize: ' 2500' });
  for (const place of ['NSW', 'SA', 'ACT', 'NT']) expect(html).toContain(`${place}: The prizes of a year come to $30,000,`);
  expect(html).toContain('type="checkbox"');
  // A smaller prize would not meet it either.
  expect(html).not.toContain('postcode');
  expect(render({ prize: '2500' }, 'Say yes')).toContain('Say yes to this, choose a smaller prize');
});

test('names the places that the draws would leave out, and not those with a permit', () => {
  const html = render({ prize: '2500', permitSa: 'T26/1', permitNt: ' ' });
  expect(html).toContain('people who live in New South Wales, the Australian Capital Territory or the Northern Territory');
  expect(html).not.toContain('SA: The prizes');
});

test.each(['250', '', 'much', '1000'])('asks nothing for a prize of %j', (prize) => {
  expect(render({ prize })).toBe('');
});
