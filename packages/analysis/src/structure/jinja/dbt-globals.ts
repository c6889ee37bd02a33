import {
  Callable,
  Dict,
  type Given,
  isList,
  itemsOf,
  Member,
  print,
  toValue,
  Undefined,
  Unknown,
  Unworkable,
  type Value,
} from './values.ts'

/** The inputs of dbt's globals. */
export interface DbtContext {
  /** Returns the SQL text of a `ref`. */
  readonly ref: (name: string, options: { readonly home?: string; readonly version?: string }) => string
  /** Returns the SQL text of a `source`. */
  readonly source: (source: string, table: string) => string
  /** The SQL text of `this`. */
  readonly current: () => string
  /** The name of the project. */
  readonly project: string
  readonly vars: Readonly<Record<string, unknown>>
  /** Works out the template in the value of a variable. */
  readonly textOf: (template: string) => string
  /** Adapters whose macros `adapter.dispatch` prefers, such as `duckdb`. */
  readonly adapters: readonly string[]
  /** Quotes a name. */
  readonly quote: (name: string) => string
  /** Returns a macro of the project as a value; undefined if there is none. */
  readonly macro: (name: string) => Callable | undefined
  /** Returns from a macro with its value. */
  readonly return: (value: Value) => never
}

const unknown = (what: string): Unknown => new Unknown(what)
const callable = (call: (given: Given) => Value): Callable => new Callable(call)
const first = ({ positional }: Given): Value => positional[0] ?? null

/** Returns the global names of dbt's templates: https://docs.getdbt.com/reference/dbt-jinja-functions */
export function dbtGlobals(context: DbtContext): ReadonlyMap<string, Value> {
  const references = {
    ref: callable((given) => ref(given, context)),
    source: callable((given) => source(given, context)),
  }
  const variable = callable((given) => readVariable(given, context))
  return new Map<string, Value>([
    ...expressionMacros(),
    ...Object.entries(references),
    ['builtins', new Dict([...Object.entries(references), ['var', variable]])],
    ['var', variable],
    [
      'env_var',
      callable(
        ({ positional: [name, other] }) =>
          other ?? unknown(`the variable ${print(name ?? '')} of the environment`),
      ),
    ],
    ['config', configGlobal()],
    ['this', relation(context.current(), 'this')],
    ['target', new Member('target', (name) => unknown(`target.${name}`))],
    ['is_incremental', callable(() => false)],
    ['should_full_refresh', callable(() => false)],
    ['execute', true],
    ['return', callable((given) => context.return(first(given)))],
    ['adapter', adapter(context)],
    ['dbt', packageOf('dbt')],
    ['dbt_utils', packageOf('dbt_utils')],
    ['fivetran_utils', packageOf('fivetran_utils')],
    [
      context.project,
      new Member(
        context.project,
        (name) => context.macro(name) ?? new Undefined(`${context.project}.${name}`),
      ),
    ],
    ...HARMLESS,
    ...WORKED_OUT.map((name): [string, Value] => [name, unknown(name)]),
  ])
}

/** Names that are only known when dbt runs. */
const WORKED_OUT = [
  'run_query',
  'load_result',
  'graph',
  'model',
  'modules',
  'flags',
  'context',
  'api',
  'schema',
  'database',
  'dbt_version',
  'invocation_id',
  'run_started_at',
  'selected_resources',
  'thread_id',
  'column',
  'store_result',
] as const

const HARMLESS: readonly (readonly [string, Value])[] = [
  ['log', callable(() => '')],
  ['statement', callable(() => '')],
  ['print', callable(() => '')],
  ['range', callable(range)],
  ['dict', callable(({ named }) => new Dict(named))],
  ['namespace', callable(({ named }) => new Dict(named))],
  ['set', callable((given) => [...new Set(itemsOf(first(given)) ?? [])])],
  ['zip', callable(zip)],
  ['tojson', callable((given) => JSON.stringify(toData(first(given))))],
  ['fromjson', callable((given) => parseJson(print(first(given))))],
  ['local_md5', callable((given) => `md5_${print(first(given))}`)],
  [
    'exceptions',
    new Member('exceptions', (name) =>
      callable((given) => {
        if (name === 'warn') return ''
        throw new Unworkable(`its Jinja raises an error: ${print(first(given)).slice(0, 120)}`)
      }),
    ),
  ],
]

