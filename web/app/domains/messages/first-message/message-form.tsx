import { maxMessageLength } from '@handwise/contract/messages/limits';
import { firstMessageForm } from '@handwise/contract/messages/calls';
import { paths } from '@handwise/contract/paths';
import { useCallback, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError } from '../../../lib/api-error.ts';
import { upload } from '../../../lib/upload.ts';
import { toFormFiles } from '../../../lib/pictures/attachments.ts';
import { checkingLabel } from '../../../lib/pictures/file-checks.ts';
import { type Attachment, listAttachments, listLostNames } from '../../../lib/pictures/stored-attachments.ts';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { useSession } from '../../../lib/session/session.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { AttachmentField } from '../../../ui/forms/attachment-field.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter } from '../../../ui/forms/form-field.tsx';
import { ResendConfirmation } from '../../accounts/resend-confirmation.tsx';
import { addressWords, describeMessageError } from '../message-words.ts';
import { getFilePrefix, readFileNames, saveFileNames, saveMessageDraft, readMessageDraft } from '../inbox/message-drafts.ts';
import { deleteClientId, getClientId, useMessageFiles } from './message-files.ts';
import styles from './message-form.module.css';
import { hasPendingMessage, takePendingMessage } from './pending-message.ts';

export type MessageFormProps = {
  listing: { id: string; title: string; sellerId: string; business: { name: string } };
  /** Called two seconds after sending. */
  onClose: () => void;
};

type Values = { message: string };
type Sent = { message: string; conversationId: string };

/** The share counts what has left; the answer comes once the server has read the photos. */
const formatSending = (share: number) => (share > 0 && share < 1 ? `Sending... ${Math.round(share * 100)} %` : 'Sending...');

const closesAfterMs = 2000;
const noSeller = new ApiError(404, 'seller_not_found', 'Unable to contact seller. Invalid seller information.');

type Writing = { message: string; clientId: string; files: readonly Attachment[] };

async function contact(
  { id, sellerId, title }: MessageFormProps['listing'],
  email: string | undefined,
  { message, clientId, files }: Writing,
  onProgress: (share: number) => void,
) {
  if (!sellerId) throw noSeller;
  // The server takes the address from the account; the field is part of the public API.
  const form = { sellerId, listingId: id, subject: `Message received for "${title}"`, buyerEmail: email, message, clientId };
  const sent = await upload('POST /email/send', { form, files: toFormFiles(files.map(({ file }) => file)) }, onProgress);
  saveMessageDraft(id, '');
  deleteClientId(id);
  saveFileNames(id, []);
  return sent;
}

/** The first message to a seller, or another from the listing's page. Typed text is stored until it is sent. */
export function MessageForm({ listing, onClose }: MessageFormProps) {
  const email = useSession().user?.email;
  const navigate = useNavigate();
  const { relayed } = useRootData();
  const [message, setMessage] = useState(() => readMessageDraft(listing.id));
  const [problem, setProblem] = useState<unknown>();
  const [sent, setSent] = useState<Sent>();
  const { files, lost, isChecking, watch, add, remove, forget } = useMessageFiles(listing.id);
  const [share, setShare] = useState(0);
  // A message typed before signing in is sent automatically.
  const [sendsByItself, setSendsByItself] = useState(() => hasPendingMessage(listing.id));

  const { form, field, summary, busy } = useCheckedForm<Values>({
    name: 'message',
    schema: firstMessageForm,
    start: { message },
    send: async ({ message: text }) => {
      if (isChecking) return;
      setProblem(undefined);
      try {
        setSent(await contact(listing, email, { message: text, clientId: getClientId(listing.id, text, files), files }, setShare));
        forget();
      } catch (error) {
        setProblem(error);
      }
    },
    onChange: useCallback(
      (values: Values) => {
        setMessage(values.message);
        saveMessageDraft(listing.id, values.message);
      },
      [listing.id],
    ),
  });

  // Sends the pending message and opens its conversation.
  useEffect(() => {
    const pendingId = takePendingMessage(listing.id);
    if (pendingId === null) return;
    const text = readMessageDraft(listing.id).trim();
    async function sendNow(given: string) {
      const names = readFileNames(listing.id);
      const stored = await listAttachments(getFilePrefix(listing.id)).catch(() => []);
      // What is missing is said beside the files, and the visitor decides.
      if (listLostNames(names, stored).length > 0) return setSendsByItself(false);
      const clientId = getClientId(listing.id, text, stored, given);
      try {
        const { conversationId } = await contact(listing, email, { message: text, clientId, files: stored }, setShare);
        forget();
        await navigate(paths.conversation(conversationId), { replace: true });
      } catch (error) {
        setProblem(error);
        setSendsByItself(false);
      }
    }
    void sendNow(pendingId);
  }, [listing, email, navigate, forget]);

  useEffect(() => {
    if (!sent) return;
    const timer = setTimeout(onClose, closesAfterMs);
    return () => clearTimeout(timer);
  }, [sent, onClose]);

  if (sent) {
    return (
      <div role="status">
        <Notice kind="success">
          {sent.message} <Link to={paths.conversation(sent.conversationId)}>See it in your messages</Link>
        </Notice>
      </div>
    );
  }
  const sending = busy || sendsByItself;
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} message={problem === undefined ? undefined : describeMessageError(problem)} />
      {problem instanceof ApiError && problem.code === 'address_not_confirmed' && <ResendConfirmation />}
      <p>
        To <strong>{listing.business.name}</strong> about “{listing.title}”
      </p>
      <TextArea
        label="Your message"
        rows={6}
        hint={addressWords(relayed, email)}
        after={<TextCounter text={message} max={maxMessageLength} />}
        {...field('message')}
      />
      <AttachmentField
        subject="message"
        takesPdf
        files={files}
        lost={lost}
        onCheck={watch}
        onAdd={add}
        onRemove={remove}
        disabled={sending}
      />
      <Button type="submit" busy={sending || isChecking} wide>
        {sending ? formatSending(files.length > 0 ? share : 0) : isChecking ? checkingLabel : 'Send message'}
      </Button>
    </form>
  );
}
