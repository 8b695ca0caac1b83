/** The top of a scale that has a whole number in its middle too. */
export function scaleTop(highest: number): number {
  for (let unit = 1; ; unit *= 10) for (const step of [4, 10, 20]) if (highest <= step * unit) return step * unit;
}
