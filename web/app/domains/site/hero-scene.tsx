import type { ReactNode } from 'react';
import styles from './hero-scene.module.css';

type HouseProps = { at: string; wall: string | undefined; roof: string | undefined; door: string | undefined; children?: ReactNode };

const House = ({ at, wall, roof, door, children }: HouseProps) => (
  <g transform={at}>
    <path className={styles.shade} d="M-6 92h132l16 8H-16z" />
    <rect className={wall} width="120" height="92" y="2" />
    <path className={roof} d="M-14 8L60-46 134 8z" />
    <path className={door} d="M50 44h22v50H50z" />
    <g className={styles.window}>
      <rect x="12" y="24" width="28" height="28" rx="2" />
      <rect x="82" y="24" width="28" height="28" rx="2" />
    </g>
    <path className={styles.frame} d="M26 24v28M12 38h28M96 24v28M82 38h28" />
    {children}
  </g>
);

const Tree = ({ at }: { at: string }) => (
  <g transform={at}>
    <path className={styles.trunk} d="M-4-30h8V4h-8z" />
    <circle className={styles.leaf} r="26" cy="-50" />
    <circle className={styles.leaf} r="18" cx="-18" cy="-36" />
    <circle className={styles.leafLight} r="18" cx="17" cy="-38" />
    <circle className={styles.leafLight} r="12" cx="4" cy="-62" />
  </g>
);

/** A street below the hills, by day and, in dark colours, by night with the lights on. */
export const HeroScene = () => (
  <svg className={styles.scene} viewBox="0 0 640 520" preserveAspectRatio="xMidYMin slice" aria-hidden="true" focusable="false">
    <rect className={styles.sky} width="640" height="520" />
    <g className={styles.stars}>
      {['60 60', '130 34', '210 88', '300 40', '372 96', '440 36', '590 60', '612 140', '96 132', '540 150'].map((at) => (
        <circle key={at} r="2" transform={`translate(${at})`} />
      ))}
    </g>
    <circle className={styles.halo} cx="500" cy="104" r="74" />
    <circle className={styles.sun} cx="500" cy="104" r="46" />
    <g className={styles.cloud}>
      <path d="M70 118a22 22 0 0122-26 32 32 0 0160-4 22 22 0 0120 30z" />
      <path d="M300 82a16 16 0 0116-20 24 24 0 0146-2 16 16 0 0114 22z" />
    </g>
    <path className={styles.peak} d="M-10 300L108 132l44 54 60-92 118 150 66-78 110 134z" />
    <path className={styles.snow} d="M212 94l38 48-18 6-16-12-18 18-14-8zM108 132l26 32-14 4-12-8-16 12-8-4z" />
    <path className={styles.hillFar} d="M0 276c80-66 170-70 262-34s180 22 264-22 114-8 114-8v308H0z" />
    <path className={styles.hill} d="M0 318c110-54 220-40 330-16s220 10 310-34v252H0z" />
    <Tree at="translate(40 352) scale(1.05)" />
    <House at="translate(86 258)" wall={styles.wallCream} roof={styles.roofRust} door={styles.doorGreen}>
      <path className={styles.chimney} d="M92-42h18v40H92z" />
    </House>
    <House at="translate(262 236) scale(1.12)" wall={styles.wallWhite} roof={styles.roofInk} door={styles.doorAmber} />
    <House at="translate(452 262)" wall={styles.wallSage} roof={styles.roofRust} door={styles.doorInk} />
    <Tree at="translate(238 354) scale(.8)" />
    <Tree at="translate(606 366) scale(1.2)" />
    <path className={styles.lawn} d="M0 352c150-16 470-20 640 0v168H0z" />
    <path className={styles.road} d="M0 400c160-22 470-24 640 0v60H0z" />
    <path className={styles.dashes} d="M10 424c150-20 470-22 630 0" />
  </svg>
);
