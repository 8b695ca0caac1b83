import { breakpoints, containerWidths } from './app/lib/breakpoints.ts';

/** The condition for each named width. */
const conditionsOf = (widths: Record<string, number>) =>
  new Map(
    Object.entries(widths).flatMap(([name, width]) => [
      [`--from-${name}`, `min-width: ${width}px`],
      [`--below-${name}`, `max-width: ${width - 0.02}px`],
    ]),
  );

const conditions = { media: conditionsOf(breakpoints), container: conditionsOf(containerWidths) };

type AtRule = { params: string; error(message: string): Error };

/** Replaces named widths in style sheets, and rejects widths without a name. */
export const namedWidths = {
  postcssPlugin: 'named-widths',
  Once(root: { walkAtRules(name: string, each: (rule: AtRule) => void): void }) {
    for (const [kind, named] of Object.entries(conditions)) {
      root.walkAtRules(kind, (rule) => {
        if (/width|inline-size/.test(rule.params)) throw rule.error('Widths are named: see app/lib/breakpoints.ts');
        rule.params = rule.params.replace(/--[\w-]+/g, (name) => {
          const condition = named.get(name);
          if (!condition) throw rule.error(`No width is called ${name}: see app/lib/breakpoints.ts`);
          return condition;
        });
      });
    }
  },
};
