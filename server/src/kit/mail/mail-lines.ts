import { Parser } from 'htmlparser2';

/** A line of an email. */
export type Line = {
  /** As the writer sees it. */
  raw: string;
  /** Without the marks of a quote. */
  text: string;
  /** Whether the mail program marks it as a quote: `maybe` if the writer could have made that mark. */
  quoted: 'no' | 'maybe' | 'yes';
  /** Targets of links, which the text need not show. */
  links: string[];
  /** Content ids of pictures in it. */
  images: string[];
};

const quoteMarks = /^\s{0,4}>[\s>]*/;

export const textToLines = (text: string): Line[] =>
  text.split(/\r\n|\r|\n/).map((raw) => {
    const marks = quoteMarks.exec(raw)?.[0];
    return { raw, text: raw.slice(marks?.length ?? 0), quoted: marks === undefined ? 'no' : 'maybe', links: [], images: [] };
  });

const unseen = new Set(['head', 'title', 'style', 'script', 'template']);
const blocks = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th tfoot thead tr ul'.split(
    ' ',
  ),
);
const spaced = new Set(['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ol', 'p', 'pre', 'table', 'ul']);
/** Elements that hold the quoted mail alone. Gmail's `div.gmail_quote` is not one of them: answers between the quoted lines are inside it. */
const quoteClasses = /(?:^|\s)(?:x_)*(?:gmail_attr|moz-cite-prefix|protonmail_quote|tutanota_quote|yahoo_quoted)(?:\s|$)/;
const signatureClasses = /(?:^|\s)(?:x_)*(?:gmail_signature|moz-signature|protonmail_signature_block)(?:\s|$)/;

function isCited(name: string, { class: classes = '', type }: Record<string, string>) {
  return quoteClasses.test(classes) || (name === 'blockquote' && (type === 'cite' || /(?:^|\s)(?:x_)*gmail_quote(?:\s|$)/.test(classes)));
}

/** Mail programs nest a table in a table a few times. The parser takes quadratic time for deep nesting. */
const maxDepth = 1_000;

/** Reads HTML in one pass, without a tree. Throws if it is nested too deeply. */
export function htmlToLines(html: string): Line[] {
  const lines: Line[] = [];
  const open: { hides: boolean; cites: boolean; indents: boolean; preformats: boolean }[] = [];
  const depth = { hides: 0, cites: 0, indents: 0, preformats: 0 };
  let text = '';
  let links: string[] = [];
  let images: string[] = [];
  let target: string | undefined;

  const end = () => {
    const whole = text.trim();
    if (whole !== '' || images.length > 0 || links.length > 0) {
      const quoted = depth.cites > 0 ? 'yes' : depth.indents > 0 ? 'maybe' : 'no';
      lines.push({ raw: whole, text: whole, quoted, links, images });
    }
    text = '';
    links = [];
    images = [];
  };
  const addBlank = () => {
    if (lines.at(-1)?.raw !== '') lines.push({ raw: '', text: '', quoted: 'no', links: [], images: [] });
  };
  const count = (level: (typeof open)[number], by: number) => {
    for (const key of ['hides', 'cites', 'indents', 'preformats'] as const) if (level[key]) depth[key] += by;
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const { class: classes = '', style = '', src = '', href = '' } = attributes;
        if (blocks.has(name)) end();
        if (spaced.has(name)) addBlank();
        if (name === 'br') {
          if (text.trim() === '') addBlank();
          else end();
        }
        const level = {
          hides: unseen.has(name) || signatureClasses.test(classes) || /display\s{0,9}:\s{0,9}none/i.test(style),
          cites: isCited(name, attributes),
          indents: name === 'blockquote',
          preformats: name === 'pre',
        };
        open.push(level);
        if (open.length > maxDepth) throw new Error('HTML is nested too deeply');
        count(level, 1);
        if (depth.hides > 0) return;
        if (name === 'img' && /^cid:/i.test(src)) images.push(src.slice(4));
        if (name === 'li') text = '- ';
        if (name === 'a') target = href;
      },
      ontext(part) {
        if (depth.hides > 0) return;
        if (target !== undefined) links.push(target);
        target = undefined;
        const [first = '', ...others] = depth.preformats > 0 ? part.split('\n') : [part.replaceAll(/\s+/g, ' ')];
        text += first;
        for (const other of others) {
          end();
          text = other;
        }
      },
      onclosetag(name) {
        if (blocks.has(name)) end();
        const level = open.pop();
        if (level) count(level, -1);
        if (spaced.has(name)) addBlank();
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  parser.end();
  end();
  return lines;
}
