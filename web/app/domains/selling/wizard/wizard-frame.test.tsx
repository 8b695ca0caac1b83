import { Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadStepLater } from './wizard-frame.tsx';

async function htmlOf(load: Parameters<typeof loadStepLater<{ words: string }>>[0]) {
  const Step = loadStepLater(load);
  const stream = await renderToReadableStream(
    <Suspense>
      <Step words="Choose a plan" />
    </Suspense>,
  );
  await stream.allReady;
  return new Response(stream).text();
}

test('shows a step once its script has loaded', async () => {
  expect(
    await htmlOf(async () => ({ words }) => <p>{words}</p>),
  ).toContain('<p>Choose a plan</p>');
});

test('offers to try again if the script of a step does not load', async () => {
  const html = await htmlOf(() => Promise.reject(new Error('gone')));
  expect(html).toContain('This step could not be loaded. Nothing you typed is lost.');
  expect(html).toContain('Try Again');
});
