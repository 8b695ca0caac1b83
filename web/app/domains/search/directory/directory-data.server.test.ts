import { expect, test } from 'vitest';
import type { ServerContext } from '../../../lib/server-context.ts';
import { getDirectoryListData } from './directory-data.server.ts';

const facts = { listings: 3, reviews: 0, averageRating: 0, categories: [], regions: [] };
const answers: Record<string, object> = {
  'GET /facts': facts,
  'GET /listing/all': { listings: [], totalPages: 1, totalListings: 3, totalIsExact: true },
  'GET /search': { listings: [], totalPages: 1, totalListings: 3, totalIsExact: true },
  'GET /search/places': { places: [] },
};

/** What the page of plumbers in a place asks of the server, and what it offers. */
async function pageOf(region: string | undefined, town?: object) {
  const asked: [string, object][] = [];
  const call = async (address: string, { query }: { query: object }) => {
    asked.push([address, query]);
    return address === 'GET /search/town' ? town : answers[address];
  };
  const data = await getDirectoryListData({ call, market: null } as unknown as ServerContext, {
    category: 'plumbing',
    region,
    town: town && 'somewhere',
    page: null,
    sort: null,
  });
  return { alert: data?.alert, map: data?.map, asked };
}
const taupo = { slug: 'taupo', name: 'Taupō' };
const town = (near: string | null) => ({ name: 'Tūrangi', slug: 'turangi', district: taupo, near, nearby: [] });

test('the alert and the map of a list are for the same place as the list', async () => {
  const inCountry = await pageOf(undefined);
  expect(inCountry.alert).toBe('category=plumbing');
  expect(inCountry.map).toEqual({ category: 'plumbing', region: undefined, country: undefined });
  const inRegion = await pageOf('waikato');
  expect(inRegion.alert).toBe('category=plumbing&region=waikato');
  expect(inRegion.map).toMatchObject({ category: 'plumbing', region: 'waikato' });
  const inDistrict = await pageOf('waikato', town(null));
  expect(inDistrict.alert).toBe('category=plumbing&region=waikato&district=taupo');
  expect(inDistrict.map).toMatchObject({ region: 'waikato', district: 'taupo' });
  expect(inDistrict.asked).toContainEqual(['GET /listing/all', expect.objectContaining({ region: 'waikato', district: 'taupo' })]);
  const around = await pageOf('waikato', town('-38.99,175.81'));
  expect(around.alert).toBe('category=plumbing&near=-38.99%2C175.81');
  expect(around.map).toEqual({ category: 'plumbing', near: '-38.99,175.81' });
  expect(around.asked).toContainEqual(['GET /search', { category: 'plumbing', near: '-38.99,175.81', page: '1' }]);
});
