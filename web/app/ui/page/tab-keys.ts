/** Which tab a key leads to from the chosen one: the next that can be chosen, around the ends. Undefined where the key is none of a tab list. */
export function tabOfKey<Id extends string>(tabs: readonly { id: Id; disabled?: boolean }[], chosen: Id, key: string): Id | undefined {
  const open = tabs.filter(({ disabled }) => !disabled);
  const at = open.findIndex(({ id }) => id === chosen);
  switch (key) {
    case 'ArrowRight':
      return open[(at + 1) % open.length]?.id;
    case 'ArrowLeft':
      return open.at(at - 1)?.id;
    case 'Home':
      return open[0]?.id;
    case 'End':
      return open.at(-1)?.id;
    default:
      return undefined;
  }
}
