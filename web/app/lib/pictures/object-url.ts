const addresses = new WeakMap<Blob, string>();

/** An object URL for a file, one per file, valid until the page is left. It holds a reference to the file on disk, not its content. */
export function objectUrl(file: Blob): string {
  const known = addresses.get(file);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(file);
  addresses.set(file, address);
  return address;
}
