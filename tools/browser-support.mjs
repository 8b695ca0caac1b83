// Reports what the scripts and styles of the built site need that the oldest promised browsers lack, by MDN's compatibility data.
// A name counts as new if every feature of that name is newer than the promise: types are unknown in built scripts.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import postcss from 'postcss';
import { oldestBrowsers } from '../contract/src/site/browsers.ts';
import { root } from './install.mjs';

const data = createRequire(import.meta.url)('@mdn/browser-compat-data');

const { safari, ios, firefox, chrome, edge } = oldestBrowsers;
const promised = { safari, safari_ios: ios, firefox, chrome, chrome_android: chrome, edge, webview_android: chrome };

/** What is newer but used, and why that does no harm. */
const harmless = {
  'attribute popover': 'polyfilled in entry.client.tsx',
  'attribute popovertarget': 'polyfilled in entry.client.tsx',
  'attribute popovertargetaction': 'polyfilled in entry.client.tsx',
  'HTMLElement.hidePopover': 'polyfilled in entry.client.tsx',
  'HTMLElement.showPopover': 'polyfilled in entry.client.tsx',
  ':popover-open': 'forgiven within :is(), with the class of the polyfill beside it',
  'attribute fetchpriority': 'only a hint',
  'text-wrap': 'lines break as usual without it',
  'scrollbar-width': 'the scroll bar is seen without it',
  'field-sizing': 'the field has its usual height without it',
  'Navigator.share': 'asked for first',
  'Set.union': 'a method of zod; the compiler refuses the method of sets',
  'Iterator.take': 'a method of our own; the compiler refuses the method of iterators',
};
/** The same for packages, which are checked only as part of the bundles. */
const harmlessInBundles = {
  'Element.startViewTransition': 'React Router asks for it first',
  'AsyncDisposableStack.use': 'React’s `use`',
  'EventTarget.when': 'a method of zod',
  'Error.captureStackTrace': 'zod asks for it first',
  'URL.canParse': 'zod asks for it first',
  'Uint8Array.toHex': '@noble asks for it first',
  'Uint8Array.fromHex': '@noble asks for it first',
  'Iterator.toArray': 'a method of @dnd-kit',
  'PublicKeyCredential.isConditionalMediationAvailable': '@simplewebauthn asks for it first',
  'PublicKeyCredential.getClientCapabilities': '@simplewebauthn asks for it first',
};

const parts = (version) => version.replace('≤', '').split('.').map(Number);
function isAtMost(version, limit) {
  const [one, other] = [parts(version), parts(limit)];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}
const held = ({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }, limit) =>
  typeof added === 'string' &&
  added !== 'preview' &&
  !(typeof removed === 'string' && isAtMost(removed, limit)) &&
  !flags &&
  !prefix &&
  !other &&
  isAtMost(added, limit);

/**
 * The promised browsers that lack a feature, with the first version that has it. None if no browser got it later than promised: what some will
 * never have, such as the mouse's pointers on an iPhone, is used with that in mind.
 */
function newerIn(feature) {
  const support = feature?.__compat?.support;
  if (!support) return [];
  const missing = Object.entries(promised).flatMap(([browser, limit]) => {
    const statements = [support[browser] ?? []].flat();
    if (statements.length === 0 || statements.some((statement) => held(statement, limit))) return [];
    return [`${browser} ${statements[0].version_added || 'never'}`];
  });
  return missing.every((one) => one.endsWith(' never')) ? [] : missing;
}

const interfaces = { ...data.api, ...data.javascript.builtins };
const instances = {
  navigator: 'Navigator',
  document: 'Document',
  window: 'Window',
  self: 'Window',
  globalThis: 'Window',
  location: 'Location',
  history: 'History',
  performance: 'Performance',
  crypto: 'Crypto',
  screen: 'Screen',
  localStorage: 'Storage',
  sessionStorage: 'Storage',
};
const membersOf = (feature) => Object.entries(feature).filter(([name]) => name !== '__compat' && /^[a-z]\w*$/i.test(name));

