import { type ComponentType, lazy, memo, Suspense, useContext, useState } from 'react';
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router';
import { readUser } from './session/stored-user.ts';

// Anything that a reader does, before a finger is on what they mean to press.
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll', 'wheel', 'popstate', 'click', 'change'];

let begin = () => {};
const begun = new Promise<void>((resolve) => {
  begin = resolve;
});
if (import.meta.env.SSR || readUser()) begin();
else for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true, once: true });

// What was pressed and chosen in a part before its script was there, with the choice.
const held = new Map<HTMLElement, string>();
const answered = { click: 'button[type=button]:not([popovertarget]), input[type=radio]', change: 'select' };

function hold({ type, target }: Event) {
  const element = target instanceof Element && target.closest<HTMLElement>(answered[type as keyof typeof answered]);
  if (!element || !element.closest('[data-late]')) return;
  held.set(element, 'value' in element ? String(element.value) : '');
  element.setAttribute('data-held', '');
}
if (!import.meta.env.SSR) for (const type of Object.keys(answered)) addEventListener(type, hold, true);

function give(element: HTMLElement, value: string) {
  element.removeAttribute('data-held');
  if (element instanceof HTMLSelectElement) {
    element.value = value;
    element.dispatchEvent(new Event('change', { bubbles: true }));
  } else {
    // Where it is chosen already, choosing it is no change.
    if (element instanceof HTMLInputElement) element.checked = false;
    element.click();
  }
}

function wake(part: HTMLElement | null) {
  part?.removeAttribute('data-late');
  for (const [element, value] of held) {
    if (!part?.contains(element)) continue;
    held.delete(element);
    setTimeout(give, 0, element, value);
  }
}

const kept = { __html: '' };
/** After a deployment the file may be gone: the part stays as the server drew it. */
const Kept = () => <div className="late" dangerouslySetInnerHTML={kept} suppressHydrationWarning />;

/**
 * A part of a page below what one sees first. The server draws it, and its links work; its script comes with the first sign of a reader,
 * a member, or another page. What is pressed in it before that waits. It is drawn anew only when its properties change, so these must
 * stay the same until then.
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => {
    await begun;
    // A file that could not be had is not asked for again.
    if (!import.meta.env.SSR && !navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return load().then(
      (Loaded) => ({
        default: (props: Props) => (
          <div className="late" data-late="" ref={wake}>
            <Loaded {...props} />
          </div>
        ),
      }),
      () => ({ default: Kept }),
    );
  }) as unknown as ComponentType<Props>;
  return memo(function Late(props: Props) {
    // A change of the router's cannot pass what is not there yet, so it is asked for at once.
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
