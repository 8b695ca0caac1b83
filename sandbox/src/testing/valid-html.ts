import { HtmlValidate } from 'html-validate/node';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // React's style of HTML is valid too.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'void-style': 'off',
    // Two names of one role; the library for dropped files uses the older one.
    'presentation-role-style': 'off',
    // React's own ids begin with an underscore, which HTML allows.
    'valid-id': ['error', { relaxed: true }],
    // Tiles and pictures have their own colours; the content security policy allows no other inline style.
    'no-inline-style': 'off',
  },
});

/** Violations of the HTML standard and accessibility rules in a document. */
export async function faultsOfHtml(document: string): Promise<string[]> {
  const { results } = await validator.validateString(document);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`));
}
