type Box = { left: number; top: number; right: number; bottom: number };

/** A text at a point of the map, in pixels: over its middle, or `gap` beside it. */
export type Label<Item> = { item: Item; text: string; x: number; y: number; side: 'left' | 'right' | 'middle'; gap?: number };

// Pixels: the average width of a letter in the map's labels.
const letterWidth = 7;
const height = 20;
const defaultGap = 12;

/** The width of a text in the map's labels. */
export const getWidth = (text: string) => Math.ceil(text.length * letterWidth) + 8;

/** The side of a pin that has room for its name. */
export const getLabelSide = (text: string, x: number, mapWidth: number, gap = defaultGap): 'left' | 'right' =>
  x + gap + getWidth(text) > mapWidth ? 'left' : 'right';

const getBox = ({ text, x, y, side, gap = defaultGap }: Omit<Label<unknown>, 'item'>): Box => {
  const width = getWidth(text);
  const left = { left: x - gap - width, right: x + gap, middle: x - width / 2 }[side];
  return { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
};

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The space that is taken on a map. */
export class LabelSpace {
  readonly #taken: Box[] = [];

  /** A mark, such as a pin. */
  takeMark(x: number, y: number, halfWidth: number, halfHeight = halfWidth) {
    this.#taken.push({ left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight });
  }

  /** The labels that overlap neither marks nor each other, earlier ones first. A label without room may move up or down by `shifts`. */
  place<Item>(labels: readonly Label<Item>[], { most = Infinity, shifts = [0] } = {}): { item: Item; shift: number }[] {
    const placed: { item: Item; shift: number }[] = [];
    for (const label of labels) {
      if (placed.length >= most) break;
      const shift = shifts.find((one) => {
        const box = getBox({ ...label, y: label.y + one });
        return !this.#taken.some((taken) => overlap(taken, box));
      });
      if (shift === undefined) continue;
      this.#taken.push(getBox({ ...label, y: label.y + shift }));
      placed.push({ item: label.item, shift });
    }
    return placed;
  }
}
