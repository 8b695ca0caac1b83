import { type ComponentType, lazy, memo, Suspense, useContext, useState } from 'react';
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router';
import { readUser } from './session/stored-user.ts';

// Events that show a reader's activity.
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll', 'wheel', 'popstate', 'click', 'change'];

let begin = () => {};
const begun = new Promise<void>((resolve) => {
  begin = resolve;
});
if (import.meta.env.SSR || readUser()) begin();
else for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true, once: true });

// Presses and choices in a part before its script has loaded, with the chosen values.
const heldBack = new Map<HTMLElement, string>();
const answered = { click: 'button[type=button]:not([popovertarget]), input[type=radio]', change: 'select' };

function hold({ type, target }: Event) {
  const element = target instanceof Element && target.closest<HTMLElement>(answered[type as keyof typeof answered]);
  if (!element || !element.closest('[data-late]')) return;
  heldBack.set(element, 'value' in element ? String(element.value) : '');
  element.setAttribute('data-held', '');
}
if (!import.meta.env.SSR) for (const type of Object.keys(answered)) addEventListener(type, hold, true);

function replay(element: HTMLElement, value: string) {
  element.removeAttribute('data-held');
  if (element instanceof HTMLSelectElement) {
    element.value = value;
    element.dispatchEvent(new Event('change', { bubbles: true }));
  } else {
    // Choosing a checked option would fire no change event.
    if (element instanceof HTMLInputElement) element.checked = false;
    element.click();
  }
}

function wake(part: HTMLElement | null) {
  part?.removeAttribute('data-late');
  for (const [element, value] of heldBack) {
    if (!part?.contains(element)) continue;
    heldBack.delete(element);
    setTimeout(replay, 0, element, value);
  }
}

const serverHtml = { __html: '' };
/** The part as rendered by the server, if its file is gone after a deployment. */
const ServerHtml = () => <div className="late" dangerouslySetInnerHTML={serverHtml} suppressHydrationWarning />;

/**
 * A part of a page below the fold. The server renders it and its links work; its script loads at the visitor's first interaction, for
 * members at once. Earlier presses are replayed. Its props must not change before that, because a change would render it again.
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => {
    await begun;
    // A failed import is not retried.
    if (!import.meta.env.SSR && !navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return load().then(
      (Loaded) => ({
        default: (props: Props) => (
          <div className="late" data-late="" ref={wake}>
            <Loaded {...props} />
          </div>
        ),
      }),
      () => ({ default: ServerHtml }),
    );
  }) as unknown as ComponentType<Props>;
  return memo(function Late(props: Props) {
    // Router updates cannot reach a part that has not loaded, so they load it at once.
    const state = useContext(RouterState);
    const [first] = useState(state);
    if (state !== first) begin();
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  });
}

/** A lazy part for members only. If a user is signed in when the page opens, it loads together with the page's own files. */
export function memberPart<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  const begun = !import.meta.env.SSR && readUser() ? load() : undefined;
  // Rendering it reports the error.
  begun?.catch(() => {});
  return lazy(async () => ({ default: await (begun ?? load()) }));
}
