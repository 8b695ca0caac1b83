import { IconChevronLeft } from '@tabler/icons-react';
import { type ReactNode, useRef, useState, useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { PageLinks } from '../../../ui/page/page-links.tsx';
import styles from './queue.module.css';

type Action = 'next' | 'previous' | 'decide' | 'undo' | 'help';

/** The keys of a queue, as its help shows them. */
export const queueKeys: readonly { key: string; action: Action; does: string }[] = [
  { key: 'j', action: 'next', does: 'The next case' },
  { key: 'k', action: 'previous', does: 'The previous case' },
  { key: 'd', action: 'decide', does: 'Decide: jump to the choices' },
  { key: 'u', action: 'undo', does: 'Reverse the decision shown' },
  { key: '?', action: 'help', does: 'Show this help' },
];

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** A key's action; none while typing, in a dialog, or with a modifier key. */
export function findActionOfKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return undefined;
  if (event.target instanceof HTMLElement && event.target.closest('dialog')) return undefined;
  return queueKeys.find(({ key }) => key === event.key)?.action;
}

function useQueueKeys(actions: Record<Action, () => void>) {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = findActionOfKey(event);
      if (!action) return;
      event.preventDefault();
      latest.current[action]();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

type QueueItem = { id: string; title: string; detail: string; when: string };

type QueueProps = {
  label: string;
  items: readonly QueueItem[];
  page: number;
  totalPages: number;
  /** The selected case. */
  children: (id: string, next: () => void) => ReactNode;
  empty: string;
};

/** The URL of a case in its list, with filters and page. */
const withCase = (search: URLSearchParams, id: string | undefined) => {
  const next = new URLSearchParams(search);
  if (id === undefined) next.delete('case');
  else next.set('case', id);
  return `?${next}`;
};

/** A list of cases on the left, the selected one on the right; on phones one of both. The selection is in the URL. */
export function Queue({ label, items, page, totalPages, children, empty }: QueueProps) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [help, setHelp] = useState(false);
  const shown = useRef<HTMLDivElement>(null);
  const selectedId = search.get('case');
  // If the selected case has left the list, the first one is next.
  const index = items.findIndex((item) => item.id === selectedId);
  const chosen = items[index] ?? (selectedId === null ? undefined : items[0]);
  const first = chosen ?? items[0];
  const choose = (id: string | undefined) => void navigate(withCase(search, id), { replace: true, preventScrollReset: true });
  const step = (by: number) => {
    const next = items[index < 0 ? 0 : Math.min(items.length - 1, Math.max(0, index + by))];
    if (next) choose(next.id);
  };
  const next = () => choose((items[index + 1] ?? items[index - 1])?.id);
  const press = (action: string) => shown.current?.querySelector<HTMLElement>(`[data-key="${action}"]`);
  useQueueKeys({
    next: () => step(1),
    previous: () => step(-1),
    decide: () => press('decide')?.focus(),
    undo: () => press('undo')?.click(),
    help: () => setHelp(true),
  });

  if (items.length === 0) return <EmptyState title="Nothing is waiting here">{empty}</EmptyState>;
  return (
    <div className={styles.queue} data-chosen={selectedId !== null || undefined}>
      <nav className={styles.list} aria-label={label}>
        <ul className={styles.items}>
          {items.map((item) => (
            <li key={item.id}>
              <Link
                to={withCase(search, item.id)}
                replace
                preventScrollReset
                className={styles.item}
                aria-current={item.id === first?.id ? 'true' : undefined}
              >
                <strong className={styles.title}>{item.title}</strong>
                <span className={styles.detail}>{item.detail}</span>
                <span className={styles.detail}>{item.when}</span>
              </Link>
            </li>
          ))}
        </ul>
        <PageLinks
          current={page}
          total={totalPages}
          to={(to) => {
            const other = new URLSearchParams(search);
            other.delete('case');
            other.set('page', String(to));
            return `?${other}`;
          }}
        />
        <p className={styles.help}>
          <Button kind="quiet" size="sm" onClick={() => setHelp(true)}>
            Keys
          </Button>
        </p>
      </nav>
      <div className={`card ${styles.case}`} ref={shown}>
        <Link to={withCase(search, undefined)} replace className={styles.back}>
          <IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />
          Back to the list
        </Link>
        {first && children(first.id, next)}
      </div>
      <Dialog open={help} onClose={() => setHelp(false)} title="Keys" actions={<Button onClick={() => setHelp(false)}>OK</Button>}>
        <dl className={styles.keys}>
          {queueKeys.map(({ key, does }) => (
            <div key={key}>
              <dt>
                <kbd className={styles.key}>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </div>
  );
}
