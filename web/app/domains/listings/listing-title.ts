import { slug } from '@handwise/contract/text';

/** The title with its place, which many a seller has written into it already. */
export function titleInPlace({ title, district }: { title: string; district: string }): string {
  const words = (text: string) => ` ${slug(text).replaceAll('-', ' ')} `;
  return words(title).includes(words(district)) ? title : `${title} in ${district}`;
}
