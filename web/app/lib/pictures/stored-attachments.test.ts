import { expect, test } from 'vitest';
import { formatLost, listLostNames } from './stored-attachments.ts';

const files = (...names: string[]) => names.map((name) => ({ name }));

test('a name is lost as often as no file has it', () => {
  expect(listLostNames(['image.jpg', 'image.jpg', 'plan.pdf'], files('plan.pdf', 'image.jpg'))).toEqual(['image.jpg']);
  expect(listLostNames(['image.jpg', 'image.jpg'], files('image.jpg', 'image.jpg'))).toEqual([]);
  expect(listLostNames([], files('later.jpg'))).toEqual([]);
  expect(listLostNames(['IMG_1.JPEG'], files('IMG_1.jpg'))).toEqual([]);
});

test('names what could not be kept', () => {
  expect(formatLost([])).toBeUndefined();
  expect(formatLost(['tap.png'])).toBe('“tap.png” could not be kept in this browser. Add it again if you want to send it.');
  expect(formatLost(['tap.png', 'plan.pdf'])).toBe(
    '“tap.png” and “plan.pdf” could not be kept in this browser. Add them again if you want to send them.',
  );
});
