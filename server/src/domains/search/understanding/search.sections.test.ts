import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { listPlacesByName } from '../../places/places.service.ts';

const { db, given, callers } = await testApp();
const { onHost } = callers;
const [electrical, plumbing, roofing, building, handyman] = [5, 6, 7, 4, 12];
const [electricians, gasFitting] = [501, 502];
const [residentialPlumbing, drainCleaning] = [601, 605];

const at = (name: string, market: 'NZ' | 'AU' = 'NZ') => {
  const [place] = listPlacesByName(name, market);
  if (!place?.districtCode || !place.localityCode) throw new Error(`no town ${name}`);
  return { district: place.districtCode, base: place.localityCode };
};

type Found = { title: string; section: string; km: number | undefined };
async function find(query: string, host = 'nz.localhost:3000') {
  const { status, body } = await onHost(host).get(
    `/search?${query.startsWith('q=') || query.includes('=') ? query : `q=${encodeURIComponent(query)}`}`,
  );
  expect([query, status]).toEqual([query, 200]);
  const shown: Found[] = body.listings.map((one: { serviceTitle: string; section: string; distanceKm?: number }) => ({
    title: one.serviceTitle,
    section: one.section,
    km: one.distanceKm,
  }));
  return {
    body,
    shown,
    titles: shown.map(({ title }) => title),
    of: (section: string) => shown.filter((one) => one.section === section).map(({ title }) => title),
  };
}

beforeEach(async () => {
  await db.deleteFrom('listings').execute();
});

