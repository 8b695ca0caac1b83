import type { ReactNode } from 'react';
import styles from './hero-scene.module.css';
import paintStyles from './hero-paints.module.css';

/** Rows of lines: weatherboards, ribs of a roof. */
const lines = (count: number, each: (at: number) => string) => Array.from({ length: count }, (_, at) => each(at)).join('');

type Box = { x: number; y: number; w: number; h: number };

const Pane = ({ x, y, w, h }: Box) => (
  <>
    <path className={styles.trim} d={`M${x - 2} ${y - 2}h${w + 4}v${h + 4}h${-w - 4}z`} />
    <path fill={paint('glass')} d={`M${x} ${y}h${w}v${h}h${-w}z`} />
    <path className={styles.shine} d={`M${x + w * 0.15} ${y + h}L${x + w * 0.5} ${y}h${w * 0.22}L${x + w * 0.36} ${y + h}z`} />
    <path className={styles.trim} d={`M${x} ${y + h * 0.47}h${w}v1.6h${-w}zM${x - 4} ${y + h + 2}h${w + 8}v2.6h${-w - 8}z`} />
    <path className={styles.dim} d={`M${x} ${y}h${w}v3h${-w}z`} />
  </>
);

const Door = ({ x, y, h, fill }: { x: number; y: number; h: number; fill: string }) => (
  <>
    <path className={styles.trim} d={`M${x - 2.5} ${y - 2.5}h21v${h + 2.5}h-21z`} />
    <path fill={fill} d={`M${x} ${y}h16v${h}h-16z`} />
    <path className={styles.doorGlass} d={`M${x + 3} ${y + 3}h10v${h * 0.3}h-10z`} />
    <path className={styles.dim} d={`M${x} ${y}h16v3h-16z`} />
    <circle className={styles.knob} cx={x + 13} cy={y + h * 0.55} r="1.3" />
  </>
);

const Shrubs = ({ at }: { at: readonly (readonly [x: number, size: number])[] }) =>
  at.map(([x, size]) => (
    <g key={x} transform={`translate(${x}) scale(${size})`}>
      <path fill={paint('crown')} d="M-13 2a7 7 0 012-13 8 8 0 0114-4 8 8 0 0110 8 5.500 5.500 0 01-1 9z" />
      <path className={styles.crownLight} d="M-10-3a5 5 0 013-8 6 6 0 0110-2 6 6 0 014 7z" />
      <path
        className={styles.bloom}
        d="M-7-9h2.600v2.600h-2.600zM1-12h2.600v2.600h-2.600zM6-4h2.600v2.600h-2.600zM-3-3h2.600v2.600h-2.600z"
      />
    </g>
  ));

type HouseProps = { at: string; wall: string; roof: string; ribs: number; children: ReactNode };

/** A weatherboard house with a hipped roof, 150 wide, its base at 0. */
const House = ({ at, wall, roof, ribs, children }: HouseProps) => (
  <g transform={at}>
    <ellipse fill={paint('ground')} cx="84" cy="1" rx="100" ry="9" />
    <path fill={wall} d="M0-54h150V0H0z" />
    <path className={styles.boards} d={lines(8, (line) => `M0${-47 + line * 6}h150`)} />
    <path className={styles.plinth} d="M0-5h150v5H0z" />
    <path fill={roof} d="M-11-54L22-92h106l33 38z" />
    <path className={styles.ribs} d={lines(ribs, (rib) => `M${24 + (rib * 102) / (ribs - 1)}-91L${-8 + (rib * 166) / (ribs - 1)}-55`)} />
    <path className={styles.ridge} d="M20-94h110v3H20z" />
    <path className={styles.trim} d="M-13-56h176v4.500H-13z" />
    <path fill={paint('eaves')} d="M-8-51.500h166v10H-8z" />
    {children}
  </g>
);

/** The gabled bay of a villa, on the left of its front. */
const Bay = ({ wall, roof }: { wall: string; roof: string }) => (
  <>
    <path fill={wall} d="M-3-55h56V0H-3z" />
    <path className={styles.boards} d={lines(8, (line) => `M-3${-48 + line * 6}h56`)} />
    <path className={styles.gable} d="M-3-55l28-34 28 34z" />
    <path className={styles.boards} d="M18-76h14M12-69h26M7-62h36" />
    <path className={styles.trim} d="M25-96L-12-52l4 5 33-39 33 39 4-5z" />
    <path fill={roof} d="M25-101L-15-54l3 2 37-44 37 44 3-2z" />
    <path className={styles.plinth} d="M-3-5h56v5H-3z" />
    <Pane x={6} y={-42} w={16} h={27} />
    <Pane x={29} y={-42} w={16} h={27} />
  </>
);

