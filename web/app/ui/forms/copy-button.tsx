import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { toast } from '../feedback/toast.tsx';

type CopyButtonProps = { text: string; label: string; copiedMessage: string; failedMessage: string };

const copiedMs = 2000;

/** Copies `text`; says "Copied!" for two seconds. */
export function CopyButton({ text, label, copiedMessage, failedMessage }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toast(copiedMessage);
    } catch {
      toast(failedMessage, 'error');
    }
  }
  return (
    <Button kind="secondary" onClick={() => void copy()}>
      {copied ? <IconCheck size={20} stroke={1.75} aria-hidden="true" /> : <IconCopy size={20} stroke={1.75} aria-hidden="true" />}
      {copied ? 'Copied!' : label}
    </Button>
  );
}
