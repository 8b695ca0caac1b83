/** A message of the buyer (`b`) or seller (`s`), `hours` after the previous one. */
export type Line = { from: 'b' | 's'; hours: number; text: string };

/** The demo buyer's conversations; if not `seen`, the last lines are unread. */
export const buyerConversations: readonly { daysAgo: number; seen: boolean; lines: readonly Line[] }[] = [
  {
    daysAgo: 0.2,
    seen: false,
    lines: [
      {
        from: 'b',
        hours: 0,
        text: 'Kia ora,\n\nwe are after a quote for our place in {t}. It is a single-storey weatherboard from the sixties. When would you have time to come and have a look?',
      },
      { from: 's', hours: 1.2, text: 'Kia ora Sam, happy to. I am in {t} on Thursday anyway. Would 8.30 in the morning suit?' },
      { from: 'b', hours: 0.4, text: 'Thursday 8.30 is perfect. Shall I send some photos first?' },
      { from: 's', hours: 0.9, text: 'Yes please, the more the better. One from the street and one of each side.' },
      { from: 's', hours: 0.1, text: 'And what we charge stands here, so there are no surprises: https://example.com/prices' },
    ],
  },
  {
    daysAgo: 1.1,
    seen: false,
    lines: [
      { from: 'b', hours: 0, text: 'Hello, do you also come out on a Saturday? We both work during the week.' },
      {
        from: 's',
        hours: 3.5,
        text: 'Hi Sam, we do Saturdays until noon, at the weekday price. The next free one is in two weeks. Shall I pencil you in?',
      },
    ],
  },
  {
    daysAgo: 6,
    seen: true,
    lines: [
      { from: 'b', hours: 0, text: 'Hi there, could you give me a rough price and tell me how soon you could start?' },
      { from: 's', hours: 20, text: 'Hi Sam, roughly two days of work. We could start on the Monday after next.' },
      { from: 'b', hours: 2, text: 'Thanks, that sounds fair. I will talk it over at home and come back to you.' },
      { from: 's', hours: 0.5, text: 'No rush at all.' },
      { from: 'b', hours: 26, text: 'We would like to go ahead. Monday works.' },
      { from: 's', hours: 1, text: 'Great, you are in the book. We will be there at 7.45, kettle on!' },
    ],
  },
  {
    daysAgo: 12,
    seen: true,
    lines: [{ from: 'b', hours: 0, text: 'Hello, I am looking for somebody for a small job in {t}. Is that something you do?' }],
  },
];

/** The demo seller's conversations, each about her listing in a sub-category. */
export const sellerConversations: readonly { about: number; daysAgo: number; seen: boolean; lines: readonly Line[] }[] = [
  {
    about: 205,
    daysAgo: 0.1,
    seen: false,
    lines: [
      { from: 'b', hours: 0, text: 'Kia ora Mere, a friend recommended you. Are you taking on new work before Christmas?' },
      { from: 'b', hours: 0.05, text: 'It is the whole upstairs, about 60 square metres.' },
    ],
  },
  {
    about: 1004,
    daysAgo: 0.8,
    seen: false,
    lines: [
      { from: 'b', hours: 0, text: 'Hello, what would a visit and a written quote cost?' },
      { from: 's', hours: 0.7, text: 'Hi, both are free within 30 kilometres of {t}. Where are you?' },
      { from: 'b', hours: 5, text: 'Just around the corner, ten minutes by car. Any morning next week is good.' },
    ],
  },
  {
    about: 205,
    daysAgo: 3,
    seen: true,
    lines: [
      { from: 'b', hours: 0, text: 'Hi Mere, can you bring the colour cards as well?' },
      { from: 's', hours: 1.5, text: 'Sure, they are in the van. See you tomorrow at nine.' },
    ],
  },
  {
    about: 1201,
    daysAgo: 9,
    seen: true,
    lines: [
      { from: 'b', hours: 0, text: 'Good morning, the work looks wonderful. Could I have the invoice made out to my mother?' },
      { from: 's', hours: 0.6, text: 'Of course. I need her full name and address, then you have it today.' },
      { from: 'b', hours: 0.3, text: 'On its way by email. Ngā mihi nui!' },
    ],
  },
];

/** Businesses' replies to first messages. */
export const answers = [
  'Kia ora, thanks for getting in touch. Yes, we do that. Which day would suit you for a look?',
  'Hi, happy to help. Could you send a couple of photos so that I can give you a price?',
  'Hello, thanks for your message. We are booked until the end of the month, after that any day works.',
  'Hi there, yes, that is our bread and butter. I could come by on Tuesday after four.',
  'Thanks for asking us. A rough price over the phone is easy: when can I ring you?',
  'Kia ora, we come out to you, no problem. There is no charge for the quote.',
  'Hi, that sounds doable. How big is it, more or less?',
  'Hello, we have a free slot this Friday morning. Shall I put you down for it?',
] as const;
