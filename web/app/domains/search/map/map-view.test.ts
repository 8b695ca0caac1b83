import { expect, test } from 'vitest';
import { frameOf, pinsOf, project, ratio } from './map-view.ts';

const place = (name: string, latitude: number, longitude: number, total = 1) => ({
  name,
  latitude,
  longitude,
  total,
  country: 'NZ' as const,
});
const auckland = place('Auckland', -36.85, 174.76, 900);
const hamilton = place('Hamilton', -37.79, 175.28, 400);
const tauranga = place('Tauranga', -37.69, 176.17, 300);
const waitangi = place('Waitangi', -43.95, -176.56, 2);
const perth = { ...place('Perth', -31.95, 115.86, 500), country: 'AU' as const };

test('the drawing has east on the right, south below, and the Chatham Islands east of 180°', () => {
  expect(project(hamilton).x).toBeGreaterThan(project(auckland).x);
  expect(project(hamilton).y).toBeGreaterThan(project(auckland).y);
  expect(project(waitangi).x).toBeCloseTo(183.44 * 50);
  expect(project({ latitude: 0, longitude: 10 })).toEqual({ x: 500, y: expect.closeTo(0) });
  // By the formula of Mercator's projection.
  expect(project({ latitude: -45, longitude: 0 }).y).toBeCloseTo(50 * 50.4995, 0);
});

test.each([
  ['towns of a region', [auckland, hamilton, tauranga], false],
  ['one town', [hamilton], false],
  ['a country', [hamilton], true],
  ['both countries', [hamilton, perth], true],
])('a map of %s shows each of them, and has its shape', (_, places, isWhole) => {
  const frame = frameOf(places, isWhole);
  expect(frame.height / frame.width).toBeCloseTo(ratio);
  for (const pin of pinsOf(places, frame, String).pins) {
    expect(pin.left).toBeGreaterThan(5);
    expect(pin.left).toBeLessThan(95);
    expect(pin.top).toBeGreaterThan(5);
    expect(pin.top).toBeLessThan(95);
  }
});

test('a whole country is shown whole, wherever in it the listings are', () => {
  expect(frameOf([hamilton], true)).toEqual(frameOf([auckland, tauranga], true));
  expect(frameOf([hamilton], true).width).toBeGreaterThan(12 * 50);
  expect(frameOf([hamilton, perth], true).width).toBeGreaterThan(60 * 50);
  expect(frameOf([hamilton], false).width).toBeLessThan(50);
});

test('numbers come the greatest first, and where two would overlap the smaller moves aside', () => {
  const leamington = place('Leamington', -37.8, 175.29, 10);
  const frame = frameOf([auckland, hamilton, tauranga], false);
  const { pins, others } = pinsOf([leamington, tauranga, hamilton, auckland], frame, String);
  expect(pins.map((pin) => [pin.place.name, pin.isMoved])).toEqual([
    ['Auckland', false],
    ['Hamilton', false],
    ['Tauranga', false],
    ['Leamington', true],
  ]);
  expect(others).toEqual([]);
});

test('no two numbers overlap on the smallest phone, none leaves the map, and what has no room is said beside it', () => {
  const places = Array.from({ length: 60 }, (_, index) =>
    place(`Place ${index}`, -37.8 + (index % 8) / 90, 175.3 + index / 300, 1 + index * 7),
  );
  const { pins, others } = pinsOf(places, frameOf([auckland, hamilton, tauranga], false), String);
  expect(pins.length + others.length).toBe(60);
  expect(others.length).toBeGreaterThan(0);
  // 284 px wide and 1.1 times as high, a number 30 px high and 16 px with 8 px for each digit wide at least.
  const boxes = pins.map(({ left, top, place: { total } }) => ({
    x: left * 2.84,
    y: top * 2.84 * ratio,
    half: (16 + 8 * String(total).length) / 2,
  }));
  for (const [index, one] of boxes.entries()) {
    expect(Math.min(one.x - one.half, 284 - one.x - one.half, one.y - 15, 284 * ratio - one.y - 15)).toBeGreaterThanOrEqual(0);
    for (const other of boxes.slice(index + 1)) {
      expect(Math.abs(one.x - other.x) >= one.half + other.half || Math.abs(one.y - other.y) >= 30).toBe(true);
    }
  }
});

test('longer numbers need more room', () => {
  const near = [place('A', -37.8, 175, 2), place('B', -37.8, 175.3, 1)];
  const frame = frameOf([place('W', -37.8, 174.3), place('E', -37.8, 176)], false);
  expect(pinsOf(near, frame, String).pins.map((pin) => pin.isMoved)).toEqual([false, false]);
  expect(pinsOf(near, frame, () => '100,000').pins.map((pin) => pin.isMoved)).toEqual([false, true]);
});

test('a name stands towards the middle of the map', () => {
  const { pins } = pinsOf([auckland, hamilton, tauranga], frameOf([auckland, hamilton, tauranga], false), String);
  expect(pins.map((pin) => [pin.place.name, pin.nameTo])).toEqual([
    ['Auckland', 'right'],
    ['Hamilton', 'both'],
    ['Tauranga', 'left'],
  ]);
});