function ref({ named, positional }: Given, context: DbtContext): Value {
  const [one, two] = positional
  const version = named.get('version') ?? named.get('v')
  const name = two ?? one
  if (typeof name !== 'string' || (two !== undefined && typeof one !== 'string'))
    return unknown('a computed ref')
  const text = context.ref(name, {
    ...(two !== undefined && typeof one === 'string' && { home: one }),
    ...(version !== undefined && version !== null && { version: print(version) }),
  })
  return relation(text, name)
}

function source({ positional: [name, table] }: Given, context: DbtContext): Value {
  if (typeof name !== 'string' || typeof table !== 'string') return unknown('a computed source')
  return relation(context.source(name, table), table)
}

/** A relation prints as its SQL text; its parts are only known when dbt runs. */
function relation(text: string, name: string): Member {
  const self: Member = new Member(text, (member) => {
    if (member === 'include' || member === 'quote' || member === 'render') return callable(() => self)
    return member === 'name' || member === 'identifier' || member === 'table'
      ? name
      : unknown(`${member} of a relation`)
  })
  return self
}

function readVariable({ positional: [name, other] }: Given, { textOf, vars }: DbtContext): Value {
  const key = print(name ?? '')
  const value = Object.hasOwn(vars, key) ? vars[key] : undefined
  if (typeof value === 'string' && value.includes('{')) return textOf(value)
  if (value !== undefined) return toValue(value)
  return other ?? unknown(`the variable ${key}`)
}

function configGlobal(): Callable {
  return new Callable(() => '', {
    get: callable(({ positional: [, other] }) => other ?? unknown('the configuration of the model')),
    require: callable(() => unknown('the configuration of the model')),
    persist_column_docs: callable(() => false),
    persist_relation_docs: callable(() => false),
  })
}

function adapter(context: DbtContext): Member {
  return new Member('adapter', (name) => {
    if (name === 'dispatch') return callable((given) => dispatch(print(first(given)), context))
    if (name === 'quote') return callable((given) => context.quote(print(first(given))))
    return callable(() => unknown(`adapter.${name}`))
  })
}

function dispatch(name: string, { adapters, macro }: DbtContext): Value {
  for (const prefix of [...adapters, 'default']) {
    const found = macro(`${prefix}__${name}`)
    if (found) return found
  }
  return expressionMacro(name) ?? unknown(`the macro ${name}`)
}

function packageOf(home: string): Member {
  return new Member(home, (name) => expressionMacro(name) ?? new Undefined(`${home}.${name}`))
}

/**
 * Macros of dbt, dbt_utils and fivetran_utils that print one expression, with the arguments that are expressions: they
 * become calls in the SQL, so that columns are found.
 * https://docs.getdbt.com/reference/dbt-jinja-functions/cross-database-macros
 */
const EXPRESSIONS: Readonly<Record<string, readonly number[]>> = {
  any_value: [0],
  array_append: [0, 1],
  array_concat: [0, 1],
  array_to_string: [0],
  bool_or: [0],
  cast_bool_to_text: [0],
  concat: [0],
  current_timestamp: [],
  date_trunc: [1],
  dateadd: [1, 2],
  datediff: [0, 1],
  generate_surrogate_key: [0],
  get_url_host: [0],
  get_url_parameter: [0],
  get_url_path: [0],
  hash: [0],
  haversine_distance: [0, 1, 2, 3],
  last_day: [0],
  length: [0],
  listagg: [0],
  position: [0, 1],
  replace: [0],
  right: [0],
  safe_add: [0],
  safe_divide: [0, 1],
  safe_subtract: [0],
  split_part: [0],
  string_agg: [0],
  surrogate_key: [0],
  width_bucket: [0, 1, 2, 3],
}

