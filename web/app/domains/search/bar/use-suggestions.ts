import type { Suggestion, suggest } from '@handwise/contract/search/suggest';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api.ts';
import { debounce } from '../../../lib/debounce.ts';

// So long nothing more must be typed before the server is asked.
const pauseMs = 120;
const none: readonly Suggestion[] = [];

/**
 * What the server suggests for a text, while `wanted`. An answer to what no longer stands there is given up, and where there is
 * none the field is one without suggestions. Undefined until there is an answer for a text that goes on from the last one.
 */
export function useSuggestions(box: 'q' | 'where', typed: string, wanted: boolean): readonly Suggestion[] | undefined {
  const text = typed.trim();
  const [found, setFound] = useState({ box, text: '', suggestions: none });

  useEffect(() => {
    if (!wanted || !text) return undefined;
    return debounce(pauseMs, (signal) => {
      call<typeof suggest>({ method: 'GET', url: '/search/suggest' }, { query: { [box]: text } }, signal).then(
        ({ suggestions }) => setFound({ box, text, suggestions }),
        () => signal.aborted || setFound({ box, text, suggestions: none }),
      );
    });
  }, [box, text, wanted]);

  if (!text) return none;
  return found.text && text.startsWith(found.text) ? found.suggestions : undefined;
}
