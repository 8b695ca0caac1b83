import type { Picture } from '@handwise/contract/listings/picture';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderPart } from '../../lib/testing/document.tsx';
import { Gallery } from './gallery.tsx';

const picture = (name: string): Picture =>
  ({ src: `/${name}.jpg`, srcSet: '', avifSrcSet: '', width: 800, height: 600, alt: name, color: '#123456' }) as unknown as Picture;
const pictures = ['tap', 'sink', 'roof'].map(picture);
const category = { name: 'Plumbing', slug: 'plumbing' };
const width = 400;

// The document has no layout: each strip is as wide as a picture, and scrolls at once.
beforeEach(() => {
  Object.defineProperties(HTMLUListElement.prototype, {
    clientWidth: { configurable: true, get: () => width },
    scrollTo: {
      configurable: true,
      value(this: HTMLUListElement, { left }: { left: number }) {
        this.scrollLeft = left;
        fireEvent.scroll(this);
      },
    },
  });
});
afterEach(() => {
  for (const name of ['clientWidth', 'scrollTo']) Reflect.deleteProperty(HTMLUListElement.prototype, name);
});
const show = async (own = 3, shown = pictures) => {
  const part = renderPart(<Gallery pictures={shown} own={own} category={category} title="Drains" />);
  const gallery = within(await screen.findByLabelText('Photos'));
  return { ...part, gallery, counter: () => gallery.getByText(/^\d \/ \d$/).textContent };
};

test('the buttons and arrow keys lead around all photos, and a thumbnail to its own', async () => {
  const { user, gallery, counter } = await show();
  expect(counter()).toBe('1 / 3');
  await user.click(gallery.getByLabelText('Previous photo'));
  expect(counter()).toBe('3 / 3');
  await user.click(gallery.getByLabelText('Next photo'));
  expect(counter()).toBe('1 / 3');
  await user.keyboard('{ArrowRight}');
  expect(counter()).toBe('2 / 3');
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(counter()).toBe('3 / 3');
  await user.click(gallery.getByLabelText('Photo 2 of 3'));
  expect(counter()).toBe('2 / 3');
  expect(gallery.getByLabelText('Photo 2 of 3').getAttribute('aria-current')).toBe('true');
  expect(gallery.getByLabelText('Photo 1 of 3').getAttribute('aria-current')).toBeNull();
  const reachable = [...document.querySelectorAll('button[aria-label$="Show full screen"]')].map((one) => (one as HTMLElement).tabIndex);
  expect(reachable).toEqual([-1, 0, -1]);
});

test('a customer’s photo says so, and the business’s do not', async () => {
  const { user, gallery } = await show(2);
  expect(gallery.queryByText('From a customer')).toBeNull();
  await user.click(gallery.getByLabelText('Photo 2 of 3'));
  expect(gallery.queryByText('From a customer')).toBeNull();
  await user.click(gallery.getByLabelText('Next photo'));
  gallery.getByText('From a customer');
});

test('full screen opens at the shown photo, and closing it leads to the one shown last', async () => {
  const { user, gallery, counter } = await show(2);
  await user.click(gallery.getByLabelText('Photo 2 of 3'));
  await user.click(gallery.getByLabelText('Photo 2 of 3: sink. Show full screen'));
  const full = within(await screen.findByLabelText('Photos of Drains'));
  full.getByText('2 / 3');
  expect(full.queryByText('From a customer')).toBeNull();
  await user.click(full.getByLabelText('Next photo'));
  full.getByText('3 / 3');
  full.getByText('From a customer');
  await user.click(full.getByLabelText('Close'));
  await expect.poll(() => screen.queryByLabelText('Photos of Drains')).toBeNull();
  expect(counter()).toBe('3 / 3');
});

test('one photo has nothing to step to, and none is a drawing that says so', async () => {
  const { gallery, unmount } = await show(1, pictures.slice(0, 1));
  expect(gallery.queryByLabelText('Next photo')).toBeNull();
  unmount();
  renderPart(<Gallery pictures={[]} own={0} category={category} title="Drains" />);
  await screen.findByText('Our drawing for Plumbing. This business has not added photos yet.');
});
