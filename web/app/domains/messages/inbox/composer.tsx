import { maxMessageLength, maxMessagePictures } from '@handwise/contract/messages/limits';
import { IconFileText, IconPhotoPlus, IconSend2, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { isComposing } from '../../../lib/forms/composing.ts';
import { checkAttachments, formatFileSize, isPdfFile } from '../../../lib/pictures/attachments.ts';
import { useFileChecks } from '../../../lib/pictures/file-checks.ts';
import { getObjectUrl } from '../../../lib/pictures/checked-pictures.ts';
import { PictureInput } from '../../../ui/forms/picture-input.tsx';
import styles from './composer.module.css';
import { findTextProblem } from '../text-problem.ts';
import { saveMessageDraft, readMessageDraft } from './message-drafts.ts';

type ComposerProps = {
  conversationId: string;
  /** The other side's name. */
  name: string;
  onSend: (text: string, files: readonly File[]) => void;
};

const counterFrom = maxMessageLength - 200;
// On devices with a physical keyboard Enter sends; on phones it starts a new line.
const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Enter, unless it starts a line or confirms text of an input method. */
export const isSendKey = (event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'nativeEvent'>) =>
  event.key === 'Enter' && !event.shiftKey && !isComposing(event);

/** The id of the message field, which other parts of the page give the focus to. */
export const composerId = 'message-text';

/** The message field. Its text is stored until it is sent. */
export function Composer({ conversationId, name, onSend }: ComposerProps) {
  const [text, setText] = useState(() => readMessageDraft(conversationId));
  const [files, setFiles] = useState<readonly File[]>([]);
  const { isChecking, watch } = useFileChecks();
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const length = text.trim().length;

  // Grows with its text, within the limits of its style.
  useEffect(() => {
    const area = input.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 3}px`;
  });

  function type(value: string) {
    setText(value);
    saveMessageDraft(conversationId, value);
    if (value.trim() !== '') setProblem('');
  }
  async function take(picked: readonly File[]) {
    const limits = { subject: 'message', maxPhotos: maxMessagePictures, takesPdf: true, before: files } as const;
    const { accepted, problems } = await checkAttachments(picked, limits);
    setFiles((now) => [...now, ...accepted]);
    setProblem(problems.join(' '));
    input.current?.focus();
  }
  function send() {
    if (isChecking) return setProblem('Your files are still being checked. Send your message in a moment.');
    const found = findTextProblem(text, files.length);
    if (found) return setProblem(found);
    onSend(text.trim(), files);
    type('');
    setFiles([]);
    setProblem('');
    input.current?.focus();
  }
  function press(event: KeyboardEvent) {
    if (!isSendKey(event) || !hasKeyboard()) return;
    event.preventDefault();
    send();
  }
  function paste(event: ClipboardEvent) {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    watch(take(pasted), pasted);
  }
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {files.length > 0 && (
        <ul className={styles.pictures} aria-label="Files of this message">
          {files.map((file, at) => (
            <li key={at} className={styles.picture}>
              {isPdfFile(file) ? (
                <span className={styles.pdf}>
                  <IconFileText size={20} stroke={1.75} aria-hidden="true" />
                  <bdi className={styles.name}>{file.name}</bdi>
                  {formatFileSize(file.size)}
                </span>
              ) : (
                <img src={getObjectUrl(file)} alt={file.name} width={72} height={72} />
              )}
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${file.name}`}
                onClick={() => {
                  setFiles(files.toSpliced(at, 1));
                  input.current?.focus();
                }}
              >
                <IconX size={16} stroke={2} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.problem} role="alert" id={`${id}-problem`}>
        {problem}
      </p>
      <div className={styles.row}>
        <button type="button" className={styles.icon} aria-label="Add pictures or a PDF" onClick={() => picker.current?.click()}>
          <IconPhotoPlus size={24} stroke={1.75} aria-hidden="true" />
        </button>
        <PictureInput ref={picker} hidden multiple takesPdf onTake={(picked) => watch(take(picked), picked)} />
        <textarea
          ref={input}
          id={composerId}
          className={styles.input}
          rows={1}
          placeholder="Write a message"
          aria-label={`Message to ${name}`}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== '' || undefined}
          enterKeyHint="enter"
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={press}
          onPaste={paste}
        />
        <button type="submit" className={`${styles.icon} ${styles.send}`} aria-label="Send">
          <IconSend2 size={24} stroke={1.75} aria-hidden="true" />
        </button>
      </div>
      {length > counterFrom && (
        <p className={styles.counter} data-over={length > maxMessageLength || undefined}>
          {length}/{maxMessageLength}
        </p>
      )}
    </form>
  );
}
