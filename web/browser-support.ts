// Reports what the scripts and styles of the built site need that the oldest promised browsers lack, by MDN's compatibility data.
// A name counts as new if every feature of that name is newer than the promise: types are unknown in built scripts.
import { createRequire } from 'node:module';
import { oldestBrowsers } from '@handwise/contract/site/browsers';
import type { BrowserName, CompatData, Identifier as Feature, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { parseSync } from 'oxc-parser';
import postcss, { type AnyNode } from 'postcss';

const data = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;

/** A feature of a script or style sheet, and which promised browsers lack it: `safari 18`. */
export type NewerUse = { feature: string; missing: string[]; line: number };

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
  'Performance.interactionCount': 'web-vitals asks for it first',
  PerformanceEventTiming: 'web-vitals asks for it first',
  'Window.requestIdleCallback': 'web-vitals takes a timer without it',
  'Window.cancelIdleCallback': 'web-vitals takes a timer without it',
  'PublicKeyCredential.isConditionalMediationAvailable': '@simplewebauthn asks for it first',
  'PublicKeyCredential.getClientCapabilities': '@simplewebauthn asks for it first',
};

const parts = (version: string) => version.replace('≤', '').split('.').map(Number);
function isAtMost(version: string, limit: string): boolean {
  const [one, other] = [parts(version), parts(limit)];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}
const isHeld = (
  { version_added: added, version_removed: removed, flags, prefix, alternative_name: other }: SimpleSupportStatement,
  limit: string,
) =>
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
function newerIn(feature: Feature | undefined): string[] {
  const support = feature?.__compat?.support;
  if (!support) return [];
  const missing = Object.entries(promised).flatMap(([browser, limit]) => {
    const statements = [support[browser as BrowserName] ?? []].flat();
    if (statements.length === 0 || statements.some((statement) => isHeld(statement, limit))) return [];
    return [`${browser} ${statements[0]?.version_added || 'never'}`];
  });
  return missing.every((one) => one.endsWith(' never')) ? [] : missing;
}

