const zone = 'Pacific/Auckland';
const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function partsOf(instant: number) {
  const parts = Object.fromEntries(clock.formatToParts(instant).map((part) => [part.type, Number(part.value)]));
  return {
    year: parts['year'] ?? 0,
    month: parts['month'] ?? 0,
    day: parts['day'] ?? 0,
    hour: parts['hour'] ?? 0,
    minute: parts['minute'] ?? 0,
    second: parts['second'] ?? 0,
  };
}

/** The instant at which a day begins in Auckland; months and days may lie outside of their range, as with `Date.UTC`. */
function midnight(year: number, month: number, day: number): number {
  const asUtc = Date.UTC(year, month - 1, day);
  let instant = asUtc - 12 * 3_600_000;
  // Twice, because the first guess may lie on the other side of a change of the clock.
  for (let pass = 0; pass < 2; pass++) {
    const shown = partsOf(instant);
    instant -= Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second) - asUtc;
  }
  return instant;
}

/** The beginnings, as instants in ms, of today and of this and the last month on Auckland's clock. */
export function aucklandDays(now: Date): { today: number; thisMonth: number; lastMonth: number } {
  const { year, month, day } = partsOf(now.getTime());
  return { today: midnight(year, month, day), thisMonth: midnight(year, month, 1), lastMonth: midnight(year, month - 1, 1) };
}
