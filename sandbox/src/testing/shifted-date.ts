// Preloaded into a process to shift its clock by days.
const shiftMs = Number(process.env['SHIFTED_DAYS'] ?? 0) * 86_400_000;

globalThis.Date = new Proxy(Date, {
  construct: (target, given: [], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + shiftMs] : given, newTarget) as Date,
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name) => (name === 'now' ? () => target.now() + shiftMs : (Reflect.get(target, name) as unknown)),
});
