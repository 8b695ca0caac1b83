import { type KeyboardEvent, useRef, useState } from 'react';

/** A strip that snaps from picture to picture: fingers swipe it, buttons and arrow keys scroll it, and links reach a picture without script. */
export function useStrip(length: number, start = 0) {
  const strip = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(start);
  const measure = () => {
    const element = strip.current;
    if (element && element.clientWidth > 0) setIndex(Math.min(length - 1, Math.round(element.scrollLeft / element.clientWidth)));
  };
  const show = (next: number, behavior: ScrollBehavior = 'auto') => {
    const element = strip.current;
    element?.scrollTo({ left: ((next + length) % length) * element.clientWidth, behavior });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(index + step);
  };
  return { strip, index, measure, show, onKeyDown };
}