// Other interfaces have methods with everyday names, such as `build` and `run`, that scripts give to objects of their own.
const common =
  /^(Abort\w+|Array|ArrayBuffer|Async\w+|Blob|Clipboard|CSSStyleSheet|Document|DocumentFragment|Element|Event|EventTarget|File|FormData|Headers|History|HTML(Dialog|Form|Image|Input|Select)?Element|Iterator|Map|MediaQueryList|Navigator|Node|Object|Promise|Range|ReadableStream|Request|Response|Selection|Set|ShadowRoot|String|URL\w*|Weak\w+|Window|\w*Array)$/;
/** Methods that are new wherever they exist, by name. */
const newMethods = new Map();
const members = Object.entries(interfaces).flatMap(([owner, feature]) =>
  membersOf(feature).map(([key, member]) => ({ owner, name: key.replace(/_static$/, ''), missing: newerIn(member) })),
);
const known = new Set(members.filter(({ missing }) => missing.length === 0).map(({ name }) => name));
for (const { owner, name, missing } of members) {
  if (common.test(owner) && !known.has(name)) newMethods.set(name, { feature: `${owner}.${name}`, missing });
}

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string';
function* nodesIn(node, ancestors = []) {
  yield [node, ancestors];
  const within = [...ancestors, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child, within);
  }
}

const nameOf = ({ property, computed }) => (computed ? (property.type === 'Literal' ? property.value : undefined) : property.name);

/** Names that the script declares itself: the same name elsewhere in the file is then not the browser's. */
function declaredIn(program) {
  const declared = new Set();
  const addPattern = (pattern) => {
    for (const [node] of nodesIn(pattern)) if (node.type === 'Identifier') declared.add(node.name);
  };
  for (const [node] of nodesIn(program)) {
    if (node.type === 'VariableDeclarator') addPattern(node.id);
    if (/Function|^Class/.test(node.type)) {
      if (node.id) declared.add(node.id.name);
      for (const param of node.params ?? []) addPattern(param);
    }
    if (node.type === 'CatchClause' && node.param) addPattern(node.param);
    if (/^Import\w*Specifier$/.test(node.type)) declared.add(node.local.name);
  }
  return declared;
}

