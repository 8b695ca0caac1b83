/**
 * Assembles functions of WebAssembly written in its text format, as far as kernels.wat needs it: one imported memory, functions of integers, and
 * instructions in their folded form.
 */
type Node = string | Node[];

/** What an instruction is encoded as, and where it reaches into memory the alignment of that as a power of two. */
const simple: Record<string, readonly [code: number, align?: number]> = {
  'i32.load': [0x28, 2],
  'i64.load': [0x29, 3],
  'i32.load8_u': [0x2d, 0],
  'i32.load16_u': [0x2f, 1],
  'i32.store': [0x36, 2],
  'i32.store16': [0x3b, 1],
  'i64.store': [0x37, 3],
  'i32.eqz': [0x45],
  'i32.lt_u': [0x49],
  'i32.gt_u': [0x4b],
  'i32.ge_u': [0x4f],
  'i64.eqz': [0x50],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.shl': [0x74],
  'i32.shr_u': [0x76],
  'i64.ctz': [0x7a],
  'i64.popcnt': [0x7b],
  'i64.add': [0x7c],
  'i64.sub': [0x7d],
  'i64.and': [0x83],
  'i64.or': [0x84],
  'i64.xor': [0x85],
  'i64.shl': [0x86],
  'i32.wrap_i64': [0xa7],
  'i64.extend_i32_u': [0xad],
};
const types: Record<string, number> = { i32: 0x7f, i64: 0x7e };
const start = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const nothing = 0x40;
const end = 0x0b;

/** The nodes of a text: lists in brackets, words, and quoted names without their quotes. */
function parse(text: string): Node[] {
  const tokens = text.replace(/;;.*/g, '').match(/[()]|"[^"]*"|[^\s()]+/g) ?? [];
  const open: Node[][] = [[]];
  for (const token of tokens) {
    if (token === '(') open.push([]);
    else if (token === ')') open.at(-2)?.push(open.pop() ?? []);
    else open.at(-1)?.push(token.replaceAll('"', ''));
  }
  return open[0] ?? [];
}

const unsigned = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);
function signed(value: number): number[] {
  const [low, rest] = [value & 0x7f, value >> 7];
  return (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40) ? [low] : [low | 0x80, ...signed(rest)];
}
const list = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const named = (name: string) => [...unsigned(name.length), ...Buffer.from(name)];
const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content];

const isList = (node: Node): node is Node[] => Array.isArray(node);
const word = (node: Node | undefined) => {
  if (typeof node !== 'string') throw new Error(`a word is missing: ${JSON.stringify(node)}`);
  return node;
};
const typeOf = (node: Node | undefined) => {
  const type = types[word(node)];
  if (type === undefined) throw new Error(`no type: ${word(node)}`);
  return type;
};

/** Functions of a module in the text format as bytes. */
export function assemble(text: string): Uint8Array<ArrayBuffer> {
  const parts = parse(text).filter(isList);
  const imported = parts.find(([kind]) => kind === 'import') ?? [];
  const functions = parts.filter(([kind]) => kind === 'func').map(functionOf);
  const [, from, name, memory] = imported;
  const [, least, most] = memory as Node[];
  return Uint8Array.from([
    ...start,
    ...section(1, list(functions.map(({ type }) => type))),
    // A memory that is shared, and has a most.
    ...section(2, list([[...named(word(from)), ...named(word(name)), 2, 3, ...unsigned(Number(least)), ...unsigned(Number(most))]])),
    ...section(3, list(functions.map((_, index) => unsigned(index)))),
    ...section(7, list(functions.map(({ exported }, index) => [...named(exported), 0, ...unsigned(index)]))),
    ...section(10, list(functions.map(({ body }) => [...unsigned(body.length), ...body]))),
  ]);
}

function functionOf([, ...nodes]: Node[]) {
  const declared = (kind: string) => nodes.filter(isList).filter((node) => node[0] === kind);
  const [params, results, locals] = [declared('param'), declared('result'), declared('local')];
  const places = new Map([...params, ...locals].map(([, name], place) => [word(name), place]));
  const body = nodes.filter(isList).filter(([kind]) => !['export', 'param', 'result', 'local'].includes(word(kind)));
  return {
    exported: word(declared('export')[0]?.[1]),
    type: [0x60, ...list(params.map(([, , type]) => [typeOf(type)])), ...list(results.map(([, type]) => [typeOf(type)]))],
    body: [...list(locals.map(([, , type]) => [1, typeOf(type)])), ...body.flatMap((node) => instruction(node, places, [])), end],
  };
}

/** An instruction behind what it takes. `labels` are those of the blocks around it, the innermost first. */
function instruction(node: Node[], places: ReadonlyMap<string, number>, labels: readonly string[]): number[] {
  const [kind, ...rest] = node;
  const name = word(kind);
  const inner = (nodes: readonly Node[], around = labels) => nodes.filter(isList).flatMap((one) => instruction(one, places, around));
  const [first = ''] = rest;
  const placeOf = () => unsigned(places.get(word(first)) ?? fail(node));
  const labelOf = () => unsigned(labels.includes(word(first)) ? labels.indexOf(word(first)) : fail(node));
  switch (name) {
    case 'local.get':
      return [0x20, ...placeOf()];
    case 'local.set':
      return [...inner(rest), 0x21, ...placeOf()];
    case 'local.tee':
      return [...inner(rest), 0x22, ...placeOf()];
    case 'i32.const':
      return [0x41, ...signed(Number(first))];
    case 'i64.const':
      return [0x42, ...signed(Number(first))];
    case 'block':
    case 'loop':
      return [name === 'loop' ? 0x03 : 0x02, nothing, ...inner(rest, [word(first), ...labels]), end];
    case 'br':
      return [0x0c, ...labelOf()];
    case 'br_if':
      return [...inner(rest), 0x0d, ...labelOf()];
    default: {
      const [code, align] = simple[name] ?? fail(node);
      return [...inner(rest), code, ...(align === undefined ? [] : [align, ...unsigned(offsetOf(first))])];
    }
  }
}

/** How many bytes behind its place a load or store reaches: as "offset=8" says, else none. */
const offsetOf = (given: Node): number =>
  typeof given === 'string' && given.startsWith('offset=') ? Number(given.slice('offset='.length)) : 0;

function fail(node: Node): never {
  throw new Error(`cannot be assembled: ${JSON.stringify(node)}`);
}