const TYPES: Readonly<Record<string, string>> = {
  type_string: 'text',
  type_timestamp: 'timestamp',
  type_int: 'int',
  type_bigint: 'bigint',
  type_float: 'float',
  type_numeric: 'numeric',
  type_boolean: 'boolean',
}

function expressionMacros(): readonly (readonly [string, Value])[] {
  const plain = Object.keys({ ...EXPRESSIONS, ...TYPES }).filter((name) => !PLAIN_WORDS.has(name))
  return plain.map((name) => [name, expressionMacro(name) ?? null])
}

/** Words that templates use for their own variables; they are macros only after `dbt.`. */
const PLAIN_WORDS = new Set(['length', 'position', 'replace', 'right', 'concat', 'hash'])

function expressionMacro(name: string): Callable | undefined {
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (type !== undefined) return callable(() => type)
  if (name === 'safe_cast' || name === 'cast')
    return callable(({ named, positional }) => {
      const field = print(named.get('field') ?? named.get('expression') ?? positional[0] ?? '')
      const wanted = print(named.get('type') ?? named.get('data_type') ?? positional[1] ?? '')
      return `${name === 'cast' ? '' : 'try_'}cast(${field} as ${wanted})`
    })
  if (name === 'group_by') return callable(groupBy)
  const places = Object.hasOwn(EXPRESSIONS, name) ? EXPRESSIONS[name] : undefined
  return places && callable((given) => printCall(name, given, places))
}

/** The clause of `dbt_utils.group_by(3)`: the numbers of as many columns. */
function groupBy({ named, positional: [first] }: Given): Value {
  const count = Number(named.get('n') ?? first)
  if (!(count <= LONGEST_CLAUSE)) return unknown('the number of columns of group_by')
  return `group by ${Array.from({ length: count }, (_, index) => index + 1).join(', ')}`
}

function printCall(name: string, { named, positional }: Given, places: readonly number[]): Value {
  const values = [...positional, ...named.values()]
  const chosen =
    named.size > 0
      ? [...named.values()].filter((value) => typeof value === 'string' || isList(value))
      : places.map((place) => values[place] ?? '')
  const parts = chosen.flatMap((value) => (isList(value) ? value.map(print) : [print(value)]))
  return `stagecraft_${name}(${parts.filter((part) => part !== '').join(', ')})`
}

/** Clauses of more columns are refused. */
const LONGEST_CLAUSE = 10_000

/** Longer ranges are refused. */
const LONGEST_RANGE = 100_000

function range({ positional }: Given): Value {
  const numbers = positional.map(Number)
  const [start, stop, step] =
    numbers.length === 1 ? [0, numbers[0] ?? 0, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1]
  const length = Math.max(0, Math.ceil((stop - start) / (step || 1)))
  if (positional.some((value) => value instanceof Unknown)) return unknown('the length of a range')
  if (!(length <= LONGEST_RANGE)) throw new Unworkable('a loop has a range that is too long')
  return Array.from({ length }, (_, index) => start + index * step)
}

function zip({ positional }: Given): Value {
  const lists = positional.map((value) => itemsOf(value) ?? [])
  const length = Math.min(
    ...lists.map((list) => list.length),
    lists.length === 0 ? 0 : Number.POSITIVE_INFINITY,
  )
  return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null))
}

function toData(value: Value): unknown {
  if (isList(value)) return value.map(toData)
  if (value instanceof Dict)
    return Object.fromEntries([...value.entries].map(([key, inner]) => [print(key), toData(inner)]))
  return typeof value === 'object' && value !== null ? print(value) : value
}

function parseJson(text: string): Value {
  try {
    return toValue(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return unknown('invalid JSON')
    throw error
  }
}
