import type { SceneKind } from './pictures.ts';

/** Texts about one kind of work. Placeholders: {b} business, {t} town, {r} region, {o} owner's first name, {y} years. */
export type Bank = {
  scenes: readonly SceneKind[];
  /** Titles without a place. */
  heads: readonly string[];
  /** First sentences of descriptions, which cards show. */
  leads: readonly string[];
  facts: readonly string[];
  services: readonly string[];
  praise: readonly string[];
  /** Continuations of "I need" in customers' messages. */
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
