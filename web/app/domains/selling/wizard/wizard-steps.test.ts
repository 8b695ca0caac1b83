import { expect, test } from 'vitest';
import { type Facts, getFirstStep, getNextStep, getStepPosition, getPreviousStep, getReachableStep, type Step } from './wizard-steps.ts';

const visitor = { signedIn: false, covered: false };
const member = { signedIn: true, covered: false };
const subscriber = { signedIn: true, covered: true };

test.each<[Step, typeof visitor, Step]>([
  ['business', visitor, 'plan'],
  ['plan', visitor, 'details'],
  ['details', visitor, 'sign-in'],
  ['details', member, 'payment'],
  ['details', subscriber, 'payment'],
  ['sign-in', visitor, 'sign-in'],
  ['sign-in', member, 'payment'],
  ['payment', member, 'creating'],
  ['creating', member, 'done'],
  ['done', member, 'done'],
])('leads from %s, %j, to %s', (step, facts, next) => {
  expect(getNextStep(step, facts)).toBe(next);
});

test.each<[Step, typeof visitor, Step | null]>([
  ['business', visitor, null],
  ['plan', visitor, 'business'],
  ['details', visitor, 'plan'],
  ['details', subscriber, 'plan'],
  ['sign-in', visitor, 'details'],
  ['payment', subscriber, 'business'],
  ['payment', member, 'details'],
  ['payment', visitor, 'sign-in'],
  ['creating', member, null],
  ['done', member, null],
])('leads back from %s, %j, to %s', (step, facts, previous) => {
  expect(getPreviousStep(step, facts)).toBe(previous);
});

const everything: Facts = { signedIn: true, covered: false, businessFilled: true, planChosen: true, listingFilled: true };

test.each<[Step, Partial<Facts>, Step]>([
  ['payment', {}, 'payment'],
  ['details', {}, 'details'],
  ['business', {}, 'business'],
  ['payment', { businessFilled: false }, 'business'],
  ['payment', { planChosen: false }, 'plan'],
  ['payment', { listingFilled: false }, 'details'],
  ['payment', { signedIn: false }, 'sign-in'],
  ['sign-in', {}, 'payment'],
  ['sign-in', { signedIn: false }, 'sign-in'],
  ['done', {}, 'payment'],
  ['creating', {}, 'payment'],
  ['plan', { businessFilled: false }, 'business'],
])('shows for %s with %j: %s', (wanted, facts, shown) => {
  expect(getReachableStep(wanted, { ...everything, ...facts })).toBe(shown);
});

test('starts at step 2 only with a subscription and a known business', () => {
  expect(getFirstStep({ covered: true, businessFilled: true })).toBe('plan');
  expect(getFirstStep({ covered: true, businessFilled: false })).toBe('business');
  expect(getFirstStep({ covered: false, businessFilled: true })).toBe('business');
});

test('counts creating as the fourth of five stages, and numbers the steps of a stage', () => {
  expect(getStepPosition('creating')).toEqual({ stage: 4, name: 'Creating Your Listing', part: 2, parts: 2, share: 0.8 });
  expect(getStepPosition('business')).toEqual({ stage: 1, name: 'Business Details', part: 1, parts: 1, share: 0.2 });
  expect(getStepPosition('plan')).toEqual({ stage: 2, name: 'Plan', part: 1, parts: 2, share: 0.3 });
  expect(getStepPosition('done')).toMatchObject({ part: 1, parts: 1, share: 1 });
});