const posts = [62, 90, 118, 144];

/** Beside the bay: a roof on turned posts, and the door behind them. */
const Veranda = ({ door, roof }: { door: string; roof: string }) => (
  <>
    <Door x={64} y={-40} h={35} fill={door} />
    <Pane x={102} y={-40} w={24} h={25} />
    <path fill={roof} d="M52-48l5-9h92l6 9z" />
    <path fill={paint('eaves')} d="M53-48h100v11H53z" />
    <path className={styles.trim} d={posts.map((x) => `M${x - 7}-48q6 1 7 7V-5h3v-36q1-6 7-7z`).join('')} />
    <path className={styles.boardwalk} d="M52-6h103v4H52z" />
  </>
);

const Tree = ({ at }: { at: string }) => (
  <g transform={at}>
    <ellipse fill={paint('ground')} cx="6" cy="3" rx="40" ry="6" />
    <path fill={paint('trunk')} d="M-4 4l2-36h6l3 36z" />
    <path
      fill={paint('crown')}
      d="M-30-30a18 18 0 01-6-27 20 20 0 0112-30 22 22 0 0136-8 20 20 0 0124 22 18 18 0 01-2 33 17 17 0 01-27 11 20 20 0 01-37-1z"
    />
    <path
      className={styles.crown}
      d="M-26-38a14 14 0 01-3-22 16 16 0 0112-23 18 18 0 0130-4 15 15 0 0116 19 14 14 0 01-5 24 15 15 0 01-22 8 16 16 0 01-28-2z"
    />
    <path
      className={styles.crownLight}
      d="M-20-56a10 10 0 013-15 12 12 0 0112-13 13 13 0 0119 4 11 11 0 013 17 11 11 0 01-17 7 11 11 0 01-20 0z"
    />
  </g>
);

const left = 'translate(78 350)';
const middle = 'translate(262 356) scale(1.06)';
const right = 'translate(452 350) scale(.98)';

/** The windows that are lit in the evening. */
const lamps: readonly (readonly [house: string, windows: readonly (readonly [x: number, y: number, w: number, h: number])[]])[] = [
  [
    left,
    [
      [6, -42, 16, 27],
      [29, -42, 16, 27],
      [102, -40, 24, 25],
    ],
  ],
  [
    middle,
    [
      [40, -96, 22, 26],
      [104, -42, 30, 26],
    ],
  ],
  [
    right,
    [
      [29, -42, 16, 27],
      [102, -40, 24, 25],
    ],
  ],
];

/**
 * A street below the hills in the style of the listings' scenes: light from the left, haze in the distance, boards and ribs as fine lines.
 * In the dark scheme it is evening and the windows are lit.
 */
