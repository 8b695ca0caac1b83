import styles from './hero-paints.module.css';

// The colours of the street on the front page. What changes with the hour has a class; what the sun lights goes from lit to shaded.

type Paint = { name: string; stops: readonly (string | undefined)[]; along?: 'down' | 'across' | 'diagonal' };

const { skyTop, skyMiddle, skyLow, cloudTop, cloudLow, lightNear, none, lightFar } = styles;

const paints: readonly Paint[] = [
  { name: 'sky', stops: [skyTop, skyMiddle, skyLow] },
  { name: 'cloud', stops: [cloudTop, cloudLow] },
  { name: 'peakFar', stops: ['#b9d3dd', '#d3e3e2'] },
  { name: 'peak', stops: ['#8fb1c1', '#bcd5d6'] },
  { name: 'hillFar', stops: ['#9cc4a8', '#7fb094'] },
  { name: 'hill', stops: ['#7bb283', '#4f8f6c'] },
  { name: 'lawn', stops: ['#7fb56d', '#4f9160', '#3a7552'] },
  { name: 'road', stops: ['#d9cfbb', '#b9b0a0'] },
  { name: 'path', stops: ['#e8dcc4', '#cbbda2'] },
  { name: 'cream', stops: ['#f7efdc', '#ecdfc4', '#cdbf9f'], along: 'across' },
  { name: 'creamLit', stops: ['#fbf5e6', '#e6d8b9'], along: 'across' },
  { name: 'slate', stops: ['#8da6b0', '#7d97a2', '#5f7883'], along: 'across' },
  { name: 'slateLit', stops: ['#a5bac2', '#738c97'], along: 'across' },
  { name: 'sage', stops: ['#d3dfcf', '#bccdb9', '#97ab97'], along: 'across' },
  { name: 'sageLit', stops: ['#e0e9da', '#b2c4af'], along: 'across' },
  { name: 'rust', stops: ['#c47a5c', '#8f4a38'] },
  { name: 'iron', stops: ['#5c747c', '#33474f'] },
  { name: 'brick', stops: ['#bd6f55', '#7f4335'], along: 'across' },
  { name: 'emerald', stops: ['#16a374', '#0b6b4e'], along: 'across' },
  { name: 'amber', stops: ['#eeb558', '#bd7f23'], along: 'across' },
  { name: 'ink', stops: ['#2f5860', '#17363c'], along: 'across' },
  { name: 'glass', stops: ['#bfe0f0', '#5f8fae', '#34586f'], along: 'diagonal' },
  { name: 'lamp', stops: ['#ffd98a', '#f3a64f'] },
  { name: 'trunk', stops: ['#9a7a5d', '#5f4534'], along: 'across' },
  { name: 'crown', stops: ['#4f8a5a', '#24543f'] },
  { name: 'light', stops: [lightNear, none, lightFar], along: 'across' },
];
/** Shadows: dark where they begin, nothing where they end. */
const shade = '#0b1a22';

const ends = { down: { x2: 0, y2: 1 }, across: { x2: 1, y2: 0 }, diagonal: { x2: 1, y2: 1 } } as const;

/** The fill of that name. */
export const paint = (name: string) => `url(#hero-${name})`;

export const HeroPaints = () => (
  <defs>
    {paints.map(({ name, stops, along = 'down' }) => (
      <linearGradient key={name} id={`hero-${name}`} x1="0" y1="0" {...ends[along]}>
        {stops.map((stop, at) => (
          <stop key={at} offset={at / (stops.length - 1)} {...(stop?.startsWith('#') ? { stopColor: stop } : { className: stop })} />
        ))}
      </linearGradient>
    ))}
    <linearGradient id="hero-eaves" x1="0" y1="0" x2="0" y2="1">
      <stop stopColor={shade} stopOpacity=".42" />
      <stop offset="1" stopColor={shade} stopOpacity="0" />
    </linearGradient>
    <linearGradient id="hero-dusk" x1="0" y1="0" x2="0" y2="1">
      <stop stopColor="#141a3c" stopOpacity="0" />
      <stop offset=".4" stopColor="#141a3c" stopOpacity=".55" />
      <stop offset="1" stopColor="#141a3c" stopOpacity=".6" />
    </linearGradient>
    <radialGradient id="hero-ground">
      <stop stopColor={shade} stopOpacity=".4" />
      <stop offset=".55" stopColor={shade} stopOpacity=".2" />
      <stop offset="1" stopColor={shade} stopOpacity="0" />
    </radialGradient>
    <radialGradient id="hero-sun">
      <stop className={styles.sun} />
      <stop offset=".16" className={styles.sunNear} />
      <stop offset="1" className={styles.sunFar} />
    </radialGradient>
  </defs>
);