describe('the sections of a search', () => {
  test('the work here, the same work further away with the nearest first, then other work of the group here', async () => {
    await given.listing({ title: 'Stoves', ...at('Ponsonby'), category: electrical, subCategory: gasFitting, plan: 'featured' });
    await given.listing({ title: 'Sparks here', ...at('Grey Lynn'), category: electrical, subCategory: electricians });
    await given.listing({ title: 'Sparks of Pukekohe', ...at('Pukekohe'), category: electrical, subCategory: electricians });
    await given.listing({ title: 'Sparks of Orewa', ...at('Ōrewa'), category: electrical, subCategory: electricians, plan: 'basic' });
    await given.listing({ title: 'Sparks of Bluff', ...at('Bluff'), category: electrical, subCategory: electricians, plan: 'featured' });
    const { body, shown, of } = await find('sparky in ponsonby');
    expect([of('match'), of('further'), of('related')]).toEqual([['Sparks here'], ['Sparks of Orewa', 'Sparks of Pukekohe'], ['Stoves']]);
    expect(shown.map(({ section }) => section)).toEqual(['match', 'further', 'further', 'related']);
    expect(shown.every(({ km }) => km !== undefined && km < 60)).toBe(true);
    expect(body.totalListings).toBe(1);
    expect(body.sections).toEqual([
      { key: 'match', heading: null, count: 1 },
      { key: 'further', heading: 'Electricians further away', count: 2 },
      { key: 'related', heading: 'Other electrical and gas businesses near Ponsonby', count: 1 },
    ]);
  });

  test('whoever does the whole of the work comes before those whose title names a part of it, whatever they paid', async () => {
    const here = { ...at('Grey Lynn'), category: electrical, subCategory: electricians };
    const { listing_number: pumps } = await given.listing({ title: 'Heat pumps supplied and installed', ...here, plan: 'featured' });
    await given.listing({ title: 'Solar panels', business: 'Sparky', ...here, plan: 'premium' });
    await given.listing({ title: 'Heat pump wiring and power points', ...here });
    await given.listing({ title: 'Registered electrician', ...here, plan: 'premium' });
    await given.listing({ title: 'Tidy and on time', ...here });
    const { body, titles } = await find('electrician in ponsonby');
    expect(titles).toEqual([
      'Registered electrician',
      'Tidy and on time',
      'Heat pump wiring and power points',
      'Heat pumps supplied and installed',
      'Solar panels',
    ]);
    const { why } = body.listings.find((one: { listingNumber: number }) => one.listingNumber === pumps);
    expect(why.level).toBe('category');
    expect((await find('heat pump in ponsonby')).titles[0]).toBe('Heat pumps supplied and installed');
    expect((await find('q=electrician in ponsonby&sort=newest')).titles[0]).toBe('Heat pumps supplied and installed');
    // A business of the name that was typed is first whatever it does.
    expect((await find('sparky')).titles[0]).toBe('Solar panels');
  });

  test('five matches are enough', async () => {
    for (let count = 1; count <= 5; count += 1)
      await given.listing({ title: `Sparks ${count}`, ...at('Grey Lynn'), category: electrical, subCategory: electricians });
    await given.listing({ title: 'Stoves', ...at('Ponsonby'), category: electrical, subCategory: gasFitting });
    await given.listing({ title: 'Sparks of Orewa', ...at('Ōrewa'), category: electrical, subCategory: electricians });
    const { body, shown } = await find('sparky in ponsonby');
    expect([shown.length, body.totalListings, body.sections.length]).toEqual([5, 5, 1]);
  });

  test('a typed place is never dropped and a typed work never replaced: without any within 100 km, other work here goes before it', async () => {
    await given.listing({ title: 'Stoves', ...at('Ponsonby'), category: electrical, subCategory: gasFitting, plan: 'featured' });
    await given.listing({ title: 'Sparks of Bluff', ...at('Bluff'), category: electrical, subCategory: electricians });
    await given.listing({ title: 'Sparks of Karori', ...at('Karori'), category: electrical, subCategory: electricians });
    await given.listing({
      title: 'Sparks of Bondi',
      ...at('Bondi', 'AU'),
      category: electrical,
      subCategory: electricians,
      plan: 'featured',
    });
    const { body, titles } = await find('sparky in ponsonby');
    expect(titles).toEqual(['Stoves', 'Sparks of Karori', 'Sparks of Bluff']);
    expect(body.sections.map(({ key }: { key: string }) => key)).toEqual(['match', 'related', 'further']);
    expect(body).toMatchObject({
      totalListings: 0,
      understood: { place: 'Ponsonby, Auckland', subCategory: 'Electricians', nobody: null, widened: [] },
    });
  });

  test('a business without a base is as far away as its district', async () => {
    const sparks = { category: electrical, subCategory: electricians };
    await given.listing({ title: 'Sparks of Bluff', ...at('Bluff'), ...sparks, plan: 'featured' });
    await given.listing({ title: 'Sparks of Taupō district', district: at('Acacia Bay').district, ...sparks, plan: 'basic' });
    await given.listing({ title: 'Sparks of Invercargill', district: at('Bluff').district, ...sparks, plan: 'basic' });
    await given.listing({ title: 'Sparks of Karori', ...at('Karori'), ...sparks });
    expect((await find('sparky in ponsonby')).of('further').slice(0, 2)).toEqual(['Sparks of Taupō district', 'Sparks of Karori']);
  });

  test('where nobody in the country does it, the page says so and shows related work', async () => {
    await given.listing({ title: 'Roofs of Ponsonby', ...at('Ponsonby'), category: roofing });
    await given.listing({ title: 'Roofs of Karori', ...at('Karori'), category: roofing });
    const { body, titles } = await find('chimney sweep ponsonby');
    expect(titles[0]).toBe('Roofs of Ponsonby');
    expect(body.understood).toMatchObject({
      nobody: 'No chimney sweeps in New Zealand yet',
      category: 'Roofing',
      place: 'Ponsonby, Auckland',
    });
    await given.listing({ title: 'Chimney sweeping', ...at('Bluff'), category: handyman });
    expect((await find('chimney sweep ponsonby')).body.understood.nobody).toBeNull();
    expect((await find('chimney sweep ponsonby')).of('further')).toEqual(['Chimney sweeping']);
  });

  test('without a place there is no further section', async () => {
    await given.listing({ title: 'Sparks of Bluff', ...at('Bluff'), category: electrical, subCategory: electricians });
    const { body, shown } = await find('sparky');
    expect([shown.map(({ section }) => section), body.totalListings, body.understood.place]).toEqual([['match'], 1, 'New Zealand']);
  });

  test('who travels here from far away comes after those who are closer, whatever they paid', async () => {
    await given.listing({
      title: 'Sparks on wheels',
      ...at('Cambridge'),
      radiusKm: 200,
      category: electrical,
      subCategory: electricians,
      plan: 'featured',
    });
    await given.listing({ title: 'Sparks here', ...at('Grey Lynn'), category: electrical, subCategory: electricians });
    await given.listing({ title: 'Sparks of Orewa', ...at('Ōrewa'), category: electrical, subCategory: electricians });
    expect((await find('sparky in ponsonby')).titles).toEqual(['Sparks here', 'Sparks of Orewa', 'Sparks on wheels']);
  });
});