export const HeroScene = () => (
  <svg className={styles.scene} viewBox="0 0 640 520" preserveAspectRatio="xMidYMin slice" aria-hidden="true" focusable="false">
    <HeroPaints />
    <path fill={paint('sky')} d="M0 0h640v360H0z" />
    <circle fill={paint('sun')} cx="486" cy="112" r="170" />
    <path
      fill={paint('cloud')}
      d="M62 122a20 20 0 014-39 30 30 0 0150-18 26 26 0 0144 14 22 22 0 0112 43zM296 84a15 15 0 014-30 24 24 0 0142-8 18 18 0 0130 14 13 13 0 014 24z"
    />
    <path fill={paint('peakFar')} d="M330 316l82-92 34 30 62-84 60 78 26-22 66 90z" />
    <path fill={paint('peak')} d="M-20 316L98 146l34 46 78-104 96 128 32-30 92 130z" />
    <path className={styles.peakShade} d="M210 88l96 128 32-30 92 130H268l-24-62 10-30-34-58zM98 146l34 46 14 60-26 64H86l20-70-14-48z" />
    <path className={styles.snow} d="M210 88l40 54-14 6-12-13-14 17-10-13-20 9zM98 146l24 33-11 3-11-11-14 13-8-4z" />
    <path fill={paint('hillFar')} d="M0 282c80-60 168-64 260-32s182 22 266-18 114-8 114-8v200H0z" />
    <path
      className={styles.woods}
      d="M0 300c30-18 48-6 70-16s48-14 70 2 44 4 62 14 30-4 46 4-70 30-120 32S0 330 0 330zM470 300c24-18 40-8 60-18s50-16 70-4 40 2 40 2v40H470z"
    />
    <path fill={paint('hill')} d="M0 322c110-50 220-36 330-14s220 8 310-32v200H0z" />
    <Tree at="translate(36 352) scale(.92)" />
    <Tree at="translate(612 354) scale(1.05)" />
    <Tree at="translate(246 340) scale(.62)" />
    <Tree at="translate(432 342) scale(.7)" />
    <path fill={paint('lawn')} d="M0 344c150-14 470-18 640 0v176H0z" />
    <path
      className={styles.stripes}
      d="M90 340l-90 60v-40zM190 336L60 440H0l140-102zM300 334l-120 120H90l160-119zM400 334l-60 130h-90l110-130zM500 336l10 130h-90l40-131zM600 340l40 40v50l-90-91z"
    />
    <House at={left} wall={paint('cream')} roof={paint('rust')} ribs={26}>
      <path fill={paint('brick')} d="M104-112h12v22h-12z" />
      <path className={styles.ridge} d="M102-114h16v4h-16z" />
      <Bay wall={paint('creamLit')} roof={paint('rust')} />
      <Veranda door={paint('emerald')} roof={paint('rust')} />
      <Shrubs
        at={[
          [8, 0.9],
          [34, 1.1],
          [98, 0.8],
          [136, 1],
        ]}
      />
    </House>
    <House at={middle} wall={paint('slate')} roof={paint('iron')} ribs={26}>
      <path fill={paint('slateLit')} d="M30-112h90v60H30z" />
      <path className={styles.boards} d={lines(9, (line) => `M30${-105 + line * 6}h90`)} />
      <path fill={paint('iron')} d="M20-110l26-32h58l26 32z" />
      <path className={styles.ridge} d="M44-144h62v3H44z" />
      <path className={styles.trim} d="M18-112h114v4H18z" />
      <path fill={paint('eaves')} d="M30-108h90v9H30z" />
      <Pane x={40} y={-96} w={22} h={26} />
      <Pane x={88} y={-96} w={22} h={26} />
      <Door x={67} y={-40} h={35} fill={paint('amber')} />
      <Pane x={16} y={-42} w={30} h={26} />
      <Pane x={104} y={-42} w={30} h={26} />
      <Shrubs
        at={[
          [10, 1],
          [50, 0.8],
          [100, 0.9],
          [142, 1.1],
        ]}
      />
    </House>
    <House at={right} wall={paint('sage')} roof={paint('rust')} ribs={26}>
      <Bay wall={paint('sageLit')} roof={paint('rust')} />
      <Veranda door={paint('ink')} roof={paint('rust')} />
      <Shrubs
        at={[
          [2, 1],
          [52, 0.9],
          [112, 1.1],
        ]}
      />
    </House>
    <path fill={paint('path')} d="M147 350h16l-30 40h-40zM334 356h18l6 40h-44zM518 350h16l34 44h-44z" />
    <path className={styles.pickets} d={lines(58, (post) => `M${4 + post * 11} 374l3-4 3 4v24h-6z`)} />
    <path className={styles.rails} d="M0 379h640v3H0zM0 390h640v3H0z" />
    <path fill={paint('road')} d="M0 402c160-12 470-14 640 0v118H0z" />
    <path className={styles.dusk} fill={paint('dusk')} d="M0 130h640v390H0z" />
    {lamps.map(([at, windows]) => (
      <g key={at} className={styles.lamps} transform={at}>
        {windows.map(([x, y, w, h]) => (
          <path key={x} fill={paint('lamp')} d={`M${x} ${y}h${w}v${h * 0.47}h${-w}zM${x} ${y + h * 0.52}h${w}v${h * 0.48}h${-w}z`} />
        ))}
      </g>
    ))}
    <path fill={paint('light')} d="M0 0h640v520H0z" />
  </svg>
);

// The colours of the street. Those that depend on the colour scheme have a class; sunlit ones go from lit to shaded.

type Paint = { name: string; stops: readonly (string | undefined)[]; along?: 'down' | 'across' | 'diagonal' };

const { skyTop, skyMiddle, skyLow, cloudTop, cloudLow, lightNear, none, lightFar } = paintStyles;

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
/** Shadows fade from dark to transparent. */
const shade = '#0b1a22';

const ends = { down: { x2: 0, y2: 1 }, across: { x2: 1, y2: 0 }, diagonal: { x2: 1, y2: 1 } } as const;

/** The fill of that name. */
const paint = (name: string) => `url(#hero-${name})`;

const HeroPaints = () => (
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
      <stop className={paintStyles.sun} />
      <stop offset=".16" className={paintStyles.sunNear} />
      <stop offset="1" className={paintStyles.sunFar} />
    </radialGradient>
  </defs>
);
