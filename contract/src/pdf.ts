export const maxPdfBytes = 10 * 1024 * 1024;

export const pdfProblem = 'is not a PDF. Save it as a PDF and try that.';

/** Whether a file's first bytes are those of a PDF; some programs write a byte order mark or line breaks before them. */
export const isPdf = (head: Uint8Array): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?[\r\n\t ]{0,32}%PDF-\d/.test(String.fromCharCode(...head.subarray(0, 64)));
