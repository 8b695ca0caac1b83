import { maxMessageLength } from '@handwise/contract/messages/limits';
import { type FormEvent, useState } from 'react';
import { useRootData } from '../../../lib/root-data.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { TextArea, TextCounter } from '../../../ui/forms/form-field.tsx';
import { addressWords } from '../message-words.ts';
import { findTextProblem } from '../text-problem.ts';
import { saveFileNames, saveMessageDraft, readMessageDraft } from '../inbox/message-drafts.ts';
import styles from './message-several.module.css';
import { deleteClientId, getClientId, useMessageFiles } from './message-files.ts';
import { type Outcomes, isSent, sendToSeveral, SeveralOutcomes } from './send-to-several.tsx';
import { upload } from '../../../lib/upload.ts';
import { toFormFiles } from '../../../lib/pictures/attachments.ts';
import { checkingLabel } from '../../../lib/pictures/file-checks.ts';
import { AttachmentField } from '../../../ui/forms/attachment-field.tsx';

type MessageReceiver = { listingId: string; sellerId: string; name: string };

/** Creates a function that sends one text with its files to a seller under that seller's message id. */
export const createMessageSender =
  (text: string, files: readonly File[], clientIdOf: (listingId: string) => string) =>
  ({ listingId, sellerId }: MessageReceiver) =>
    upload(
      'POST /email/send',
      { form: { sellerId, listingId, message: text, clientId: clientIdOf(listingId) }, files: toFormFiles(files) },
      () => {},
    );

const draftId = 'several';
const attemptOf = (listingId: string) => `${draftId} ${listingId}`;
const nothingYet: Outcomes = new Map();

/** One message to all compared sellers, each in its own conversation. */
export function MessageSeveral({ receivers }: { receivers: readonly MessageReceiver[] }) {
  const { relayed } = useRootData();
  const [text, setText] = useState(() => readMessageDraft(draftId));
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const [outcomes, setOutcomes] = useState(nothingYet);
  const { files, lost, isChecking, watch, add, remove, forget } = useMessageFiles(draftId);
  const names = receivers.map((one) => one.name);
  /** Another message, which nobody has. */
  const changed = () => setOutcomes(nothingYet);
  const isLocked = [...outcomes.values()].some((one) => 'conversationId' in one);
  const failed = [...outcomes.values()].some((one) => 'problem' in one);
  const done = receivers.every(({ listingId }) => isSent(outcomes, listingId));

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isChecking) return;
    const message = text.trim();
    const found = findTextProblem(message, 0);
    if (found) return setProblem(found);
    setProblem(undefined);
    setSending(true);
    const sent = await sendToSeveral(
      receivers,
      createMessageSender(
        message,
        files.map(({ file }) => file),
        (listingId) => getClientId(attemptOf(listingId), message, files),
      ),
      outcomes,
      setOutcomes,
    );
    setSending(false);
    if (![...sent.values()].every((one) => 'conversationId' in one)) return;
    saveMessageDraft(draftId, '');
    saveFileNames(draftId, []);
    for (const { listingId } of receivers) deleteClientId(attemptOf(listingId));
    forget();
  }
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      {!done && (
        <TextArea
          label="Your message"
          rows={5}
          hint={`Goes to ${new Intl.ListFormat('en-NZ').format(names)}, each in its own conversation. None of them sees who else you asked. ${addressWords(relayed)}`}
          value={text}
          error={problem}
          // Locked once one seller has the message, so that all get the same text.
          readOnly={sending || isLocked}
          onChange={({ target }) => {
            changed();
            setText(target.value);
            saveMessageDraft(draftId, target.value);
          }}
          after={<TextCounter text={text} max={maxMessageLength} />}
        />
      )}
      {!done && (
        <AttachmentField
          subject="message"
          takesPdf
          files={files}
          lost={lost}
          onCheck={watch}
          onAdd={(added) => {
            changed();
            add(added);
          }}
          onRemove={(id) => {
            changed();
            remove(id);
          }}
          disabled={sending || isLocked}
        />
      )}
      <SeveralOutcomes receivers={receivers} outcomes={outcomes} />
      {!done && (
        <Button type="submit" busy={sending || isChecking}>
          {sending
            ? 'Sending...'
            : isChecking
              ? checkingLabel
              : failed
                ? 'Try again'
                : receivers.length === 1
                  ? 'Send message'
                  : `Send to all ${receivers.length}`}
        </Button>
      )}
    </form>
  );
}
