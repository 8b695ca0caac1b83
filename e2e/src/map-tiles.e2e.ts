import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from './journey.ts';
import { secondServer } from './second-server.ts';

// A vector tile with one layer, `water`, whose only area covers the left half.
const vectorTile = Buffer.from('1a2078020a05776174657212121803220e0900001a802000008040ff1f000f288020', 'hex');
// A red picture of one pixel.
const pictureTile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWM4o6QEAALOAREP97XvAAAAAElFTkSuQmCC',
  'base64',
);

/** A small tile server, with what it was asked for. */
async function tileServer(type: string, tile: Buffer) {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(tile);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { asked, origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

// The second server and the tile server; what the page's policy refuses is still an error.
test.use({ provoked: /^http:\/\/(?:localhost|127\.0\.0\.1):\d+$/ });

const attribution = '<a href="https://tiles.example/">© Streets of Somewhere</a>';

test('an operator’s picture tiles lie under the pins, with their attribution @desk', async ({ page, baseURL }) => {
  const tiles = await tileServer('image/png', pictureTile);
  const site = await secondServer(baseURL ?? '', { MAP_TILES_URL: `${tiles.origin}/{z}/{x}/{y}.png`, MAP_ATTRIBUTION: attribution });
  try {
    await page.goto(`${site.address}/search?q=plumber&where=Hamilton`);
    const map = page.getByRole('region', { name: /^Map: / });
    await expect(map.getByRole('link', { name: '© Streets of Somewhere' })).toBeVisible();
    await expect(map.locator('img.leaflet-tile-loaded').first()).toBeVisible();
    expect(tiles.asked.every((path) => /^\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(true);
    await expect(map.locator('.leaflet-marker-pane').getByRole('button').first()).toBeVisible();
  } finally {
    await site.close();
    tiles.close();
  }
});

test('an operator’s vector tiles are drawn in the colours of the map, with our names of places @desk', async ({ page, baseURL }) => {
  const tiles = await tileServer('application/x-protobuf', vectorTile);
  const site = await secondServer(baseURL ?? '', { MAP_TILES_URL: `${tiles.origin}/{z}/{x}/{y}.pbf`, MAP_ATTRIBUTION: attribution });
  try {
    await page.goto(`${site.address}/search?q=plumber&where=Hamilton`);
    const map = page.getByRole('region', { name: /^Map: / });
    await expect(map.getByRole('link', { name: '© Streets of Somewhere' })).toBeVisible();
    const tile = map.locator('canvas.leaflet-tile-loaded').first();
    await expect(tile).toBeVisible();
    // Water on the left, ground on the right.
    const colours = await tile.evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const row = canvas.getContext('2d')?.getImageData(0, canvas.height / 2, canvas.width, 1).data ?? [];
      const at = (share: number) => [...row].slice(4 * Math.floor(canvas.width * share)).slice(0, 3);
      return [at(0.25), at(0.75)];
    });
    expect(colours).toEqual([
      [207, 228, 234],
      [247, 244, 236],
    ]);
    await expect(map.getByText('Hamilton', { exact: true }).first()).toBeVisible();
    await expect(map.locator('.leaflet-marker-pane').getByRole('button').first()).toBeVisible();
  } finally {
    await site.close();
    tiles.close();
  }
});
