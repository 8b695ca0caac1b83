const addresses = new WeakMap<Blob, string>();

/**
 * An address under which the browser shows a file that is not uploaded yet: the same file, the same address. It holds until the page is
 * left; what it keeps from being freed is a reference to the file on disk, not its content.
 */
export function objectUrl(file: Blob): string {
  const known = addresses.get(file);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(file);
  addresses.set(file, address);
  return address;
}