describe('the order of a section', () => {
  test('what names the work comes before what mentions it, and a paid plan counts within a level only', async () => {
    const here = { ...at('Ponsonby'), category: electrical, subCategory: electricians };
    await given.listing({ title: 'Wiring', ...here, plan: 'featured' });
    await given.listing({ title: 'Pumps for any heat', ...here, plan: 'featured' });
    await given.listing({ title: 'Heat pump service', ...here, plan: 'basic' });
    await given.listing({ title: 'Sparks', ...here, services: ['Heat pumps'], plan: 'premium' });
    const { titles } = await find('heat pump ponsonby');
    expect(titles).toEqual(['Sparks', 'Heat pump service', 'Pumps for any heat', 'Wiring']);
    const { body } = await find('heat pump ponsonby');
    expect(body.listings.map((one: { why: { level: string } }) => one.why.level)).toEqual(['names', 'names', 'mentions', 'category']);
  });

  test('in other orders the level still comes first, and only what names the work can be a paid placement', async () => {
    const here = { ...at('Ponsonby'), category: electrical, subCategory: electricians };
    await given.listing({ title: 'Wiring', ...here, plan: 'featured' });
    await given.listing({ title: 'Heat pump service', ...here });
    await given.listing({ title: 'Heat pumps, paid', ...here, plan: 'featured' });
    await given.listing({ title: 'Heat pumps, newest', ...here });
    const { body, titles } = await find('q=heat pump ponsonby&sort=newest');
    expect(titles).toEqual(['Heat pumps, paid', 'Heat pumps, newest', 'Heat pump service', 'Wiring']);
    expect(body.listings.map((one: { paidPlacement?: boolean }) => one.paidPlacement === true)).toEqual([true, false, false, false]);
  });

  test('a plumber of any kind unblocks drains, those whose work it is first', async () => {
    await given.listing({ title: 'Taps', ...at('Ponsonby'), category: plumbing, subCategory: residentialPlumbing, plan: 'featured' });
    await given.listing({ title: 'Pipes', ...at('Grey Lynn'), category: plumbing, subCategory: drainCleaning });
    const { body, titles } = await find('blocked drain ponsonby');
    expect(titles).toEqual(['Pipes', 'Taps']);
    expect(body).toMatchObject({ totalListings: 2, understood: { category: 'Plumbing', subCategory: 'Drain cleaning' } });
  });

  test('where a trade is rare, others that name it count as well, after it', async () => {
    await given.listing({ title: 'Pipes', ...at('Ponsonby'), category: plumbing, services: ['Gas fitting'], plan: 'featured' });
    await given.listing({ title: 'Flues', ...at('Grey Lynn'), category: electrical, subCategory: gasFitting });
    const { body, titles, of } = await find('gasfitter ponsonby');
    expect([titles, of('match'), body.totalListings]).toEqual([['Flues', 'Pipes'], ['Flues', 'Pipes'], 2]);
    const flues = (count: number) =>
      given.listing({ title: `Flues ${count}`, ...at('Grey Lynn'), category: electrical, subCategory: gasFitting });
    for (let count = 1; count <= 3; count += 1) await flues(count);
    expect((await find('gasfitter ponsonby')).of('match')).toContain('Pipes');
    await flues(4);
    expect((await find('gasfitter ponsonby')).titles).not.toContain('Pipes');
  });

  test('whether a trade is rare is known without the filters, for the facets too', async () => {
    await given.listing({ title: 'Pipes', ...at('Ponsonby'), category: plumbing, services: ['Gas fitting'] });
    for (let count = 1; count <= 5; count += 1)
      await given.listing({ title: `Flues ${count}`, ...at('Grey Lynn'), category: electrical, subCategory: gasFitting });
    const priced = db.updateTable('listings').set({ price_from_minor: 5_000, price_unit: 'hour' });
    await priced.where('service_title', 'in', ['Pipes', 'Flues 1', 'Flues 2']).execute();
    const { body, of } = await find('q=gasfitter ponsonby&maxPrice=50');
    expect(of('match').toSorted()).toEqual(['Flues 1', 'Flues 2']);
    expect(body.facets.maxPrice[0]).toEqual({ value: 50, total: 2 });
  });

  test('those of another trade are found by the districts that they serve', async () => {
    const { district, base } = at('Ponsonby');
    const pipes = { title: 'Pipes', district: at('Huntly').district, category: plumbing, services: ['Gas fitting'] };
    await given.listing({ ...pipes, serviceDistricts: [pipes.district, district] });
    await given.listing({ title: 'Flues', district, base, category: electrical, subCategory: gasFitting });
    expect((await find('gasfitter ponsonby')).of('match')).toEqual(['Flues', 'Pipes']);
  });

  test('a builder for a granny flat is a builder, those who build them first', async () => {
    await given.listing({ title: 'Houses', ...at('Ponsonby'), category: building, plan: 'featured' });
    await given.listing({ title: 'Granny flats', ...at('Ponsonby'), category: building });
    expect((await find('builder for granny flat ponsonby')).titles).toEqual(['Granny flats', 'Houses']);
  });

  test('the words that are left say who comes first, and those that nobody has are named', async () => {
    const here = { ...at('Ponsonby'), category: plumbing };
    await given.listing({ title: 'Taps', ...here, plan: 'featured' });
    await given.listing({ title: 'Taps and cisterns of Zorblatt', ...here });
    const { body, titles } = await find('zorblatt unicorn plumber ponsonby');
    expect(titles).toEqual(['Taps and cisterns of Zorblatt', 'Taps']);
    expect(body.understood).toMatchObject({ words: 'zorblatt', widened: ['without “unicorn”'], place: 'Ponsonby, Auckland' });
  });

  test('a place keeps, with the words that nobody there has left out', async () => {
    await given.listing({ title: 'Taps', ...at('Ponsonby'), category: plumbing });
    await given.listing({ title: 'Zorblatt', ...at('Karori'), category: plumbing });
    const { body, titles } = await find('quincunx ponsonby');
    expect([titles, body.understood.place, body.understood.widened]).toEqual([['Taps'], 'Ponsonby, Auckland', ['without “quincunx”']]);
    expect((await find('zorblatt ponsonby')).titles).toEqual(['Zorblatt']);
    expect((await find('q=quincunx&category=plumbing&raw=1')).body).toMatchObject({ totalListings: 0, understood: { widened: [] } });
  });
});

