export const bankText =
  'Your bank is still deciding. Nothing is lost and nothing is charged twice: we check every few seconds, and you can also come back later.';
