import type { Dialect } from '@stagecraft/dialects'
import { type DialectName, PRESET_NAMES, type PresetName, StagecraftError } from '@stagecraft/spec'
import { TEMPLATES } from '@stagecraft/templates'
import { nunjucks } from './nunjucks.ts'
import { resolveDialect } from '../config/settings.ts'
import { oncePerObject, remember } from '../memo.ts'
import type { Description } from '../plan/plan.ts'
import { type SqlCheck, loadSqlCheck } from '../verify/sql-parser.ts'
import { createYamlPrinter, indentLines } from './print-yaml.ts'
import { printDescription } from './property-trees.ts'

/** The runtime through which compiled templates read values; nunjucks passes it to every render function. */
interface Runtime {
  memberLookup(target: unknown, key: unknown): unknown
}

type RenderArguments = readonly [
  environment: unknown,
  context: unknown,
  frame: unknown,
  runtime: Runtime,
  done: unknown,
]
type RenderFunction = (...passed: RenderArguments) => void

/** The part of nunjucks that its types leave out. */
interface CompiledTemplate {
  compile(): void
  rootRenderFunc: RenderFunction
  blocks: Record<string, RenderFunction>
}

/**
 * Sandboxes a template: it only sees its data. Plain nunjucks exposes every property of every value, so
 * `''.constructor.constructor` could run any code.
 */
function closeIn(template: nunjucks.Template): nunjucks.Template {
  const compiled = template as unknown as CompiledTemplate
  compiled.compile()
  compiled.rootRenderFunc = closed(compiled.rootRenderFunc)
  for (const [name, block] of Object.entries(compiled.blocks)) compiled.blocks[name] = closed(block)
  return template
}

function closed(render: RenderFunction): RenderFunction {
  return (...passed) => render(passed[0], passed[1], passed[2], closedRuntime(passed[3]), passed[4])
}

const closedRuntime = oncePerObject((runtime: Runtime): Runtime => ({ ...runtime, memberLookup }))

/** Looks up own members of plain objects and lists: nothing inherited, and nothing of functions. */
function memberLookup(target: unknown, key: unknown): unknown {
  if (typeof target === 'string') return key === 'length' ? target.length : undefined
  if (typeof target !== 'object' || target === null) return undefined
  if (typeof key !== 'string' && typeof key !== 'number') return undefined
  return Object.hasOwn(target, key) ? Reflect.get(target, key) : undefined
}

/** A node of a parsed template; fields differ by type. */
type TemplateNode = Readonly<Record<string, unknown>> & {
  readonly typename: string
  readonly lineno: number
}

/** Every construct that only reads data and prints it. */
const ALLOWED = new Set(
  `Root NodeList Output TemplateData Symbol Literal LookupVal If InlineIf For Set Include Block Macro Caller
   FunCall Filter KeywordArgs Pair Dict Array Group Compare CompareOperand Add Sub Mul Div FloorDiv Mod Concat
   And Or Not In Is Neg Pos Value Capture Super Extends Import FromImport`.split(/\s+/),
)

const NAME = /^[A-Za-z_]\w*$/

/**
 * Refuses constructs that could escape during compilation: nunjucks puts names into program text unchanged.
 *
 * @throws {Error} that names the construct and its line.
 */
function checkSyntax(source: string, tags: nunjucks.ConfigureOptions['tags']): void {
  const parser = (
    nunjucks as unknown as { parser: { parse(text: string, extensions: [], options: object): unknown } }
  ).parser
  checkNode(parser.parse(source, [], { tags, trimBlocks: true, lstripBlocks: true }))
}

function checkNode(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(checkNode)
  if (!isNode(node)) return undefined
  if (!ALLOWED.has(node.typename)) throw notAllowed(node, node.typename)
  if (node.typename === 'Symbol' && !NAME.test(String(node['value'])))
    throw notAllowed(node, String(node['value']))
  if (node.typename === 'FunCall' && !isSymbol(node['name'])) throw notAllowed(node, 'a call of a value')
  return Object.values(node).forEach(checkNode)
}

function isNode(value: unknown): value is TemplateNode {
  return typeof value === 'object' && value !== null && 'typename' in value
}

function isSymbol(node: unknown): boolean {
  return isNode(node) && node.typename === 'Symbol'
}

function notAllowed(node: TemplateNode, what: string): Error {
  return new Error(`line ${node.lineno + 1}: ${what} is not allowed in a template`)
}

/** The files that a user can replace, and the partials they include. */
export const TEMPLATE_NAMES = [
  'staging.sql',
  'snapshot.sql',
  'models.yml',
  'model.yml',
  'sources.yml',
  'table.yml',
  'config.sql',
  'rows.sql',
  'columns.sql',
] as const

export type TemplateName = (typeof TEMPLATE_NAMES)[number]

/** A set of compiled templates. */
export interface Templates {
  /** Prints a template. Lines end in `\n`. */
  render(name: TemplateName, data: object): string
  /** Present if the user replaced one of them: the output is then checked. */
  readonly check?: TemplateCheck
}

export interface TemplateCheck {
  /** Returns the fault in SQL; absent if the dialect has no grammar. */
  readonly sql: SqlCheck | undefined
  /** The templates of the preset. If the grammar cannot read even those, it cannot judge others. */
  readonly reference: Templates
}

