// What stands in many answers is written once, and answers are put together from there.
const written = new WeakMap<object, string>();

/** Writes an object for all answers that it will stand in, and gives its JSON. It must not change afterwards. */
export function writeOnce(value: object): string {
  const json = JSON.stringify(value);
  written.set(value, json);
  return json;
}

/** An object with more fields: of one that is written these alone are still to be written. */
export function withMore<Value extends object, More extends object>(value: Value, more: More): Value & More {
  const whole = { ...value, ...more };
  const json = written.get(value);
  if (json !== undefined) written.set(whole, `{${[json, JSON.stringify(more)].flatMap((one) => one.slice(1, -1) || []).join(',')}}`);
  return whole;
}

/** The JSON of an answer, as `JSON.stringify` has it: lists of objects that are written are put together. */
export function jsonOf(answer: unknown): string {
  if (!isRecord(answer) || !Object.values(answer).some(isWritten)) return JSON.stringify(answer);
  const fields = Object.entries(answer).flatMap(([name, value]) => {
    const json = isWritten(value) ? `[${value.map((one) => written.get(one) ?? JSON.stringify(one)).join(',')}]` : JSON.stringify(value);
    return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`];
  });
  return `{${fields.join(',')}}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isWritten = (value: unknown): value is object[] => Array.isArray(value) && value.some((one) => isRecord(one) && written.has(one));