const interfaces: Record<string, Feature> = { ...data.api, ...data.javascript.builtins };
const instances: Record<string, string> = {
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

type Member = { owner: string; name: string; isStatic: boolean; missing: string[] };
const members: Member[] = Object.entries(interfaces).flatMap(([owner, feature]) =>
  Object.entries(feature)
    .filter(([key]) => key !== '__compat' && /^[a-z]\w*$/i.test(key))
    .map(([key, member]) => {
      const name = key.replace(/_static$/, '');
      return { owner, name, isStatic: name !== key || isBuiltInStatic(owner, name), missing: newerIn(member as Feature) };
    }),
);
/** The data marks the static members of the web's interfaces, not those of the language. */
function isBuiltInStatic(owner: string, name: string): boolean {
  const holder: unknown = Reflect.get(globalThis, owner);
  return !(owner in data.api) && typeof holder === 'function' && Object.hasOwn(holder, name);
}

// Other interfaces have methods with everyday names, such as `build` and `run`, that scripts give to objects of their own.
const common =
  /^(Abort\w+|Array|ArrayBuffer|Async\w+|Blob|Clipboard|CSSStyleSheet|Document|DocumentFragment|Element|Event|EventTarget|File|FormData|Headers|History|HTML(Dialog|Form|Image|Input|Select)?Element|Iterator|Map|MediaQueryList|Navigator|Node|Object|Promise|Range|ReadableStream|Request|Response|Selection|Set|ShadowRoot|String|URL\w*|Weak\w+|Window|\w*Array)$/;
const known = new Set(members.filter(({ missing }) => missing.length === 0).map(({ name }) => name));
/** Methods that are new wherever they exist, by name. */
const newMethods = new Map(
  members.filter(({ owner, name }) => common.test(owner) && !known.has(name)).map((member) => [member.name, member]),
);

/** What browsers have that a promised one lacks: whole interfaces, and members of older ones. For a journey that deletes them. */
export const newerApis = {
  interfaces: Object.keys(interfaces).filter((name) => newerIn(interfaces[name]).length > 0),
  members: members
    .filter(({ owner, missing }) => missing.length > 0 && newerIn(interfaces[owner]).length === 0)
    .map(({ owner, name, isStatic }) => ({ owner, name, isStatic })),
};

type Node = { type: string; start: number } & Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const child = (node: Node | undefined, key: string) => (isNode(node?.[key]) ? node[key] : undefined);
const children = (node: Node) => Object.values(node).flat().filter(isNode);

function* nodesIn(node: Node, parent?: Node): Generator<[Node, Node | undefined]> {
  yield [node, parent];
  for (const inner of children(node)) yield* nodesIn(inner, node);
}

/** Names that the script declares itself: the same name elsewhere in the file is then not the browser's. */
function declaredIn(program: Node): Set<unknown> {
  const declared = new Set<unknown>();
  const addPattern = (pattern: unknown) => {
    if (!isNode(pattern)) return;
    for (const [{ type, name }] of nodesIn(pattern)) if (type === 'Identifier') declared.add(name);
  };
  for (const [node] of nodesIn(program)) {
    if (node.type === 'VariableDeclarator') addPattern(node['id']);
    if (/Function|^Class/.test(node.type)) {
      addPattern(node['id']);
      for (const param of [node['params'] ?? []].flat()) addPattern(param);
    }
    if (node.type === 'CatchClause') addPattern(node['param']);
    if (/^Import\w*Specifier$/.test(node.type)) addPattern(node['local']);
  }
  return declared;
}

// `navigator.share?.()` and `typeof Worker` ask whether it is there.
const isAskedFor = (node: Node, parent: Node | undefined) =>
  (parent?.type === 'CallExpression' && parent['callee'] === node && parent['optional']) ||
  (parent?.type === 'MemberExpression' && parent['object'] === node && parent['optional']) ||
  (parent?.type === 'UnaryExpression' && parent['operator'] === 'typeof');
const isNameOnly = (node: Node, parent: Node | undefined) =>
  (parent?.type === 'MemberExpression' && parent['property'] === node && !parent['computed']) ||
  (parent?.type === 'Property' && parent['key'] === node && !parent['computed'] && !parent['shorthand']) ||
  /^(JSX|MethodDefinition|PropertyDefinition|LabeledStatement|BreakStatement|ContinueStatement|ExportSpecifier|TS)/.test(
    parent?.type ?? '',
  ) ||
  isAskedFor(node, parent);

type Report = (feature: string, missing: string[]) => void;

function checkMember(node: Node, parent: Node | undefined, isGlobal: (node: Node | undefined) => boolean, report: Report) {
  const [object, property] = [child(node, 'object'), child(node, 'property')];
  const member = node['computed'] ? property?.['value'] : property?.['name'];
  if (typeof member !== 'string' || isAskedFor(node, parent)) return;
  const name = String(object?.['name']);
  const owner = isGlobal(object) ? (instances[name] ?? name) : undefined;
  const feature = owner !== undefined && Object.hasOwn(interfaces, owner) ? interfaces[owner] : undefined;
  const own = feature?.[`${member}_static`] ?? feature?.[member];
  if (own) return report(`${owner}.${member}`, newerIn(own));
  const likely = newMethods.get(member);
  if (likely && parent?.type === 'CallExpression' && parent['callee'] === node) report(`${likely.owner}.${member}`, likely.missing);
}

function checkPattern({ pattern, flags }: { pattern: string; flags: string }, report: Report) {
  const syntax = data.javascript.regular_expressions;
  if (flags.includes('v')) report('regular expression with v', newerIn(interfaces['RegExp']?.['unicodeSets']));
  if (/\(\?[ims-]+:/.test(pattern)) report('regular expression with modifiers', newerIn(syntax?.['modifier']));
  if (/\(\?<[=!]/.test(pattern)) report('regular expression with lookbehind', newerIn(syntax?.['lookbehind_assertion']));
}

function checkAttribute(node: Node, parent: Node | undefined, report: Report) {
  const element = String(child(parent, 'name')?.['name']);
  if (!/^[a-z]/.test(element)) return;
  const attribute = String(child(node, 'name')?.['name']).toLowerCase();
  report(`attribute ${attribute}`, newerIn(data.html['global_attributes']?.[attribute] ?? data.html['elements']?.[element]?.[attribute]));
}

/** What a script needs that a promised browser lacks. Its extension says whether it has types or elements. */
export function newerInScript(text: string, file = 'script.js'): NewerUse[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const root = program as unknown as Node;
  const declared = declaredIn(root);
  const isGlobal = (node: Node | undefined) => node?.type === 'Identifier' && !declared.has(node['name']);
  const found: NewerUse[] = [];
  for (const [node, parent] of nodesIn(root)) {
    const report: Report = (feature, missing) => {
      if (missing.length > 0) found.push({ feature, missing, line: text.slice(0, node.start).split('\n').length });
    };
    const name = String(node['name']);
    if (node.type === 'MemberExpression') checkMember(node, parent, isGlobal, report);
    else if (node.type === 'JSXAttribute') checkAttribute(node, parent, report);
    else if (node.type === 'Literal' && node['regex']) checkPattern(node['regex'] as { pattern: string; flags: string }, report);
    else if (isGlobal(node) && Object.hasOwn(interfaces, name) && !isNameOnly(node, parent)) report(name, newerIn(interfaces[name]));
  }
  return found;
}

const isConditional = ({ parent }: AnyNode): boolean =>
  parent !== undefined &&
  ((parent.type === 'atrule' && 'name' in parent && parent.name === 'supports') || isConditional(parent as AnyNode));

/** What a style sheet needs that a promised browser lacks, outside `@supports`. */
export function newerInStyle(text: string, file = 'style.css'): NewerUse[] {
  const { properties, selectors, types, 'at-rules': rules } = data.css;
  const found: NewerUse[] = [];
  postcss.parse(text, { from: file }).walk((node) => {
    if (isConditional(node)) return;
    const report: Report = (feature, missing) => {
      if (missing.length > 0) found.push({ feature, missing, line: node.source?.start?.line ?? 0 });
    };
    if (node.type === 'atrule') report(`@${node.name}`, newerIn(rules?.[node.name]));
    if (node.type === 'rule') {
      if (node.parent?.type === 'rule') report('nested rule', newerIn(selectors?.['nesting']));
      for (const [, pseudo = ''] of node.selector.matchAll(/(?<!\\):+([a-z-]+)/g)) report(`:${pseudo}`, newerIn(selectors?.[pseudo]));
    }
    if (node.type !== 'decl' || node.prop.startsWith('--')) return;
    if (node.parent?.some((other) => other.type === 'decl' && other.prop === `-webkit-${node.prop}`)) return;
    const property = properties?.[node.prop];
    report(node.prop, newerIn(property));
    for (const [, word = '', open] of node.value.matchAll(/([a-z][a-z-]+)(\()?/g)) {
      if (open) report(`${word}()`, newerIn(types?.[word] ?? types?.['color']?.[word] ?? property?.[word]));
      else report(`${node.prop}: ${word}`, newerIn(property?.[word]));
    }
    if (/\d[dsl]v[hwib]\b/.test(node.value)) {
      report('dynamic viewport units', newerIn(types?.['length']?.['viewport_percentage_units_dynamic']));
    }
  });
  return found;
}

/** Whether a use is listed as harmless. A CSS value is named by its property. */
export const isHarmless = ({ feature }: Pick<NewerUse, 'feature'>, isBundle: boolean) =>
  Object.hasOwn(harmless, feature.replace(/: .*/, '')) || (isBundle && Object.hasOwn(harmlessInBundles, feature));
