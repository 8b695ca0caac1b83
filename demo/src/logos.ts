import { randomFrom, getSeed } from './random.ts';

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The colour `share` of the way from `from` to `to`. */
function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  return `#${channels(from)
    .map((value, index) =>
      Math.round(value + ((target[index] ?? 0) - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** A logo of a trade's sign on the business's colour; deterministic. */
export type LogoChoice = { categoryCode: number; color: string; seed: string };

// SVG paths for a canvas of 160 × 160.
const signs: Record<number, readonly string[]> = {
  1: [
    'M80 34l9 30l30 9l-30 9l-9 30l-9 -30l-30 -9l30 -9ZM118 96l5 14l14 5l-14 5l-5 14l-5 -14l-14 -5l14 -5Z',
    'M50 116q-4 -44 30 -74q34 30 30 74q-30 14 -60 0Z',
  ],
  2: ['M80 36L126 76H114V122H46V76H34Z', 'M40 60h80v14h-80ZM48 82h64v40h-64ZM62 40h36v12h-36Z'],
  3: ['M80 32l42 15v32q0 34 -42 51q-42 -17 -42 -51v-32Z', 'M52 76v-12a28 28 0 0 1 56 0v12h8v50h-72v-50ZM64 76h32v-12a16 16 0 0 0 -32 0Z'],
  4: [
    'M36 122V78l44 -40l44 40v44h-28v-34h-32v34Z',
    'M34 118h92v10h-92ZM42 84h24v28h-24ZM70 84h48v28h-48ZM42 52h44v26h-44ZM90 52h28v26h-28Z',
  ],
  5: ['M90 28L46 90h28l-8 44l46 -64h-28Z', 'M80 34a34 34 0 0 1 20 62v14h-40v-14a34 34 0 0 1 20 -62ZM64 116h32v8h-32Z'],
  6: [
    'M80 30q40 48 40 70a40 36 0 0 1 -80 0q0 -22 40 -70Z',
    'M40 56h52v-16h16v16q18 0 18 22v18h-18v-14h-68ZM112 104q12 14 0 24q-12 -10 0 -24Z',
  ],
  7: ['M28 96L80 44l52 52l-10 10L80 64l-42 42ZM52 104l28 -28l28 28v20h-56Z'],
  8: ['M44 44h62v26h-62ZM106 52h14v32h-36v10h-8v-18h36v-16h-6ZM72 94h16v36h-16Z'],
  9: ['M40 40h36v36h-36ZM84 40h36v36h-36ZM40 84h36v36h-36ZM84 84h36v36h-36Z', 'M44 34h72v92h-72ZM54 44v72h52v-72Z'],
  10: [
    'M36 112h88v14h-88ZM44 92h72v14h-72ZM52 72h56v14h-56ZM60 52h40v14h-40Z',
    'M36 64h12v60h-12ZM60 54h12v70h-12ZM84 54h12v70h-12ZM108 64h12v60h-12ZM30 78h100v10h-100Z',
  ],
  11: ['M80 128q-6 -50 -46 -52q0 40 46 52q-4 -70 50 -86q10 62 -50 86Z', 'M80 30l30 40h-14l24 32h-32v26h-16v-26h-32l24 -32h-14Z'],
  12: [
    'M44 50a26 26 0 0 1 36 -10l-14 16l12 12l16 -14a26 26 0 0 1 -32 34l-24 40l-14 -10l28 -36a26 26 0 0 1 -8 -32Z',
    'M48 44h52q14 0 20 20h-34v-4h-10v66h-16v-66h-12Z',
  ],
};

export function drawLogo({ categoryCode, color, seed }: LogoChoice): string {
  const random = randomFrom(getSeed('logo', seed));
  const dark = mix(color, '#0f2a2e', random.between(0.25, 0.6));
  const shape = random.pick([
    '<rect width="160" height="160" fill="url(#g)"/>',
    '<rect width="160" height="160" fill="#fbfaf7"/><circle cx="80" cy="80" r="74" fill="url(#g)"/>',
    '<rect width="160" height="160" fill="url(#g)"/><circle cx="80" cy="80" r="66" fill="none" stroke="#ffffff" stroke-opacity="0.5" stroke-width="4"/>',
  ]);
  const sign = random.pick(signs[categoryCode] ?? signs[12] ?? []);
  const angle = random.int(0, 90);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160" viewBox="0 0 160 160"><defs><linearGradient id="g" gradientTransform="rotate(${angle} 0.5 0.5)"><stop stop-color="${mix(color, '#ffffff', 0.08)}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs>${shape}<path transform="translate(12 12) scale(0.85)" d="${sign}" fill="#ffffff" fill-rule="evenodd"/></svg>`;
}
