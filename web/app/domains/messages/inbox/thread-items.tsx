import type { Message } from '@handwise/contract/messages/calls';
import type { ReactNode } from 'react';
import { IconFileText } from '@tabler/icons-react';
import { download } from '../../../lib/download.ts';
import { formatFileSize, isPdfFile } from '../../../lib/pictures/attachments.ts';
import { getObjectUrl } from '../../../lib/pictures/checked-pictures.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { discardMessage, type Pending, requeueMessage } from './outbox.ts';
import styles from './thread-items.module.css';
import { type ThreadItem, getWarningLine } from './thread-view.ts';

type ThreadItemsProps = {
  items: readonly ThreadItem[];
  /** The other side's name. */
  name: string;
  onSent: (conversationId: string, message: Message) => void;
  reportOf?: ((messageId: string) => ReactNode) | undefined;
  cardOf?: ((message: Message) => ReactNode) | undefined;
};

/** Days as separators, messages and pending messages. */
export const ThreadItems = ({ items, name, onSent, reportOf, cardOf }: ThreadItemsProps) => (
  <ol className={styles.items}>
    {items.map((item) => {
      if (item.kind === 'day') {
        return (
          <li key={item.key} className={styles.day}>
            {item.text}
          </li>
        );
      }
      if (item.kind === 'pending') return <PendingMessage key={item.key} pending={item.pending} onSent={onSent} />;
      const { message, time, status } = item;
      const warning = getWarningLine(message.warnings);
      const card = cardOf?.(message);
      return (
        <li key={item.key} className={styles.message} data-mine={message.mine || undefined} data-card={card ? '' : undefined}>
          <span className="visually-hidden">{message.mine ? 'You' : name}:</span>
          {message.pictures.length > 0 && (
            <ul className={styles.pictures}>
              {message.pictures.map((picture, at) => (
                <li key={picture.src}>
                  <a href={picture.src} target="_blank" rel="noopener" className={styles.picture}>
                    <img
                      src={picture.src}
                      srcSet={picture.srcSet || undefined}
                      sizes="120px"
                      alt={picture.alt || `Picture ${at + 1}`}
                      width={120}
                      height={120}
                      loading="lazy"
                    />
                    <span className="visually-hidden"> (opens in a new tab)</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          {message.pdf && <PdfButton pdf={message.pdf} />}
          {card ?? (message.text !== '' && <p className={styles.text}>{message.text}</p>)}
          {warning && <p className={styles.warning}>{warning}</p>}
          <div className={styles.foot}>
            <time dateTime={message.createdAt}>{time}</time>
            {status && <span>{status}</span>}
            {!message.mine && reportOf && <span className={styles.report}>{reportOf(message._id)}</span>}
          </div>
        </li>
      );
    })}
  </ol>
);

/** A PDF is saved, never opened here: what is in it is somebody else's. */
function PdfButton({ pdf }: { pdf: NonNullable<Message['pdf']> }) {
  const save = () =>
    void download(pdf.url as `/api/${string}`, pdf.name).catch(() => toast('The PDF could not be downloaded. Please try again.', 'error'));
  return (
    <button type="button" className={styles.pdf} onClick={save}>
      <PdfLine name={pdf.name} bytes={pdf.bytes} />
      <span className="visually-hidden">, download PDF</span>
    </button>
  );
}

const PdfLine = ({ name, bytes }: { name: string; bytes: number }) => (
  <>
    <IconFileText size={24} stroke={1.75} aria-hidden="true" />
    <bdi className={styles.pdfName}>{name}</bdi> <span className={styles.pdfSize}>{formatFileSize(bytes)}</span>
  </>
);

function PendingMessage({ pending, onSent }: { pending: Pending; onSent: ThreadItemsProps['onSent'] }) {
  const { clientId, files, text, state, share, problem } = pending;
  return (
    <li className={styles.message} data-mine="">
      <span className="visually-hidden">You:</span>
      {files.length > 0 && (
        <ul className={styles.pictures}>
          {files.map((file, at) =>
            isPdfFile(file) ? (
              <li key={at} className={styles.pdf}>
                <PdfLine name={file.name} bytes={file.size} />
              </li>
            ) : (
              <li key={at} className={styles.picture}>
                <img src={getObjectUrl(file)} alt={file.name} width={120} height={120} />
              </li>
            ),
          )}
        </ul>
      )}
      {text !== '' && <p className={styles.text}>{text}</p>}
      <div className={styles.foot} role="status">
        {state === 'sending' && (files.length > 0 && share > 0 && share < 1 ? `Sending… ${Math.round(share * 100)} %` : 'Sending…')}
        {state === 'failed' && (
          <>
            <span className={styles.failed}>Not sent.</span>
            <button type="button" className={styles.again} onClick={() => void requeueMessage(clientId, onSent)}>
              Try again
            </button>
            <button type="button" className={styles.again} onClick={() => discardMessage(clientId)}>
              Delete message
            </button>
          </>
        )}
      </div>
      {state === 'failed' && problem && <p className={styles.problem}>{problem}</p>}
    </li>
  );
}
