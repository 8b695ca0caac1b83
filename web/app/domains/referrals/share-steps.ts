import type { ShareWay } from './share.ts';

/** What to do after pressing each of the ways of sharing, step by step. */
export const shareHelp: Record<ShareWay, { title: string; steps: readonly string[] }> = {
  facebook: {
    title: 'Sharing on Facebook',
    steps: [
      'Sign in to Facebook in the small window, if it asks.',
      'Write a few words of your own above the link.',
      'Choose who sees it, and press Share.',
    ],
  },
  email: {
    title: 'Sharing by email',
    steps: ['Your email app opens with the words filled in.', 'Add who it is for.', 'Change the words if you like, and send it.'],
  },
  whatsapp: {
    title: 'Sharing on WhatsApp',
    steps: ['WhatsApp opens in a new tab with the words filled in.', 'Choose a person or a group.', 'Press Send.'],
  },
  text: {
    title: 'Sharing by text message',
    steps: [
      'On a phone your messages open with the words filled in.',
      'Anywhere else, copy the words below.',
      'Paste them into a message, choose who it is for, and send it.',
    ],
  },
};
