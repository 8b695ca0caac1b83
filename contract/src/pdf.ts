export const maxPdfBytes = 10 * 1024 * 1024;

export const pdfProblem = 'is not a PDF. Save it as a PDF and try that.';

/** A reader finds the beginning of a PDF in so many bytes: mail gateways and printers write something before it. */
export const pdfHeadBytes = 1_024;

/** Whether a file's first `pdfHeadBytes` are those of a PDF, with nothing before it that could be the markup of a page. */
export const isPdf = (head: Uint8Array): boolean => /^[^<]*%PDF-\d/.test(String.fromCharCode(...head.subarray(0, pdfHeadBytes)));
