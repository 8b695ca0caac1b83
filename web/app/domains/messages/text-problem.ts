import { maxMessageLength } from '@handwise/contract/messages/limits';

/** Why a text with so many files cannot be sent; empty if it can. */
export function findTextProblem(text: string, files: number): string {
  const { length } = text.trim();
  if (length === 0 && files === 0) return 'Message is required';
  return length > maxMessageLength ? `Message cannot exceed ${maxMessageLength} characters` : '';
}
