import { paths } from '@handwise/contract/paths';
import { IconMessageCircle } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { NavLink } from 'react-router';
import styles from './messages-link.module.css';
import { onUnreadChange, unreadConversations } from './unread-count.ts';

const atMost = 99;

/** The way to one's messages, with the number of conversations in which something is new; the window's title tells it too. */
export function MessagesLink() {
  const unread = useSyncExternalStore(onUnreadChange, unreadConversations, () => 0);
  const shown = unread > atMost ? `${atMost}+` : `${unread}`;
  useEffect(() => {
    const mark = () => {
      const title = document.title.replace(/^\(\d+\+?\) /, '');
      const wanted = unread > 0 ? `(${shown}) ${title}` : title;
      if (document.title !== wanted) document.title = wanted;
    };
    mark();
    // Each page has a title of its own.
    const observer = new MutationObserver(mark);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [unread, shown]);
  return (
    <NavLink to={paths.messages} className={styles.link ?? ''} aria-label={unread > 0 ? `Messages, ${unread} unread` : 'Messages'}>
      <IconMessageCircle size={24} stroke={1.75} aria-hidden="true" />
      {unread > 0 && <span className={styles.badge}>{shown}</span>}
    </NavLink>
  );
}
