import { blocksOf } from './blocks.ts'
import { type Call, callsIn } from './calls.ts'
import type { JinjaValue } from './jinja-value.ts'
import { tokensOf } from './tokens.ts'

/** A model that a template refers to. */
export interface ModelReference {
  readonly model: string
  /** Its package or project. */
  readonly package?: string
  readonly version?: string
  /** 1-based. */
  readonly line: number
}

/** A table of a source that a template refers to. */
export interface SourceReference {
  readonly source: string
  readonly table: string
  /** 1-based. */
  readonly line: number
}

/** The facts of a template that do not require running it. */
export interface TemplateFacts {
  readonly models: readonly ModelReference[]
  readonly sources: readonly SourceReference[]
  /** True if a `ref` or `source` has an argument that is computed when dbt runs, so that it may read more. */
  readonly isDynamic: boolean
  /** Names of all other calls, including macros of the project. */
  readonly calls: readonly string[]
  /** Names of the variables of the project that it uses, whose values may hold references. @default none */
  readonly variables?: readonly string[]
  /** The values that `config(…)` sets, by name or in a map; undefined for a computed value. */
  readonly config: Readonly<Record<string, JinjaValue | undefined>>
}

/** A macro or another named block: `{% macro cents(column) %}…{% endmacro %}`. */
export interface NamedBlock {
  readonly kind: 'macro' | 'test' | 'snapshot' | 'docs'
  readonly name: string
  /** 1-based. */
  readonly line: number
  readonly facts: TemplateFacts
}

/** A call and the offset of its name in the text. */
export interface FoundCall extends Call {
  /** 1-based. */
  readonly line: number
}

/** Reads the references of a template by scanning for calls with literal arguments. Nothing is rendered or run. */
export function readTemplate(text: string): TemplateFacts {
  return factsOf(findCalls(text))
}

/** Reads the named blocks of a file with their references. */
export function readNamedBlocks(text: string): readonly NamedBlock[] {
  const lineOf = lineCounter(text)
  const found: NamedBlock[] = []
  let open: Omit<NamedBlock, 'facts'> | undefined
  let from = 0
  for (const { kind, offset, source } of blocksOf(text)) {
    if (kind !== 'statement') continue
    const [, opening, name = ''] = /^[-+]?\s*(macro|test|data_test|snapshot|docs)\s+(\w+)/.exec(source) ?? []
    const isEnd = /^[-+]?\s*end(?:macro|test|data_test|snapshot|docs)\b/.test(source)
    if (opening !== undefined && !open) {
      open = { kind: kindOf(opening), name, line: lineOf(offset) }
      from = offset + source.length
    } else if (isEnd && open) {
      found.push({ ...open, facts: readTemplate(text.slice(from, offset - 2)) })
      open = undefined
    }
  }
  return found
}

function kindOf(opening: string): NamedBlock['kind'] {
  return opening === 'macro' || opening === 'snapshot' || opening === 'docs' ? opening : 'test'
}

/** Finds all calls in the expressions and statements of a template. Nothing is rendered or run. */
export function findCalls(text: string): readonly FoundCall[] {
  const lineOf = lineCounter(text)
  return blocksOf(text)
    .filter(({ kind }) => kind !== 'text')
    .flatMap(({ offset, source }) =>
      callsIn(tokensOf(source)).map((call) => ({
        ...call,
        offset: offset + call.offset,
        line: lineOf(offset + call.offset),
      })),
    )
}

/** Built-ins under all of their names. */
const REF = new Set(['ref', 'builtins.ref', 'dbt.ref'])
const SOURCE = new Set(['source', 'builtins.source', 'dbt.source'])
const VARIABLE = new Set(['var', 'builtins.var'])

/** Sorts calls by the kind of their reference. */
export function factsOf(calls: readonly FoundCall[]): TemplateFacts {
  const references = calls.filter(({ name }) => REF.has(name))
  const tables = calls.filter(({ name }) => SOURCE.has(name))
  const models = references.flatMap((call) => toModelReference(call) ?? [])
  const sources = tables.flatMap((call) => toSourceReference(call) ?? [])
  const others = calls.filter(({ name }) => !REF.has(name) && !SOURCE.has(name))
  const variables = new Set(
    others.flatMap(({ name, positional: [first] }) =>
      VARIABLE.has(name) && typeof first === 'string' ? [first] : [],
    ),
  )
  return {
    models: withoutTwins(
      models,
      ({ model, package: home = '', version = '' }) => `${home}.${model}.${version}`,
    ),
    sources: withoutTwins(sources, ({ source, table }) => `${source}\0${table}`),
    isDynamic: models.length < references.length || sources.length < tables.length,
    calls: [...new Set(others.map(({ name }) => name))],
    ...(variables.size > 0 && { variables: [...variables] }),
    config: Object.assign(
      {},
      ...others
        .filter(({ name }) => name === 'config')
        .flatMap(({ named, positional }) => [...positional, named]),
    ) as TemplateFacts['config'],
  }
}

function toModelReference({ line, named, positional }: FoundCall): ModelReference | undefined {
  const [first, second] = positional
  if (typeof first !== 'string' || (positional.length > 1 && typeof second !== 'string')) return undefined
  const version = 'version' in named ? named['version'] : named['v']
  if (
    ('version' in named || 'v' in named) &&
    (version === undefined || (typeof version === 'object' && version !== null))
  )
    return undefined
  return {
    model: typeof second === 'string' ? second : first,
    ...(typeof second === 'string' && { package: first }),
    ...(version !== undefined && typeof version !== 'object' && { version: String(version) }),
    line,
  }
}

function toSourceReference({ line, positional }: FoundCall): SourceReference | undefined {
  const [source, table] = positional
  return typeof source === 'string' && typeof table === 'string' ? { source, table, line } : undefined
}

function withoutTwins<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Map<string, Item>()
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item)
  return [...seen.values()]
}

/** Returns a function that finds the 1-based line of an offset. */
export function lineCounter(text: string): (offset: number) => number {
  let starts: readonly number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Returns the offsets of the starts of lines. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
