// Preloaded into a process to shift its clock by days.
const shiftMs = Number(process.env['SHIFTED_DAYS'] ?? 0) * 86_400_000;

globalThis.Date = new Proxy(Date, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + shiftMs] : args, newTarget) as Date,
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name) => (name === 'now' ? () => target.now() + shiftMs : (Reflect.get(target, name) as unknown)),
});