describe('a business by its name', () => {
  test('comes first whatever anyone paid and whatever else was read', async () => {
    await given.listing({ title: 'Taps', business: 'Karori Pipes', ...at('Ponsonby'), category: plumbing, plan: 'featured' });
    await given.listing({ title: 'Odd jobs', business: 'Ponsonby Plumbing Ltd', ...at('Bluff'), category: handyman });
    expect((await find('Ponsonby Plumbing')).titles).toEqual(['Odd jobs', 'Taps']);
    for (const text of ['ponsonby plumbing ltd', 'ponsonby plumbing limited', 'PonsonbyPlumbing'])
      expect([text, (await find(text)).titles[0]]).toEqual([text, 'Odd jobs']);
    expect((await find('plumber ponsonby')).titles[0]).toBe('Taps');
    expect((await find('q=Ponsonby Plumbing&category=plumbing')).titles).not.toContain('Odd jobs');
    expect((await find('Ponsonby Plumbing', 'au.localhost:3000')).titles).not.toContain('Odd jobs');
  });

  test('of several with the name the highest plans come first, three at most', async () => {
    const sparks = { business: 'Ponsonby Plumbing', ...at('Bluff'), category: electrical };
    await given.listing({ title: 'Taps', ...at('Ponsonby'), category: plumbing, plan: 'featured' });
    for (const title of ['One', 'Two', 'Three']) await given.listing({ title, ...sparks });
    await given.listing({ title: 'Four', ...sparks, plan: 'premium' });
    expect((await find('Ponsonby Plumbing')).titles).toEqual(['Four', 'Three', 'Two', 'Taps']);
  });
});

describe('the distances of a search', () => {
  test('are from the place that was typed, or not shown', async () => {
    await given.listing({ title: 'Taps of Karori', ...at('Karori'), category: plumbing });
    await given.listing({ title: 'Taps of Raglan', ...at('Raglan'), category: plumbing });
    expect((await find('plumber karori')).shown[0]?.km).toBe(0);
    expect((await find('plumber wellington')).shown[0]?.km).toBeGreaterThan(1);
    // A region without a city of its name has no middle.
    expect((await find('plumber waikato')).shown[0]).toMatchObject({ title: 'Taps of Raglan', km: undefined });
    expect((await find('plumber')).shown.map(({ km }) => km)).toEqual([undefined, undefined]);
  });

  test('within a plan, the nearest to a town’s middle comes first', async () => {
    await given.listing({ title: 'Taps in the middle', ...at('Hamilton Central'), category: plumbing });
    await given.listing({ title: 'Taps at the edge', ...at('Rototuna'), category: plumbing });
    expect((await find('plumber hamilton')).titles).toEqual(['Taps in the middle', 'Taps at the edge']);
  });
});

