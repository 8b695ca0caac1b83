import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Creating } from './published.tsx';

const show = (share: number, files: number) => renderToStaticMarkup(<Creating share={share} files={files} />);

test('shows how much of the photos is sent while they are', () => {
  expect(show(0.42, 3)).toContain('Uploading your photos.');
  expect(show(0.42, 3)).toContain('42%');
});

test('says what happens once the photos are sent, without a percentage that stands still', () => {
  expect(show(1, 3)).toContain('Your photos have arrived.');
  expect(show(1, 3)).not.toMatch(/100|progressbar/);
});

test('speaks of no photos where there are none', () => {
  expect(show(0, 0)).toContain('Almost there');
  expect(show(1, 0)).not.toMatch(/photos|progressbar/);
});
