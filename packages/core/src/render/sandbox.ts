import nunjucks from 'nunjucks'

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
 * Closes a template in: it sees the data it is given and nothing else. Plain nunjucks hands out every
 * property of every value, so that `''.constructor.constructor` is a way to run any code.
 */
export function closeIn(template: nunjucks.Template): nunjucks.Template {
  const compiled = template as unknown as CompiledTemplate
  compiled.compile()
  compiled.rootRenderFunc = closed(compiled.rootRenderFunc)
  for (const [name, block] of Object.entries(compiled.blocks)) compiled.blocks[name] = closed(block)
  return template
}

function closed(render: RenderFunction): RenderFunction {
  return (...passed) => render(passed[0], passed[1], passed[2], { ...passed[3], memberLookup }, passed[4])
}

/** Own members of plain objects and lists: nothing inherited, nothing of functions. */
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
 * Refuses what could leave the template while it is compiled: nunjucks puts names into program text as they
 * stand.
 *
 * @throws {Error} that names the construct and its line.
 */
export function checkSyntax(source: string, tags: nunjucks.ConfigureOptions['tags']): void {
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
