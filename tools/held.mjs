/** Keeps what is said from a stream until it is to be shown; from then on it is passed on at once. */
export function held(stream) {
  const chunks = [];
  let isShown = false;
  return {
    say: (chunk) => void (isShown ? stream.write(chunk) : chunks.push(chunk)),
    show() {
      isShown = true;
      for (const chunk of chunks.splice(0)) stream.write(chunk);
    },
  };
}
