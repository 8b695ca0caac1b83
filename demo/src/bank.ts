import type { SceneKind } from './pictures.ts';

/**
 * What is written about one kind of work. In every text {b} is the business, {t} the town, {r} the region, {o} the
 * owner's first name and {y} a number of years.
 */
export type Bank = {
  scenes: readonly SceneKind[];
  /** Titles without a place. */
  heads: readonly string[];
  /** The first sentence of a description: what a card shows. */
  leads: readonly string[];
  facts: readonly string[];
  services: readonly string[];
  praise: readonly string[];
  /** What a customer asks for, to follow "I need". */
  asks: readonly string[];
};

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const bank = (scenes: readonly SceneKind[], texts: Record<Exclude<keyof Bank, 'scenes'>, string>): Bank => ({
  scenes,
  heads: lines(texts.heads),
  leads: lines(texts.leads),
  facts: lines(texts.facts),
  services: texts.services.split(',').map((service) => service.trim()),
  praise: lines(texts.praise),
  asks: lines(texts.asks),
});
