import type { FoundUser } from '@handwise/contract/admin/search';
import styles from './admin.module.css';

/** An account's state, in a word or two. */
export function StateLabel({ user }: { user: FoundUser }) {
  const [name, bad] = user.deletedAt
    ? ['Deleted', true]
    : user.suspendedAt
      ? ['Suspended', true]
      : user.role === 'admin'
        ? ['Administrator', false]
        : user.emailConfirmed
          ? ['Confirmed', false]
          : ['Not confirmed', false];
  return (
    <span className={styles.state} data-bad={bad || undefined}>
      {name}
    </span>
  );
}
