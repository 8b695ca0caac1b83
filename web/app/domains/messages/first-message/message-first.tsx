import { findMessagedListing, deletePendingMessage, setPendingMessage } from './pending-message.ts';
import { maxMessageLength } from '@handwise/contract/messages/limits';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextArea, TextCounter } from '../../../ui/forms/form-field.tsx';
import { seenWords } from '../message-words.ts';
import { saveMessageDraft, readMessageDraft } from '../inbox/message-drafts.ts';
import styles from './message-form.module.css';

const FirstFiles = lazy(async () => ({ default: (await import('./first-files.tsx')).FirstFiles }));

/** Shown to visitors who sign in to message a seller: the reason, and their message, which is sent afterwards. */
export function MessageFirst({ target }: { target: string }) {
  const listingId = findMessagedListing(target);
  return listingId !== null && <MessageFirstForm key={listingId} listingId={listingId} />;
}

/** A visitor's message to a seller, above the sign-up form. It has its full height from the start, so that nothing moves. */
function MessageFirstForm({ listingId }: { listingId: string }) {
  const { relayed } = useRootData();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [business, setBusiness] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const asking = new AbortController();
    call('GET /listing/:id', { params: { id: listingId } }, asking.signal).then(
      ({ businessTitle }) => setBusiness(businessTitle),
      () => !asking.signal.aborted && setFailed(true),
    );
    return () => asking.abort();
  }, [listingId]);

  const write = useCallback(
    (words: string) => {
      setText(words);
      saveMessageDraft(listingId, words);
      if (words.trim() === '') deletePendingMessage();
      else setPendingMessage(listingId);
    },
    [listingId],
  );
  // Restores text typed before the script loaded or on an earlier visit, and marks it to be sent.
  useEffect(() => write(area.current?.value || readMessageDraft(listingId)), [listingId, write]);

  return (
    <div className={styles.first}>
      <div className={styles.words} inert={failed}>
        <p>Messaging needs a free account, so that the business can answer you. {seenWords(relayed)}</p>
        <TextArea
          ref={area}
          label={`Your message to ${business ?? 'the seller'}`}
          rows={4}
          hint="Write your message now. We’ll send it once you’ve signed up."
          value={text}
          onChange={({ target }) => write(target.value)}
          after={<TextCounter text={text} max={maxMessageLength} />}
        />
        <div className={styles.files}>
          <Suspense fallback={null}>
            <FirstFiles listingId={listingId} />
          </Suspense>
        </div>
      </div>
      {failed && (
        <div role="status">
          <Notice>Unable to load listing information. Please try again later.</Notice>
        </div>
      )}
    </div>
  );
}