describe('wishes', () => {
  const price = (listing: { listing_number: number }, dollars: number) =>
    db
      .updateTable('listings')
      .set({ price_from_minor: dollars * 100, price_unit: 'hour' })
      .where('listing_number', '=', listing.listing_number)
      .execute();

  test('a price becomes the filter of that name', async () => {
    await price(await given.listing({ title: 'Dear', ...at('Ponsonby'), category: handyman, plan: 'featured' }), 90);
    for (const title of ['Fair', 'Fairer', 'Fairest'])
      await price(await given.listing({ title, ...at('Ponsonby'), category: handyman }), 55);
    const { body, titles } = await find('cheap handyman under $60 an hour ponsonby');
    expect(titles).toEqual(['Fairest', 'Fairer', 'Fair']);
    expect(body.understood).toMatchObject({
      words: '',
      wishes: [
        { text: 'cheap', filter: 'sort=price', isOffer: true, isFirst: false },
        { text: 'under $60 an hour', filter: 'maxPrice=60', isOffer: false, isFirst: false },
      ],
    });
  });

  test('where few fulfil a wish they come first and the others follow, because they may not say', async () => {
    await given.listing({ title: 'Silent', ...at('Ponsonby'), category: handyman, plan: 'featured' });
    await price(await given.listing({ title: 'Fair', ...at('Ponsonby'), category: handyman }), 55);
    const { body, titles } = await find('handyman under $60 ponsonby');
    expect([titles, body.totalListings]).toEqual([['Fair', 'Silent'], 2]);
    expect(body.understood).toMatchObject({ widened: [], wishes: [{ text: 'under $60', filter: null, isFirst: true }] });
  });

  test('a filter that leaves nothing is left out in the open, unless it was chosen', async () => {
    await price(await given.listing({ title: 'Dear', ...at('Ponsonby'), category: handyman }), 90);
    const typed = await find('handyman under $60 ponsonby');
    expect(typed.titles).toEqual(['Dear']);
    expect(typed.body.understood).toMatchObject({ widened: ['without “under $60”'], wishes: [{ text: 'under $60', filter: null }] });
    const chosen = await find('q=handyman ponsonby&maxPrice=60');
    expect([chosen.titles, chosen.body.totalListings]).toEqual([[], 0]);
    // What each choice would find without it.
    expect(chosen.body.facets.maxPrice).toContainEqual({ value: 100, total: 1 });
  });

  test('urgency puts emergency call-outs first within a level', async () => {
    await given.listing({ title: 'Sparks by day', ...at('Ponsonby'), category: electrical, subCategory: electricians, plan: 'featured' });
    const { listing_number: number } = await given.listing({
      title: 'Sparks at night',
      ...at('Ponsonby'),
      category: electrical,
      subCategory: electricians,
    });
    await db.updateTable('listings').set({ emergency: true }).where('listing_number', '=', number).execute();
    expect((await find('electrician ponsonby')).titles).toEqual(['Sparks by day', 'Sparks at night']);
    for (const word of ['tonight', 'urgent', 'asap', '24/7', 'after hours', 'emergency', 'now'])
      expect([word, (await find(`electrician ${word} ponsonby`)).titles]).toEqual([word, ['Sparks at night', 'Sparks by day']]);
  });

  test('a day puts businesses that are open then first within a level', async () => {
    await given.listing({
      title: 'Sparks on weekdays',
      ...at('Ponsonby'),
      category: electrical,
      subCategory: electricians,
      plan: 'featured',
    });
    const { listing_number: number } = await given.listing({
      title: 'Sparks on Sundays',
      ...at('Ponsonby'),
      category: electrical,
      subCategory: electricians,
    });
    const hours = JSON.stringify({ sun: ['08:00', '12:00'] });
    await db.updateTable('listings').set({ hours }).where('listing_number', '=', number).execute();
    expect((await find('electrician ponsonby')).titles[0]).toBe('Sparks on weekdays');
    for (const time of ['on Sunday', 'this weekend', 'sunday morning']) {
      const { titles, body } = await find(`electrician ${time} ponsonby`);
      expect([time, titles]).toEqual([time, ['Sparks on Sundays', 'Sparks on weekdays']]);
      expect(body.understood.wishes).toEqual([{ text: time, filter: null, isOffer: false, isFirst: true }]);
    }
    expect((await find('electrician on Monday ponsonby')).titles[0]).toBe('Sparks on weekdays');
  });

  test('today puts businesses that have time this week first', async () => {
    const here = { ...at('Ponsonby'), category: plumbing };
    await given.listing({ title: 'Busy taps', ...here, plan: 'featured' });
    const { listing_number: number } = await given.listing({ title: 'Free taps', ...here });
    const [from, until] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
    await db.updateTable('listings').set({ available_from: from, available_until: until }).where('listing_number', '=', number).execute();
    expect((await find('plumber ponsonby')).titles[0]).toBe('Busy taps');
    expect((await find('plumber today ponsonby')).titles[0]).toBe('Free taps');
  });

  test('“insured” and “licensed” are filters, which few pass come first', async () => {
    const here = { ...at('Ponsonby'), category: plumbing };
    for (const title of ['One', 'Two', 'Three']) {
      const { listing_number: number } = await given.listing({ title: `${title} insured`, ...here });
      await db.updateTable('listings').set({ insured: true }).where('listing_number', '=', number).execute();
    }
    await given.listing({ title: 'Not said', ...here, plan: 'featured' });
    const { titles, body } = await find('insured plumber ponsonby');
    expect(titles.toSorted()).toEqual(['One insured', 'Three insured', 'Two insured']);
    expect(body.understood.wishes).toEqual([{ text: 'insured', filter: 'insured=1', isOffer: false, isFirst: false }]);
    expect(body.facets.insured).toBe(3);
    expect((await find('q=plumber ponsonby&insured=1')).titles).toHaveLength(3);
    expect((await find('licensed plumber ponsonby')).titles).toHaveLength(4);
  });

  test('a time that listings say nothing about is shown and changes nothing', async () => {
    await given.listing({ title: 'Roofs of Nelson', ...at('Richmond, Nelson'), category: roofing });
    const plain = await find('roofer nelson');
    const wished = await find('roofer nelson next month');
    expect(wished.titles).toEqual(plain.titles);
    expect(wished.body.understood.wishes).toEqual([{ text: 'next month', filter: null, isOffer: false, isFirst: false }]);
    expect(wished.body.understood.widened).toEqual([]);
  });

  test('quality is offered as an order and changes nothing by itself', async () => {
    await given.listing({ title: 'Roofs of Nelson', ...at('Richmond, Nelson'), category: roofing });
    const { body } = await find('best rated roofer nelson');
    expect(body.understood.wishes).toEqual([{ text: 'best rated', filter: 'sort=rating', isOffer: true, isFirst: false }]);
  });

  test('“cheap” offers the order by price, lowest first, those without one last', async () => {
    const here = { ...at('Ponsonby'), category: plumbing };
    for (const [title, price] of [
      ['Dear taps', 20_000],
      ['Taps without a price', null],
      ['Cheap taps', 5_000],
    ] as const) {
      const { listing_number: number } = await given.listing({ title, ...here });
      const unit = price === null ? null : 'hour';
      await db.updateTable('listings').set({ price_from_minor: price, price_unit: unit }).where('listing_number', '=', number).execute();
    }
    const { body } = await find('cheapest plumber ponsonby');
    expect(body.understood.wishes).toEqual([{ text: 'cheapest', filter: 'sort=price', isOffer: true, isFirst: false }]);
    expect((await find('q=plumber ponsonby&sort=price')).titles).toEqual(['Cheap taps', 'Dear taps', 'Taps without a price']);
  });

  test('are words again when they are searched exactly as typed', async () => {
    await given.listing({ title: 'Taps tonight', ...at('Ponsonby'), category: plumbing });
    await given.listing({ title: 'Taps', ...at('Ponsonby'), category: plumbing });
    const { body, titles } = await find('q=taps tonight&raw=1');
    expect([titles, body.understood.wishes]).toEqual([['Taps tonight'], []]);
  });
});
