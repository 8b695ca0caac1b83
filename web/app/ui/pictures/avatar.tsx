import styles from './avatar.module.css';

type AvatarProps = {
  name: string;
  /** A path below the site's root or a full address; empty shows the letter. */
  src?: string | undefined;
  color?: string | undefined;
  size?: number;
};

/** White or ink, whichever reads better on `color` (`#rrggbb`). */
function letterColor(color: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2 ? '#0f2a2e' : '#ffffff';
}

/** A picture, or the first letter on a colour. Decorative: the name is beside it. */
export function Avatar({ name, src, color = '#10B981', size = 40 }: AvatarProps) {
  const letter = ([...name.trim()][0] ?? 'B').toUpperCase();
  const box = { width: size, height: size };
  return src ? (
    <img className={styles.avatar} src={src} alt="" style={box} width={size} height={size} loading="lazy" decoding="async" />
  ) : (
    <span
      className={styles.avatar}
      style={{ ...box, background: color, color: letterColor(color), fontSize: size * 0.45 }}
      aria-hidden="true"
    >
      {letter}
    </span>
  );
}
