/** How wide a card's picture is shown, by window width. */
export const cardSizes = '(min-width: 1264px) 282px, (min-width: 900px) 31vw, (min-width: 600px) 46vw, 320px';