/** Template files look like the dbt files they write: Jinja stays Jinja. */
const TAGS = {
  blockStart: '<%',
  blockEnd: '%>',
  variableStart: '<$',
  variableEnd: '$>',
  commentStart: '<#',
  commentEnd: '#>',
}

/**
 * Compiles the user's templates, which replace those of the preset with the same name. Their output is checked: SQL
 * by the grammar of the dialect, if there is one, YAML against the plan.
 *
 * @param files Template text by name: `{ 'staging.sql': '…' }`.
 * @throws {StagecraftError} INVALID_REQUEST for an unknown name; GENERATION_FAILED for faulty syntax.
 */
export async function loadTemplates(
  files: Readonly<Record<string, string>>,
  { dialect, preset = 'dbt-labs' }: { readonly dialect: DialectName | Dialect; readonly preset?: PresetName },
): Promise<Templates> {
  const check = { sql: await loadSqlCheck(resolveDialect({ dialect })), reference: builtInTemplates(preset) }
  const texts = Object.entries(checkNames(files)).map(([name, text]) => [name, plainText(text)] as const)
  return { ...compileTemplates(preset, Object.fromEntries(texts)), check }
}

/** Removes the byte order mark and the carriage returns that some editors add. */
function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

/** Returns the templates of a preset, compiled once. */
export const builtInTemplates = remember(
  (preset: PresetName): Templates => compileTemplates(preset, {}),
  PRESET_NAMES.length,
)

function compileTemplates(preset: PresetName, files: Readonly<Record<string, string>>): Templates {
  const own = { ...TEMPLATES['dbt-labs'], ...TEMPLATES[preset] }
  const isOwn = Object.keys(files).length === 0
  const sources: Readonly<Record<string, string>> = isOwn ? putTogether(own) : { ...own, ...files }
  const loader = new CompiledLoader()
  const environment = createEnvironment(loader)
  const compiled = (name: string): nunjucks.Template =>
    (loader.cache[name] ??= compile(name, sources[name] ?? '', environment))
  // those of a user may include each other, and their faults are told at once; a run needs few of the others
  if (!isOwn) for (const name of Object.keys(sources)) compiled(name)
  return { render: (name, data) => renderOne(name, data, compiled(name)) }
}

/** Inlines included templates, which saves a lookup each time; they set no variables. */
function putTogether(sources: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const include = (text: string): string =>
    text.replace(/^<% include "([\w.]+)" %>\n/gm, (_, name: string) => include(sources[name] ?? ''))
  return Object.fromEntries(Object.entries(sources).map(([name, text]) => [name, include(text)]))
}

/** Loads nothing: included templates are compiled beforehand into the cache of nunjucks. */
class CompiledLoader extends nunjucks.Loader implements nunjucks.ILoader {
  cache: Record<string, nunjucks.Template> = {}

  getSource(name: string): nunjucks.LoaderSource {
    throw new Error(`there is no template "${name}"; the templates are ${TEMPLATE_NAMES.join(', ')}`)
  }
}

function createEnvironment(loader: nunjucks.ILoader): nunjucks.Environment {
  const environment = new nunjucks.Environment([loader], {
    autoescape: false,
    throwOnUndefined: true,
    trimBlocks: true,
    lstripBlocks: true,
    tags: TAGS,
  })
  environment.addFilter('yaml', createYamlPrinter())
  environment.addFilter('indented', indentLines)
  environment.addFilter('lines', (lines: readonly string[], width: number) =>
    lines.join(`\n${' '.repeat(width)}`),
  )
  environment.addFilter('description', (value?: Description) => printDescription(value) ?? '')
  environment.addFilter('jinja', printJinja)
  environment.addFilter('random', () => {
    throw new Error('the filter "random" is not available: the same input must give the same output')
  })
  return environment
}

function compile(name: string, source: string, environment: nunjucks.Environment): nunjucks.Template {
  try {
    checkSyntax(source, TAGS)
    return closeIn(new nunjucks.Template(source, environment, name))
  } catch (error) {
    throw failed(name, error)
  }
}

function renderOne(name: string, data: object, template: nunjucks.Template): string {
  try {
    return inOnePiece(template.render(data))
  } catch (error) {
    throw failed(name, error)
  }
}

/** Flattens a text. The engine returns a rope of many small pieces, which takes three times the memory. */
function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

function failed(name: string, error: unknown): StagecraftError {
  const reason =
    error instanceof Error ? error.message.replace(/^\(.*?\)\s*/, '').replace(/\n\s*/g, ' ') : String(error)
  return new StagecraftError('GENERATION_FAILED', `template ${name}: ${reason}`, {
    cause: error,
    details: { template: name },
  })
}

function checkNames(custom: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const known: readonly string[] = TEMPLATE_NAMES
  const unknown = Object.keys(custom).filter((name) => !known.includes(name))
  if (unknown.length === 0) return custom
  const expected = `one of ${TEMPLATE_NAMES.join(', ')}`
  const faults = unknown.map((name) => ({ path: `templates.${name}`, expected, received: `"${name}"` }))
  throw new StagecraftError('INVALID_REQUEST', `templates: expected ${expected}; got ${unknown.join(', ')}`, {
    details: { faults },
  })
}

/** Prints a text, or a list of texts, as a Jinja literal. */
function printJinja(value: string | readonly string[]): string {
  if (typeof value !== 'string') return `[${value.map(printJinja).join(', ')}]`
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}
