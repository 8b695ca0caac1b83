import type { getListing } from '@handwise/contract/listings';
import { maxMessageLength } from '@handwise/contract/message-limits';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextArea, TextCounter } from '../../../ui/forms/form-field.tsx';
import { seenWords } from '../address-words.ts';
import { keepDraft, readDraft } from '../inbox/message-drafts.ts';
import { dropWish, wishToSend } from './message-wish.ts';
import { useRelayed } from '../use-relayed.ts';
import styles from './message-form.module.css';

/** What a visitor wants to say to a seller, typed before there is an account. */
export function MessageFirstForm({ listingId }: { listingId: string }) {
  const relayed = useRelayed();
  const [text, setText] = useState(() => readDraft(listingId));
  const [business, setBusiness] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const asking = new AbortController();
    call<typeof getListing>({ method: 'GET', url: '/listing/:id' }, { params: { id: listingId } }, asking.signal).then(
      ({ businessTitle }) => setBusiness(businessTitle),
      () => !asking.signal.aborted && setFailed(true),
    );
    return () => asking.abort();
  }, [listingId]);

  // What is there already was meant for now as well.
  useEffect(() => {
    if (text.trim() !== '') wishToSend(listingId);
    else dropWish();
  }, [listingId, text]);

  if (failed) return <Notice>Unable to load listing information. Please try again later.</Notice>;
  return (
    <div className={styles.first}>
      <p>
        Messaging needs a free account, so that {business ?? 'the business'} can answer you. {seenWords(relayed)}
      </p>
      <TextArea
        label={`Your message to ${business ?? 'the seller'}`}
        rows={4}
        hint="Write it now if you like: it will be sent as soon as you are signed in."
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          keepDraft(listingId, target.value);
        }}
        after={<TextCounter text={text} max={maxMessageLength} />}
      />
    </div>
  );
}
