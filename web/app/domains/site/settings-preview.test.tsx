import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { UnmetByPrize } from './settings-preview.tsx';

const render = (prize: string, error?: string) =>
  renderToStaticMarkup(<UnmetByPrize prize={prize} isAccepted={false} error={error} onChange={() => {}} />);

test('shows what a prize would not meet, and asks for a yes', () => {
  const html = render('2500');
  for (const place of ['NSW', 'SA', 'ACT', 'NT']) expect(html).toContain(`${place}: The prizes of a year come to $30,000.`);
  expect(html).toContain('type="checkbox"');
  // A smaller prize would not meet it either.
  expect(html).not.toContain('postcode');
  expect(render('2500', 'Say yes')).toContain('Say yes to this, or choose a smaller prize');
});

test.each(['250', '', 'much'])('asks nothing for a prize of %j', (prize) => {
  expect(render(prize)).toBe('');
});
