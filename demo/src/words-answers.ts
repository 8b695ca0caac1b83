/** Businesses' answers to good, middling and bad reviews. */
export const gladAnswers = [
  'Thanks so much. It was a pleasure, and the tea was appreciated.',
  'Cheers for taking the time to write this. It means a lot to a small crew.',
  'Thank you! Give us a ring if anything needs a tweak.',
  'Glad it all came together. Enjoy it!',
  'Thanks for having us, and for letting the neighbours know we were coming.',
  'Really kind of you. I have read this out to the team. {o}',
  'Thank you. See you at the next job.',
  'Ka pai, thanks for the kind words.',
];

export const middlingAnswers = [
  'Fair point about the timing. We have added a text the evening before since then. Thanks for telling us.',
  'Thanks for the honest words. Please call me if it has not settled down by now and I will come by. {o}',
  'We could have explained the extra hour better. Thank you for saying so.',
  'Thank you. We have taken the note about tidying up to heart.',
  'Point taken. The quote now lists what is not in it, so nobody has to ask.',
];

export const unhappyAnswers = [
  'I am sorry this went wrong. I have tried to ring you and would like to put it right at no cost. {o}',
  'This is not how we want to work, and I apologise. The part was delayed and we should have told you sooner.',
  'Sorry about the wait. We were a person short that week and ought to have said so when you booked.',
  'We see this differently, but we hear you. Our offer to come back and look at it together stands.',
  'Thank you for being straight with us. We have refunded the call-out and changed how we book.',
  'I am sorry. You were right about the finish, and we will redo it when it suits you. {o}',
];
