// Preloaded into an app: its clock is wrong. `aheadMs`: by how much, or several such times, a second each. Timers are
// right, as they are after a real clock was set.
const shifts = (new URL(import.meta.url).searchParams.get('aheadMs') ?? '0').split(',').map(Number);

const rightNow = Date.now;
const wrongNow = (): number => rightNow() + (shifts[Math.floor(performance.now() / 1_000) % shifts.length] ?? 0);

globalThis.Date = new Proxy(Date, {
  get: (target, name, receiver) => (name === 'now' ? wrongNow : Reflect.get(target, name, receiver)),
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [wrongNow()] : given, newTarget),
});
