import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import styles from './tab-links.module.css';

/** Pages that belong together, side by side. Each is a page of its own, so these are links. Where they are too many for the width, the chosen one is in sight. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly { to: string; name: string }[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const at = tabs.findIndex(({ to }) => to === pathname);
  useEffect(() => {
    const chosen = list.current?.children[at];
    if (!list.current || !chosen) return;
    const [bar, tab] = [list.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    // Of the bar alone: `scrollIntoView` would move the page as well.
    list.current.scrollLeft += tab.left - bar.left - (bar.width - tab.width) / 2;
  }, [at]);
  return (
    <nav className={styles.nav} aria-label={label}>
      <ul className={styles.tabs} ref={list}>
        {tabs.map(({ to, name }) => (
          <li key={to}>
            <NavLink to={to} end className={styles.tab ?? ''}>
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