/** What a script needs that a promised browser lacks. */
export function newerInScript(text, name = 'script.js') {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  const declared = declaredIn(program);
  const found = [];
  const report = (node, feature, missing) => {
    if (missing.length > 0) found.push({ feature, missing, line: text.slice(0, node.start).split('\n').length });
  };
  const isGlobal = (node) => node?.type === 'Identifier' && !declared.has(node.name);
  for (const [node, ancestors] of nodesIn(program)) {
    const parent = ancestors.at(-1);
    if (node.type === 'MemberExpression') {
      const member = nameOf(node);
      if (typeof member !== 'string' || isChecked(node, parent)) continue;
      const owner = isGlobal(node.object) ? (instances[node.object.name] ?? node.object.name) : undefined;
      const feature = owner && Object.hasOwn(interfaces, owner) ? interfaces[owner] : undefined;
      const own = feature && (feature[`${member}_static`] ?? feature[member]);
      if (own) report(node, `${owner}.${member}`, newerIn(own));
      else if (parent?.type === 'CallExpression' && parent.callee === node && newMethods.has(member)) {
        const { feature: likely, missing } = newMethods.get(member);
        report(node, likely, missing);
      }
    } else if (isGlobal(node) && Object.hasOwn(interfaces, node.name) && !isNameOnly(node, parent)) {
      report(node, node.name, newerIn(interfaces[node.name]));
    } else if (node.type === 'Literal' && node.regex) {
      const { pattern, flags } = node.regex;
      const syntax = data.javascript.regular_expressions;
      if (flags.includes('v')) report(node, 'regular expression with v', newerIn(interfaces.RegExp.unicodeSets));
      if (/\(\?[ims-]+:/.test(pattern)) report(node, 'regular expression with modifiers', newerIn(syntax.modifier));
      if (/\(\?<[=!]/.test(pattern)) report(node, 'regular expression with lookbehind', newerIn(syntax.lookbehind_assertion));
    } else if (node.type === 'JSXAttribute' && parent?.name.type === 'JSXIdentifier' && /^[a-z]/.test(parent.name.name)) {
      const attribute = String(node.name.name).toLowerCase();
      const element = data.html.elements[parent.name.name];
      report(node, `attribute ${attribute}`, newerIn(data.html.global_attributes[attribute] ?? element?.[attribute]));
    }
  }
  return found;
}

// `navigator.share?.()` and `typeof Worker` ask whether it is there.
const isChecked = (node, parent) =>
  (parent?.type === 'CallExpression' && parent.callee === node && parent.optional) ||
  (parent?.type === 'MemberExpression' && parent.object === node && parent.optional) ||
  (parent?.type === 'UnaryExpression' && parent.operator === 'typeof');
const isNameOnly = (node, parent) =>
  (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
  (parent?.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand) ||
  (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') ||
  /^(JSX|MethodDefinition|PropertyDefinition|LabeledStatement|BreakStatement|ContinueStatement|ExportSpecifier|TS)/.test(
    parent?.type ?? '',
  );

/** What a style sheet needs that a promised browser lacks, outside `@supports`. */
export function newerInStyle(text, name = 'style.css') {
  const found = [];
  const { properties, selectors, types, 'at-rules': rules } = data.css;
  const isConditional = (node) => {
    for (let at = node.parent; at; at = at.parent) if (at.type === 'atrule' && at.name === 'supports') return true;
    return false;
  };
  const isPrefixed = ({ prop, parent }) => prop !== undefined && parent.nodes.some((other) => other.prop === `-webkit-${prop}`);
  const report = (node, feature, missing) => {
    if (missing.length > 0 && !isConditional(node) && !isPrefixed(node)) found.push({ feature, missing, line: node.source.start.line });
  };
  postcss.parse(text, { from: name }).walk((node) => {
    if (node.type === 'atrule') report(node, `@${node.name}`, newerIn(rules[node.name]));
    if (node.type === 'rule') {
      if (node.parent?.type === 'rule') report(node, 'nested rule', newerIn(selectors.nesting));
      for (const [, pseudo] of node.selector.matchAll(/(?<!\\):+([a-z-]+)/g)) report(node, `:${pseudo}`, newerIn(selectors[pseudo]));
    }
    if (node.type !== 'decl' || node.prop.startsWith('--')) return;
    const property = properties[node.prop];
    report(node, node.prop, newerIn(property));
    for (const [, word, open] of node.value.matchAll(/([a-z][a-z-]+)(\()?/g)) {
      if (open) report(node, `${word}()`, newerIn(types[word] ?? types.color?.[word] ?? property?.[word]));
      else report(node, `${node.prop}: ${word}`, newerIn(property?.[word]));
    }
    if (/\d[dsl]v[hwib]\b/.test(node.value)) {
      report(node, 'dynamic viewport units', newerIn(types.length.viewport_percentage_units_dynamic));
    }
  });
  return found;
}

/** Whether a use is listed as harmless. A CSS value is named by its property. */
export const isHarmless = ({ feature }, isBundle) =>
  Object.hasOwn(harmless, feature.replace(/: .*/, '')) || (isBundle && Object.hasOwn(harmlessInBundles, feature));

if (import.meta.main) {
  const places = [
    { pattern: '{contract,proof}/src/**/*.ts', check: newerInScript },
    { pattern: 'web/app/**/*.{ts,tsx}', check: newerInScript },
    { pattern: 'web/service-worker.js', check: newerInScript },
    { pattern: 'web/build/client/assets/*.js', check: newerInScript, isBundle: true },
    { pattern: 'web/build/client/assets/*.css', check: newerInStyle, isBundle: true },
  ];
  const skipped = /\.(test|server)\.\w+$|entry\.server|\/proof\/src\/cli/;
  for (const { pattern, check, isBundle = false } of places) {
    const files = globSync(join(root, pattern)).filter((file) => !skipped.test(file));
    if (files.length === 0) throw new Error(`no files: ${pattern}`);
    for (const file of files) {
      for (const use of check(readFileSync(file, 'utf8'), file).filter((one) => !isHarmless(one, isBundle))) {
        console.log(`${relative(root, file)}:${use.line}: ${use.feature} (${use.missing.join(', ')})`);
        process.exitCode = 1;
      }
    }
  }
}
