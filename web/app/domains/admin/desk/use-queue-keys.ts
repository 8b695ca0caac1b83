import { useEffect, useRef } from 'react';

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

/** The action that a key stands for; none while somebody writes, in a dialog, or with a modifier that is the browser's. */
export function actionOfKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return undefined;
  if (event.target instanceof HTMLElement && event.target.closest('dialog')) return undefined;
  return queueKeys.find(({ key }) => key === event.key)?.action;
}

export function useQueueKeys(actions: Record<Action, () => void>) {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = actionOfKey(event);
      if (!action) return;
      event.preventDefault();
      latest.current[action]();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
